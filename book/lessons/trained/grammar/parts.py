"""What is said of whom: a noun in a role of a verb or an adjective, told as a clause."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

from lessons.trained.grammar.clauses import Clause, in_english, in_french
from lessons.trained.grammar.lexicon import (
    AMBIGUOUS_ADJECTIVES,
    AMBIGUOUS_NOUNS,
    AMBIGUOUS_VERBS,
    ETRE,
    Adjective,
    Noun,
    Role,
    Verb,
    fillers,
    roles,
)
from lessons.trained.grammar.phrases import (
    Pairs,
    Phrase,
    name,
    noun_phrase,
    pick,
    pronoun,
)


class Text(NamedTuple):
    """Words in both languages, what is said of what, and what is hard about it."""

    french: str
    english: str
    pairs: Pairs = ()
    marks: tuple[str, ...] = ()

    def __add__(self, other: Text) -> Text:  # type: ignore[override]
        return Text(
            self.french + other.french, self.english + other.english, self.pairs + other.pairs,
            self.marks + other.marks,
        )  # fmt: skip


_FULL = ("present",) * 5 + ("past",) * 3 + ("future",) * 2 + ("near future", "imparfait")
_SHORT = ("present",) * 5 + ("past",) * 3 + ("near future",) * 2
_LATE = ("present",) * 5 + ("near future",)
_STATE = ("present",) * 5 + ("imparfait",) * 2 + ("future",)
_MODAL = ("want", "can", "must", "like")
_DENIED = ("pas",) * 4 + ("jamais", "plus")
_INDEFINITE = ("a ", "an ", "some ")


def tense_of(rng: random.Random, verb: Verb, subject: Phrase, agrees: bool = False) -> str:
    """Draw a tense; where a participle would agree with an object, only common verbs have one."""
    if verb is ETRE:
        return pick(rng, _STATE)
    animate = subject.noun is None or subject.noun.is_person
    if animate and rng.random() < 0.08:
        return pick(rng, _MODAL[:-1] if verb.lemma in ("aimer", "adorer") else _MODAL)
    if verb.has_all_forms:
        return pick(rng, _FULL)
    return pick(rng, _LATE if agrees else _SHORT)


@cache
def objects(verb: Verb, ambiguous: bool) -> tuple[Noun, ...]:
    """Return the nouns that a verb takes; the ambiguous ones only where it decides."""
    if not ambiguous:
        return fillers(verb.objects)
    role = Role("object", verb)
    return tuple(n for n in fillers(verb.objects, True) if role in roles(n, True))


@cache
def subjects(verb: Verb, ambiguous: bool) -> tuple[Noun, ...]:
    """Return the nouns that do what a verb says; the ambiguous ones only where it decides."""
    if not ambiguous:
        return fillers(verb.subjects)
    role = Role("subject", verb)
    return tuple(n for n in fillers(verb.subjects, True) if role in roles(n, True))


@cache
def qualified(word: Adjective) -> tuple[Noun, ...]:
    """Return the plain nouns that an adjective fits."""
    return tuple(noun for noun in fillers(word.kinds) if Role("is", word) in roles(noun))


def subject_of(
    rng: random.Random,
    verb: Verb,
    third: bool = False,
    unlike: int | None = None,
    adjectives: float = 0.15,
) -> Phrase:
    """Draw who does what a verb says.

    Args:
        rng: where the choices come from.
        verb: the verb.
        third: whether it may be *il* or *elle*, whom nobody has named.
        unlike: a form, as in :attr:`Phrase.form`, that it must not have.
        adjectives: how often a noun has an adjective.
    """
    draw = rng.random()
    if "person" in verb.subjects and draw < 0.4:
        return pronoun(rng, third, verb.has_all_forms)
    if "person" in verb.subjects and draw < 0.52:
        found = name(rng)
    else:
        found = noun_phrase(
            rng, pick(rng, subjects(verb, False)), adjectives=adjectives, subject=True
        )
    if unlike is not None and found.form == unlike:
        return pronoun(rng, False, verb.has_all_forms)
    return found


def object_of(
    rng: random.Random,
    verb: Verb,
    subject: Phrase,
    ambiguous: bool = False,
    adjectives: float = 0.2,
    denied: bool = False,
) -> Phrase:
    """Draw to what or whom it is done; `denied` allows *pas de pain*, *not any bread*."""
    nouns = objects(verb, True) if ambiguous else ()
    noun = pick(rng, nouns or objects(verb, False))
    while noun.lemma in subject.names:
        noun = pick(rng, objects(verb, False))
    if denied and not verb.preposition and rng.random() < 0.4 and noun.plural != noun.lemma:
        return noun_phrase(rng, noun, "any", noun.counted, 0)
    loved = ""  # j'aime les pommes would be apples at large
    if verb.lemma in ("aimer", "adorer", "supporter"):
        loved = "the"
    owner = subject if subject.french not in ("on",) and subject.person in (0, 1, 2, 5) else None
    return noun_phrase(
        rng, noun, loved, False if loved else None, adjectives=adjectives, owner=owner
    )


def _spent(clause: Clause, verb: Verb, phrase: Phrase) -> Clause:
    """A week is not spent but somewhere: *je passe la semaine ici*."""
    if verb.lemma != "passer" or phrase.noun is None or "period" not in phrase.noun.kinds:
        return clause
    return clause.then("ici", "here")


def put(clause: Clause, phrase: Phrase, pronominal: bool = False) -> Clause:
    """Make a phrase the object of a clause."""
    verb = clause.verb
    pairs = clause.pairs + tuple((lemma, verb.lemma) for lemma in phrase.names)
    if pronominal:
        before = phrase.before
        if verb.preposition == "à":
            before = ("leur" if phrase.plural else "lui", before[1])
        elif verb.preposition:
            word = "en" if verb.preposition == "de" else "y"
            before = (word, before[1])
            clause = clause._replace(marks=(*clause.marks, word))
        agreement = clause.agreement if verb.preposition else phrase.form
        clause = clause._replace(
            before=before, agreement=agreement, pairs=pairs, marks=(*clause.marks, *phrase.marks)
        )
        return _spent(clause, verb, phrase)
    if clause.negation in _DENIED and phrase.english.startswith(_INDEFINITE):
        clause = clause._replace(negation="")  # not pas du pain, and pas de pain stands elsewhere
    french = phrase.french
    if verb.preposition == "de":  # parler de livres, not de des livres
        french = french.removeprefix("des ").removeprefix("de ")
    clause = clause.then(f"{verb.preposition} {french}".strip(), phrase.english)
    clause = clause._replace(pairs=pairs + phrase.pairs, marks=clause.marks + phrase.marks)
    return _spent(clause, verb, phrase)


def said(
    rng: random.Random,
    phrase: Phrase,
    role: Role,
    third: bool = False,
    pronominal: bool = False,
    denied: float = 0.12,
    ambiguous: bool = False,
) -> Clause:
    """Tell what a phrase does, undergoes or is.

    Args:
        rng: where the choices come from.
        phrase: a noun or the pronoun that stands for it.
        role: what is told.
        third: whether others may be *il* or *elle*.
        pronominal: whether the phrase is a pronoun.
        denied: how often it is denied.
        ambiguous: whether the other noun, if there is one, has two meanings where it can.
    """
    place, word = role
    negation = pick(rng, _DENIED) if rng.random() < denied else ""
    if isinstance(word, Adjective):
        tense = tense_of(rng, ETRE, phrase)
        pairs = tuple((lemma, word.lemma) for lemma in phrase.names)
        marks = ("être", "adjective after être")
        return Clause(
            phrase, ETRE, tense, word.forms[phrase.form], word.english, negation, pairs=pairs,
            marks=marks,
        )  # fmt: skip
    if place == "subject":
        pairs = tuple((lemma, word.lemma) for lemma in phrase.names)
        tense = tense_of(rng, word, phrase)
        negation = "pas" if negation == "plus" and tense == "past" else negation
        clause = Clause(
            phrase, word, tense, negation=negation, pairs=pairs,
            agreement=phrase.form if word.takes_etre else 0,
        )  # fmt: skip
        if word.preposition == "se":
            own = ("me", "te", "se", "nous", "vous", "se")[phrase.person]
            return clause._replace(before=(own, ""), marks=("reflexive",))
        if not word.objects:
            return clause
        thing = object_of(rng, word, phrase, ambiguous, denied=negation in _DENIED)
        return put(clause, thing)
    return undergone(rng, phrase, word, third, pronominal, negation, ambiguous)


def undergone(
    rng: random.Random,
    phrase: Phrase,
    verb: Verb,
    third: bool = False,
    pronominal: bool = False,
    negation: str = "",
    ambiguous: bool = False,
) -> Clause:
    """Tell what somebody does to a phrase; see :func:`said`."""
    nouns = subjects(verb, True) if ambiguous else ()
    if nouns:
        doer = noun_phrase(rng, pick(rng, nouns), adjectives=0, subject=True)
    else:
        doer = subject_of(rng, verb, third, phrase.form)
    if set(doer.names) & set(phrase.names) and not ambiguous:
        doer = pronoun(rng, False, verb.has_all_forms)
    pairs = tuple((lemma, verb.lemma) for lemma in doer.names)
    tense = tense_of(rng, verb, doer, pronominal and not verb.preposition)
    negation = "pas" if negation == "plus" and tense == "past" else negation
    agreement = doer.form if verb.takes_etre else 0
    clause = Clause(doer, verb, tense, negation=negation, agreement=agreement, pairs=pairs)
    return put(clause, phrase, pronominal)


def relative(rng: random.Random, phrase: Phrase, role: Role, ambiguous: bool = False) -> Phrase:
    """Add a relative clause: *l'avocat que le boulanger coupe*."""
    place, word = role
    who = "who" if phrase.noun is not None and phrase.noun.is_person else "that"
    if place != "object":
        inner = said(
            rng, phrase._replace(french="qui", english=who, pairs=(), marks=()), role, denied=0.05,
            ambiguous=ambiguous,
        )  # fmt: skip
        french, english = in_french(inner), in_english(inner)
    else:
        assert isinstance(word, Verb)
        inner = undergone(
            rng, phrase._replace(before=("", ""), pairs=(), marks=()), word, pronominal=True,
            ambiguous=ambiguous,
        )._replace(before=("", ""))  # fmt: skip
        link = {"": "que", "dans": "où", "à": "à qui", "de": "dont"}[word.preposition]
        french, english = f"{link} {in_french(inner)}", f"that {in_english(inner)}"
    return phrase._replace(
        french=f"{phrase.french} {french}", english=f"{phrase.english} {english}",
        pairs=phrase.pairs + inner.pairs + inner.subject.pairs,
        marks=(*phrase.marks, *inner.marks, "relative clause"),
    )  # fmt: skip


