"""Kinds of clauses: doing, doing to, being, having; each is drawn for a subject."""

from __future__ import annotations

import random
from collections.abc import Callable

from transformer_lite.text.clauses import TENSES, Clause, when
from transformer_lite.text.lexicon import (
    ADJECTIVES,
    AVOIR,
    BE,
    ETRE,
    NOT_OWNED,
    NOUNS,
    NUMBERS,
    SIT,
    VERBS,
    Adjective,
    Noun,
    Verb,
)
from transformer_lite.text.phrases import (
    Phrase,
    any_phrase,
    name,
    noun_phrase,
    of_kinds,
    pick,
    place,
    pronoun,
    two_names,
)

ANIMATE = ("person", "animal")
KINDS = (*ANIMATE, "thing", "food", "mass", "drink")
NOT_THIRD = ("je", "tu", "nous", "vous")
HERE = (("ici", "here"), ("là", "there"))

ANIMATES = of_kinds(*ANIMATE)
THINGS = of_kinds("thing")
OWNED = tuple(n for n in NOUNS.values() if n.kind != "person" or n.singular in ("ami", "amie"))
_OBJECTS = {verb.lemma: of_kinds(*verb.objects) for verb in VERBS.values()}
TRANSITIVE = tuple(verb for verb in VERBS.values() if verb.objects)
_INTRANSITIVE = tuple(verb for verb in VERBS.values() if not verb.objects)
OF_PEOPLE = tuple(verb for verb in TRANSITIVE if "person" in verb.objects)
# Who names bread wants to eat it more than to look for it.
_MEALS = (VERBS["manger"], VERBS["boire"])
TAKING = {kind: tuple(v for v in (*TRANSITIVE, *_MEALS * 2) if kind in v.objects) for kind in KINDS}
BEING = {kind: tuple(a for a in ADJECTIVES if kind in a.predicate_kinds) for kind in KINDS}
_HUNGER = (("faim", "hungry"), ("soif", "thirsty"))
_NUMBERS = tuple(NUMBERS.items())
_ME = {"me": ("me", 0), "te": ("you", 1), "nous": ("us", 3), "vous": ("you", 4)}


# Subjects


def any_subject(rng: random.Random) -> Phrase:
    """Draw somebody or an animal."""
    draw = rng.random()
    if draw < 0.38:
        return pronoun(rng)
    if draw < 0.5:
        return name(rng)
    if draw < 0.54:
        return two_names(rng)
    return any_phrase(rng, pick(rng, ANIMATES))


def somebody_else(rng: random.Random, *lemmas: str) -> Phrase:
    """Draw a subject that no other word can be mistaken for: no il, and none of these nouns."""
    draw = rng.random()
    if draw < 0.6:
        return pronoun(rng, NOT_THIRD)
    other = name(rng) if draw < 0.8 else any_phrase(rng, pick(rng, ANIMATES))
    return pronoun(rng, NOT_THIRD) if set(other.lemmas) & set(lemmas) else other


def form(phrase: Phrase) -> int:
    return phrase.feminine + 2 * phrase.plural


def any_tense(rng: random.Random) -> str:
    return pick(rng, TENSES)


def with_verb(subject: Phrase, verb: Verb) -> tuple[tuple[str, str], ...]:
    return tuple((lemma, verb.lemma) for lemma in subject.lemmas)


# Kinds of clauses, each drawn for a subject


def _doing(rng: random.Random, subject: Phrase, negated: bool) -> Clause:
    """le chat dort souvent; elle est arrivée; le livre tombera"""
    verb = VERBS["tomber"] if subject.kind not in ANIMATE else pick(rng, _INTRANSITIVE)
    tense = any_tense(rng)
    clause = Clause(
        subject, verb, tense, negated=negated, combinations=with_verb(subject, verb),
        agreement=form(subject) if verb.takes_etre else 0,
        often=tense == "present" and rng.random() < 0.2,
    )  # fmt: skip
    if clause.often:
        clause = clause._replace(phenomena=("adverb",))
    draw = rng.random()
    if draw < 0.35:
        return add(clause, place(rng))
    if draw < 0.5 and subject.kind in ANIMATE:
        return add(clause, _company(rng, subject))
    return when(rng, clause) if draw > 0.8 and not clause.often else clause


