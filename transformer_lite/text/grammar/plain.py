"""Kinds of sentences whose words have one meaning, or whose verb decides by itself."""

from __future__ import annotations

import random

from transformer_lite.text.grammar.clauses import Clause, as_question, in_french
from transformer_lite.text.grammar.lexicon import (
    AMBIGUOUS_NOUNS,
    AVOIR,
    ETRE,
    NOUNS,
    Adjective,
    Noun,
    Role,
    Verb,
    other,
    roles,
)
from transformer_lite.text.grammar.parts import (
    LINKS,
    STOP,
    Text,
    link_of,
    objects,
    put,
    qualified,
    relative,
    said,
    subject_of,
    tell,
)
from transformer_lite.text.grammar.phrases import (
    NUMBERS,
    PERSON,
    Phrase,
    again,
    name,
    noun_phrase,
    pick,
    pronoun,
)
from transformer_lite.text.grammar.statements import (
    _COMMON,
    _COMPARABLE,
    _GREETINGS,
    _OWNED,
    _ROLES,
    _SAYABLE,
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
from transformer_lite.text.grammar.times_and_places import any_tail


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


def asking(rng: random.Random) -> Text:
    """dort-il? est-ce que tu dors? tu dors? où est le chat? pourquoi ris-tu? qui chante?"""
    draw = rng.random()
    if draw < 0.3:
        clause = doing(rng) if rng.random() < 0.6 else being(rng)
        if rng.random() < 0.2:
            clause = having(rng)
        clause = clause._replace(negation="")
        told = tell(clause)
        opening = "est-ce que " if rng.random() < 0.5 else ""
        return told._replace(
            french=f"{opening}{told.french}?", english=f"{as_question(clause)}?",
            marks=(*told.marks, "question"),
        )  # fmt: skip
    if draw < 0.7:
        verb = pick(rng, _SAYABLE)
        while "person" not in verb.subjects:
            verb = pick(rng, _SAYABLE)
        subject = pronoun(rng, True, verb.has_all_forms)
        while subject.french == "je":
            subject = pronoun(rng, True, verb.has_all_forms)
        clause = said(rng, subject, Role("subject", verb), denied=0.1)
        clause = clause if clause.negation in ("", "pas") else clause._replace(negation="")
        french, english = pick(rng, (("", ""),) * 4 + _ASKED)
        told = tell(clause)
        return told._replace(
            french=f"{french} {in_french(clause, subject.french)}?".strip(),
            english=f"{english} {as_question(clause, not english)}?".strip(),
            marks=(*told.marks, "question", "inversion"),
        )  # fmt: skip
    if draw < 0.85:
        noun = pick(rng, _OWNED)
        thing = noun_phrase(rng, noun, pick(rng, ("the", "the", "my", "this")), False, 0.2)
        clause = Clause(thing, ETRE, pick(rng, ("present", "present", "imparfait", "future")))
        told = tell(clause)
        verb = in_french(clause._replace(subject=thing._replace(french="")))
        return told._replace(french=f"où {verb} {thing.french}?",
                             english=f"where {as_question(clause)}?",
                             marks=(*told.marks, "question"))  # fmt: skip
    verb = pick(rng, _TRANSITIVE)
    while "person" not in verb.subjects:
        verb = pick(rng, _TRANSITIVE)
    who = Phrase("qui", "who", 2, noun=PERSON)
    told = tell(said(rng, who, Role("subject", verb), denied=0.1))
    return told + Text("?", "?", (), ("question",))


_ASKED = (("où", "where"), ("quand", "when"), ("pourquoi", "why"), ("comment", "how"))


def looking_back(rng: random.Random) -> Text:
    """voici la clé. je la cherche; paul regarde la tour, elle est haute"""
    noun = pick(rng, PLAIN)
    draw = rng.random()
    if draw < 0.3:
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


def some_of_it(rng: random.Random) -> Text:
    """j'ai des pommes, j'en mange trois; voici du pain, tu en veux?"""
    verb = pick(rng, tuple(v for v in _COMMON if v.objects & {"food", "drink"}))
    noun = pick(rng, tuple(n for n in objects(verb, False) if n.kinds & {"food", "drink"}))
    if noun.counted:
        many = rng.random() < 0.6
        french, english = pick(rng, NUMBERS) if many else ("", "some")
    else:
        many, (french, english) = False, ("", "some")
    thing = noun_phrase(rng, noun, "some", noun.counted, 0)
    owner = pronoun(rng, False, True)
    first = tell(put(Clause(owner, AVOIR, marks=("avoir",)), thing))
    who = pronoun(rng, False, True)
    tense = pick(rng, ("present", "past", "future"))
    second = Clause(who, verb, tense, before=("en", ""), pairs=((noun.lemma, verb.lemma),),
                    marks=("looks back", "en", *(("number",) if many else ())))  # fmt: skip
    second = second.then(french, f"{english} of them" if many else english)
    return first + link_of(rng, first, tell(second)) + tell(second)


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


def fragment(rng: random.Random) -> Text:
    """le petit chat noir; bonjour marie"""
    if rng.random() < 0.75:
        thing = noun_phrase(rng, pick(rng, PLAIN), adjectives=0.7)
        return Text(thing.french, thing.english, thing.pairs, thing.marks)
    french, english = pick(rng, _GREETINGS[:4])
    who = name(rng)
    return Text(f"{french} {who.french}", f"{english} {who.english}", (), ("greeting",))


KINDS = (
    *(statement,) * 8, *(asking,) * 4, *(looking_back,) * 5, *(with_relative,) * 3, comparing,
    comparing, seeing_me, some_of_it, weather, *(two_clauses,) * 3, fragment,
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