def tell(clause: Clause) -> Text:
    """Write a clause, with all that is known of it."""
    marks = [*clause.subject.marks, *clause.marks]
    marks.append({"imparfait": "imparfait", "past": "past"}.get(clause.tense, clause.tense))
    if clause.negation:
        marks.append("only" if clause.negation == "que" else "negation")
    if clause.before[1]:
        marks.append("object pronoun")
    return Text(
        in_french(clause), in_english(clause), clause.subject.pairs + clause.pairs, tuple(marks)
    )


def has_two_meanings(lemma: str) -> bool:
    """Return whether a word is one of the ambiguous ones."""
    return lemma in AMBIGUOUS_NOUNS or lemma in AMBIGUOUS_VERBS or lemma in AMBIGUOUS_ADJECTIVES


LINKS = (
    Text(", ", ", "),
    Text(", et ", ", and "),
    Text(", mais ", ", but "),
    Text(" et ", " and "),
)
_BECAUSE = Text(" parce que ", " because ")
_AT_A_TIME = (Text(" pendant que ", " while "), Text(" quand ", " when "))
STOP = Text(". ", ". ")
#: What is said of no moment: no *quand* with it.
_LASTING = frozenset({"être", "avoir", "there is", "weather"})


def link_of(rng: random.Random, first: Text, second: Text) -> Text:
    """Draw what joins two clauses: *quand* only where they are of one time."""
    times = {"present", "past", "imparfait"}
    if rng.random() < 0.35:
        if not _LASTING.isdisjoint((*first.marks, *second.marks)):
            return _BECAUSE
        one, two = times.intersection(first.marks), times.intersection(second.marks)
        if one and one == two:
            return pick(rng, _AT_A_TIME)
        return _BECAUSE
    return pick(rng, LINKS)