def _company(rng: random.Random, subject: Phrase) -> Phrase:
    """avec marie"""
    other = name(rng)
    if other.lemmas[0] in subject.lemmas or rng.random() < 0.5:
        other = noun_phrase(rng, pick(rng, ANIMATES), "definite", rng.random() < 0.3)
    return other._replace(french=f"avec {other.french}", english=f"with {other.english}")


def add(clause: Clause, phrase: Phrase) -> Clause:
    """Put a phrase at the end."""
    return clause._replace(
        french=f"{clause.french} {phrase.french}".strip(),
        english=f"{clause.english} {phrase.english}".strip(),
        combinations=clause.combinations + phrase.combinations,
        phenomena=clause.phenomena + phrase.phenomena,
    )


def _doing_to(rng: random.Random, subject: Phrase, negated: bool) -> Clause:
    """nous mangeons une pomme"""
    verb = pick(rng, TRANSITIVE)
    if verb.lemma == "acheter" and subject.kind != "person":
        verb = VERBS["voir"]
    clause = Clause(
        subject, verb, any_tense(rng), negated=negated, combinations=with_verb(subject, verb)
    )
    clause = add(clause, _object(rng, verb, subject, negated))
    draw = rng.random()
    if draw < 0.12:
        return add(clause, place(rng))
    return when(rng, clause) if draw > 0.88 else clause


def _object(rng: random.Random, verb: Verb, subject: Phrase, negated: bool) -> Phrase:
    """Draw what is seen, eaten, bought. *les chats* as loved ones would be cats or the cats."""
    if verb in OF_PEOPLE and rng.random() < 0.15:
        who = name(rng)
        if who.lemmas[0] not in subject.lemmas:
            return who
    noun = pick(rng, _OBJECTS[verb.lemma])
    if verb.lemma == "aimer":
        owner = rng.random() < 0.4 and noun.singular not in NOT_OWNED
        return noun_phrase(rng, noun, "owner" if owner else "definite", plural=False)
    return _denied(rng, noun) if negated else any_phrase(rng, noun)


def _denied(rng: random.Random, noun: Noun) -> Phrase:
    """Draw an object behind *ne … pas*: *pas de chat*, *pas le chat*."""
    plural = not noun.is_mass and rng.random() < 0.4
    if rng.random() < 0.5 and not _unclear(noun):
        return noun_phrase(rng, noun, "denied", plural)
    return noun_phrase(rng, noun, "definite", plural)


def _unclear(noun: Noun) -> bool:
    """Say whether *pas de souris* leaves open if it is not a mouse or not any mice."""
    return noun.singular == noun.plural and not noun.is_mass


def _being(rng: random.Random, subject: Phrase, negated: bool) -> Clause:
    """les fleurs sont très belles; je suis étudiant; le chat est sur la table"""
    clause = Clause(subject, ETRE, any_tense(rng), negated=negated, phenomena=("être",))
    draw = rng.random()
    if draw < 0.2 and subject.kind == "person" and not subject.combinations:
        return _trade(rng, clause)
    if draw < 0.4:
        return add(clause, place(rng))
    adjectives = [a for a in BEING[subject.kind] if a.lemma not in _said(subject)]
    if draw < 0.5 or not adjectives:
        french, english = pick(rng, HERE)
        return clause._replace(french=french, english=english)
    return quality(rng, clause, pick(rng, adjectives))


def _said(subject: Phrase) -> list[str]:
    return [adjective for _, adjective in subject.combinations]


def _trade(rng: random.Random, clause: Clause) -> Clause:
    """elle est professeur: no article in French"""
    subject = clause.subject
    student = ("étudiant", "étudiante", "étudiants", "étudiantes")[form(subject)]
    teacher = "professeurs" if subject.plural else "professeur"
    french, english = pick(rng, ((student, "student"), (teacher, "teacher")))
    english = f"{english}s" if subject.plural else f"a {english}"
    return clause._replace(
        french=french, english=english, phenomena=(*clause.phenomena, "profession")
    )


def quality(rng: random.Random, clause: Clause, adjective: Adjective) -> Clause:
    """elle est très fatiguée"""
    subject, draw = clause.subject, rng.random()
    often = draw > 0.9 and clause.tense == "present" and adjective.english in ("happy", "tired")
    very = ("très ", "very ") if draw < 0.25 else ("", "")
    return clause._replace(
        french=very[0] + adjective.forms[form(subject)],
        english=very[1] + adjective.english,
        often=often,
        combinations=tuple((lemma, adjective.lemma) for lemma in subject.lemmas),
        phenomena=(*clause.phenomena, "adjective after être", *(("adverb",) if often else ())),
    )


