"""Clauses: a subject, a verb in a tense, what follows; written in both languages."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from transformer_lite.text.lexicon import AVOIR, BE, ETRE, English, Verb
from transformer_lite.text.phrases import Phrase

TENSES = ("present", "past", "future")
#: When: the tense, the French words, the English words.
TIMES = {
    "present": (("aujourd'hui", "today"), ("maintenant", "now")),
    "past": (("hier", "yesterday"),),
    "future": (("demain", "tomorrow"),),
}

_AM = ("am", "are", "is", "are", "are", "are")
_WAS = ("was", "were", "was", "were", "were", "were")
_PARTITIVE = re.compile(r"\bde le ")
_ELISION = re.compile(r"(?:(?<=\b[jlndmts])|(?<=\bqu))[ea] (?=[aeiouyéêâh])")


class Clause(NamedTuple):
    """What is said, before it is French or English.

    Attributes:
        subject: who or what.
        verb: the French verb; its English one unless `english` is another.
        tense: one of :data:`TENSES`.
        french: what follows the verb.
        english: what follows the English verb.
        negated: whether it is denied.
        french_object: a pronoun before the verb: je *le* vois.
        english_object: the same after the English verb: I see *it*.
        agreement: the form of the participle, 0 to 3 as in the lexicon.
        english_verb: the English verb, where it is not that of the lexicon: *j'ai faim*, I am
            hungry.
        english_person: the person of the English verb, where it is another: il y *a*, there *are*.
        often: whether *souvent* stands behind the verb.
        combinations: which noun stands with which adjective or verb.
        phenomena: what is hard about it.
    """

    subject: Phrase
    verb: Verb
    tense: str
    french: str = ""
    english: str = ""
    negated: bool = False
    french_object: str = ""
    english_object: str = ""
    agreement: int = 0
    english_verb: English | None = None
    english_person: int | None = None
    often: bool = False
    combinations: tuple[tuple[str, str], ...] = ()
    phenomena: tuple[str, ...] = ()


def in_french(clause: Clause) -> str:
    """Write the clause in French, before elision: *je ne le ai pas vu*."""
    subject, verb = clause.subject, clause.verb
    words = [subject.french, "ne" if clause.negated else "", clause.french_object]
    compound = clause.tense == "past" and not verb.past
    if compound:
        words.append((ETRE if verb.takes_etre else AVOIR).present[subject.person])
    else:
        words.append(getattr(verb, clause.tense)[subject.person])
    words.append("pas" if clause.negated else "")
    words.append(verb.participle[clause.agreement] if compound else "")
    words.append("souvent" if clause.often else "")
    words.append(clause.french)
    return " ".join(filter(None, words))


def in_english(clause: Clause) -> str:
    """Write the clause as an English statement: *i did not see it*."""
    verb = clause.english_verb or clause.verb.english
    person = clause.subject.person if clause.english_person is None else clause.english_person
    often = "often" if clause.often else ""
    rest = [clause.english_object, clause.english]
    denied = "not" if clause.negated else ""
    if clause.tense == "future":
        words = ["will", denied, often, verb.base]
    elif verb is BE:
        words = [(_AM if clause.tense == "present" else _WAS)[person], denied, often]
    elif clause.negated:
        words = [_do(clause.tense, person), "not", often, verb.base]
    elif clause.tense == "past":
        words = [often, verb.past]
    else:
        words = [often, verb.third if person == 2 else verb.base]
    return " ".join(filter(None, [clause.subject.english, *words, *rest]))


def as_question(clause: Clause) -> str:
    """Write the clause as an English question: *did you see it*."""
    verb = clause.english_verb or clause.verb.english
    person = clause.subject.person if clause.english_person is None else clause.english_person
    subject, often = clause.subject.english, "often" if clause.often else ""
    rest = [clause.english_object, clause.english.replace("some ", "any ")]
    if clause.tense == "future":
        words = ["will", subject, often, verb.base]
    elif verb is BE:
        words = [(_AM if clause.tense == "present" else _WAS)[person], subject, often]
    else:
        words = [_do(clause.tense, person), subject, often, verb.base]
    return " ".join(filter(None, words + rest))


def _do(tense: str, person: int) -> str:
    if tense == "past":
        return "did"
    return "does" if person == 2 else "do"


def elide(french: str) -> str:
    """Drop the vowel of a short word before another vowel, and join *de le* to *du*.

    >>> elide("je ne ai pas de eau"), elide("il regarde le homme"), elide("de le pain")
    ("je n'ai pas d'eau", "il regarde l'homme", 'du pain')
    """
    french = _ELISION.sub("'", french)
    return _PARTITIVE.sub("du ", french) if "de le " in french else french


def when(rng: random.Random, clause: Clause) -> Clause:
    """Say when, at the end."""
    times = TIMES[clause.tense]
    french, english = times[int(rng.random() * len(times))]
    return clause._replace(
        french=f"{clause.french} {french}".strip(),
        english=f"{clause.english} {english}".strip(),
        phenomena=(*clause.phenomena, "adverb"),
    )
