"""Kinds of sentences whose words have one meaning, or whose verb decides by itself."""

from __future__ import annotations

import random

from lessons.trained.grammar.clauses import Clause
from lessons.trained.grammar.lexicon import (
    AMBIGUOUS_NOUNS,
    ETRE,
    NOUNS,
    Adjective,
    Noun,
    Verb,
    other,
    roles,
)
from lessons.trained.grammar.parts import (
    LINKS,
    STOP,
    Text,
    link_of,
    qualified,
    relative,
    said,
    subject_of,
    tell,
)
from lessons.trained.grammar.phrases import (
    PERSON,
    again,
    name,
    noun_phrase,
    pick,
    pronoun,
)
from lessons.trained.grammar.statements import (
    _COMPARABLE,
    _ROLES,
    _TRANSITIVE,
    PLAIN,
    being,
    doing,
    going,
    having,
    nobody,
    there_is,
    weather,
)
from lessons.trained.grammar.talk import (
    asking,
    fragment,
    going_there,
    greeting,
    liking,
    some_of_it,
)
from lessons.trained.grammar.times_and_places import any_tail


def comparing(rng: random.Random) -> Text:
    """paul est plus grand que marie; cette maison est la plus vieille du village"""
    word = pick(rng, _COMPARABLE)
    first = noun_phrase(rng, pick(rng, qualified(word)), "the", adjectives=0)
    if "person" in word.kinds and rng.random() < 0.4:
        first = name(rng) if rng.random() < 0.5 else pronoun(rng, True, True)
    form = word.forms[first.form]
    clause = Clause(first, ETRE, pick(rng, ("present", "present", "imparfait")),
                    pairs=tuple((n, word.lemma) for n in first.names),
                    marks=("comparative",))  # fmt: skip
    draw = rng.random()
    if draw < 0.3 and first.noun is not None:
        le = ("le", "la", "les", "les")[first.form]
        clause = clause.then(f"{le} {_more(word, form)}", f"the {word.most}", ("superlative",))
        return tell(clause)
    kinds = PERSON.kinds if first.noun is None else first.noun.kinds
    like = [noun for noun in qualified(word) if noun.kinds & kinds]
    like = like if len(like) > 1 else list(qualified(word))
    second = noun_phrase(rng, pick(rng, like), "the", None, 0)
    while set(second.names) & set(first.names):
        second = noun_phrase(rng, pick(rng, like), "the", None, 0)
    if first.noun is None and rng.random() < 0.5:
        second = name(rng)
    if second.names == first.names:
        return tell(doing(rng))
    french, english = pick(rng, (
        (f"{_more(word, form)} que", f"{word.more} than"),
        (f"{_more(word, form)} que", f"{word.more} than"),
        (f"aussi {form} que", f"as {word.english} as"),
        (f"moins {form} que", f"less {word.english} than"),
    ))  # fmt: skip
    return tell(clause.then(f"{french} {second.french}", f"{english} {second.english}"))


def _more(word: Adjective, form: str) -> str:
    """Return the comparative: *plus grande*, but *meilleure*."""
    if word.lemma != "bon":
        return f"plus {form}"
    return ("meilleur", "meilleure", "meilleurs", "meilleures")[word.forms.index(form)]


def looking_back(rng: random.Random) -> Text:
    """voici la clé. je la cherche; paul regarde la tour, elle est haute"""
    noun = pick(rng, PLAIN)
    draw = rng.random()
    if draw < 0.3 and not noun.kinds & {"felt", "odor", "period", "rest"}:
        thing = noun_phrase(rng, noun)
        is_ = "are" if thing.plural else "is"
        first = Text(
            f"voici {thing.french}", f"here {is_} {thing.english}", thing.pairs, thing.marks
        )
        doer = None
    else:
        ways = [r for r in _ROLES[noun] if r.place == "object" and not _preposed(r.word)]
        if not ways:
            return tell(doing(rng))
        thing = noun_phrase(rng, noun)
        clause = said(rng, thing, pick(rng, ways), denied=0.05)
        doer = clause.subject if clause.subject.names else None
        if set(thing.names) & set(clause.subject.names):
            return tell(clause)
        first = tell(clause)
    them = again(thing)
    who = them
    if doer is not None and rng.random() < 0.4:
        who = again(doer)
    all_roles = _ROLES[who.noun] if who.noun in _ROLES else _ROLES[PERSON]
    mentions = [r for r in all_roles if r.place != "object" or who is them]
    role = pick(rng, mentions)
    second = tell(said(rng, who, role, pronominal=True, denied=0.15))
    link = STOP if rng.random() < 0.5 else link_of(rng, first, second)
    if first.french.startswith("voici") and link is not STOP:
        link = LINKS[0]
    return first + link + second + Text("", "", (), ("two clauses",))