def _having(rng: random.Random, subject: Phrase, negated: bool) -> Clause:
    """j'ai un chien; elle a faim; paul a dix ans"""
    clause = Clause(subject, AVOIR, any_tense(rng), negated=negated, phenomena=("avoir",))
    draw = rng.random()
    if draw < 0.25:
        french, english = pick(rng, _HUNGER)
        return _idiom(clause, french, english)
    if draw < 0.45:
        french, english = pick(rng, _NUMBERS)
        return _idiom(clause, f"{french} ans", f"{english} years old", "number")
    noun = pick(rng, OWNED)
    return add(clause, _denied(rng, noun) if negated else any_phrase(rng, noun))


def _idiom(clause: Clause, french: str, english: str, *phenomena: str) -> Clause:
    """French has what English is."""
    marks = (*clause.phenomena, "idiom", *phenomena)
    return clause._replace(french=french, english=english, english_verb=BE, phenomena=marks)


def _there_is(rng: random.Random, negated: bool) -> Clause:
    """il y a un chat sur la table; il n'y avait pas de lait"""
    noun = pick(rng, OWNED)
    if negated and _unclear(noun):
        noun = NOUNS["chat"]
    plural = not noun.is_mass and rng.random() < 0.5
    determiner = "number" if plural and rng.random() < 0.4 else "indefinite"
    determiner = "denied" if negated else determiner
    thing = noun_phrase(rng, noun, determiner, plural)
    it = Phrase("il", "there", 2, False, False, "thing")
    clause = Clause(
        it, AVOIR, any_tense(rng), negated=negated, french_object="y", english_verb=BE,
        english_person=thing.person, phenomena=("there is",),
    )  # fmt: skip
    clause = add(clause, thing)
    return add(clause, place(rng)) if rng.random() < 0.5 else clause


def _seeing_me(rng: random.Random, subject: Phrase, negated: bool) -> Clause:
    """paul nous a vus; vous m'aimez"""
    ours, yours = subject.person in (0, 3), subject.person in (1, 4)
    french = pick(rng, ("te", "vous") if ours else ("me", "nous") if yours else tuple(_ME))
    english, person = _ME[french]
    several = person == 3 or (person == 4 and rng.random() < 0.5)
    verb = pick(rng, OF_PEOPLE)
    clause = Clause(
        subject, verb, any_tense(rng), negated=negated,
        french_object=french, english_object=english,
        agreement=(rng.random() < 0.5) + 2 * several, combinations=with_verb(subject, verb),
        phenomena=("object pronoun",),
    )  # fmt: skip
    return when(rng, clause) if rng.random() < 0.3 else clause


def _sitting(rng: random.Random, subject: Phrase, negated: bool) -> Clause:
    """le chat s'est assis sur le tapis"""
    own = ("me", "te", "se", "nous", "vous", "se")[subject.person]
    clause = Clause(
        subject, SIT, "past", negated=negated, french_object=own, agreement=form(subject),
        phenomena=("reflexive",),
    )  # fmt: skip
    return add(clause, place(rng)) if rng.random() < 0.8 else when(rng, clause)


#: What can be said of a person or an animal, as often as it is to come.
_CLAUSES: tuple[Callable[[random.Random, Phrase, bool], Clause], ...] = (
    *(_doing,) * 8, *(_doing_to,) * 8, *(_being,) * 5, *(_having,) * 2, _seeing_me, _sitting
)  # fmt: skip


def any_clause(rng: random.Random, negated: bool | None = None) -> Clause:
    """Draw a clause; None denies some of them."""
    draw = rng.random()
    if draw < 0.06:
        return _there_is(rng, rng.random() < 0.22 if negated is None else negated)
    thing = draw < 0.16
    subject = any_phrase(rng, pick(rng, THINGS)) if thing else any_subject(rng)
    return clause_about(rng, subject, negated)


def clause_about(rng: random.Random, subject: Phrase, negated: bool | None = None) -> Clause:
    """Draw a clause about a subject; None denies some of them."""
    negated = rng.random() < 0.22 if negated is None else negated
    if subject.kind in ANIMATE:
        return pick(rng, _CLAUSES)(rng, subject, negated)
    moves = subject.kind == "thing" and rng.random() < 0.3
    return (_doing if moves else _being)(rng, subject, negated)