def _preposed(word: Verb | Adjective) -> bool:
    return isinstance(word, Verb) and bool(word.preposition)


def with_relative(rng: random.Random) -> Text:
    """la fille que je vois est belle; j'aime le chien qui dort"""
    noun = pick(rng, PLAIN)
    inner, outer = pick(rng, _ROLES[noun]), pick(rng, _ROLES[noun])
    if inner.word.lemma == outer.word.lemma:
        return tell(being(rng))
    phrase = noun_phrase(rng, noun, "", None, 0.05, subject=outer.place != "object")
    return tell(said(rng, relative(rng, phrase, inner), outer, third=True))


def seeing_me(rng: random.Random) -> Text:
    """paul nous a vus; vous m'aimez; elle te téléphone"""
    verb = pick(rng, _OF_PEOPLE)
    subject = subject_of(rng, verb, True)
    taken = {0: "ij", 3: "ij", 1: "uv", 4: "uv"}.get(subject.person, "")
    whom = [w for w in _ME if not (taken == "ij" and w[1] in ("me", "us")) and not (
        taken == "uv" and w[1] == "you")]  # fmt: skip
    french, english, form = pick(rng, whom)
    if subject.french == "on" and english in ("me", "us"):
        return statement(rng)
    tense = pick(rng, ("present", "present", "past", "near future"))
    if not verb.has_all_forms and not verb.preposition and tense == "past":
        tense = "present"
    pairs = tuple((lemma, verb.lemma) for lemma in subject.names)
    agreement = 0 if verb.preposition else form
    negation = pick(rng, ("", "", "", "pas", "jamais", "plus"))
    clause = Clause(subject, verb, tense, negation=negation, before=(french, english),
                    agreement=agreement, pairs=pairs)  # fmt: skip
    return tell(any_tail(rng, clause, 0.3))


_ME = (("me", "me", 0), ("te", "you", 0), ("nous", "us", 2), ("vous", "you", 2), ("me", "me", 0))
_OF_PEOPLE = tuple(v for v in _TRANSITIVE if "person" in v.objects and "person" in v.subjects)


def two_clauses(rng: random.Random) -> Text:
    """je mange et marie boit du lait"""
    first = tell(any_clause(rng))
    second = tell(any_clause(rng, third=False))
    return first + link_of(rng, first, second) + second + Text("", "", (), ("two clauses",))


def any_clause(rng: random.Random, third: bool = True) -> Clause:
    """Draw any clause."""
    draw = rng.random()
    if draw < 0.55:
        return doing(rng, third)
    if draw < 0.75:
        return being(rng, third)
    if draw < 0.87 and third:
        return going(rng)
    return having(rng, third)


def statement(rng: random.Random) -> Text:
    """hier, paul a mangé une pomme"""
    draw = rng.random()
    if draw < 0.1:
        return tell(there_is(rng))
    if draw < 0.2:
        return tell(nobody(rng))
    return tell(any_clause(rng))


KINDS = (
    *(statement,) * 16, *(asking,) * 8, *(looking_back,) * 9, *(with_relative,) * 6,
    *(comparing,) * 4, *(seeing_me,) * 2, *(some_of_it,) * 3, *(weather,) * 2, *(two_clauses,) * 5,
    *(fragment,) * 2, *(greeting,) * 2, *(liking,) * 2, *(going_there,) * 2,
)  # fmt: skip


def plain_text(rng: random.Random) -> Text:
    """Draw words of any other kind."""
    return pick(rng, KINDS)(rng)


_LIKE = tuple(
    noun
    for noun in NOUNS
    if noun.lemma in AMBIGUOUS_NOUNS
    and noun.counted
    and other(noun).counted
    and noun.feminine == other(noun).feminine
    and roles(noun, False)
)


def undecided_texts(rng: random.Random) -> tuple[Text, Text]:
    """je vois un avocat: nothing says which; return both translations, in an order that is drawn"""
    while True:
        noun, seed = pick(rng, _LIKE), rng.random()
        one, two = (_open(random.Random(seed), sense) for sense in (noun, other(noun)))
        if one.french == two.french and one.english != two.english:
            return one, two


def _open(rng: random.Random, noun: Noun) -> Text:
    phrase = noun_phrase(rng, noun, pick(rng, ("the", "a", "this", "our")), False, 0)
    text = tell(said(rng, phrase, pick(rng, roles(noun, False))))
    return text + Text("", "", (), ("undecided",))
