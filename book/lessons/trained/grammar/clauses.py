"""Clauses: a subject, a verb in a tense, what follows; written in both languages."""

from __future__ import annotations

import re
from typing import NamedTuple

from lessons.trained.grammar.lexicon import ALLER, AVOIR, ETRE, Verb
from lessons.trained.grammar.morphology import English, conjugated
from lessons.trained.grammar.phrases import Pairs, Phrase

TENSES = ("present", "past", "future", "near future", "imparfait")
_AM = ("am", "are", "is", "are", "are", "are")
_WAS = ("was", "were", "was", "were", "were", "were")
#: What stands with *ne*, and the English adverb.
NEGATIONS = {"pas": "not", "jamais": "never", "plus": "no longer", "que": "only"}
#: Verbs that go before another: French forms, English words before the base.
MODALS = {
    "want": (conjugated("vouloir"), "want to", "wants to"),
    "like": (conjugated("aimer"), "like to", "likes to"),
    "can": (conjugated("pouvoir"), "can", "can"),
    "must": (conjugated("devoir"), "must", "must"),
}
_STATES = frozenset({"être", "avoir", "aimer", "voir"})


class Clause(NamedTuple):
    """What is said, before it is French or English.

    Attributes:
        subject: who or what.
        verb: the verb, in one meaning.
        tense: one of :data:`TENSES` or :data:`MODALS`.
        french: what follows the verb.
        english: what follows the English verb.
        negation: a word of :data:`NEGATIONS`, or "".
        before: the object as a pronoun, French and English: je *le* vois.
        agreement: the form of the participle.
        adverb: a word between the verb and what follows, and the English word before the verb.
        english_verb: the English verb, where it is another: *j'ai faim*, I am hungry.
        english_person: the person of the English verb, where it is another: *il y a*, there are.
        pairs: which noun is with which word.
        marks: what is hard about it.
        nothing: whether *rien* or *personne* follows, which wants *ne*.
    """

    subject: Phrase
    verb: Verb
    tense: str = "present"
    french: str = ""
    english: str = ""
    negation: str = ""
    before: tuple[str, str] = ("", "")
    agreement: int = 0
    adverb: tuple[str, str] = ("", "")
    english_verb: English | None = None
    english_person: int | None = None
    pairs: Pairs = ()
    marks: tuple[str, ...] = ()
    nothing: bool = False

    def then(self, french: str, english: str, marks: tuple[str, ...] = ()) -> Clause:
        """Put words at the end."""
        return self._replace(
            french=f"{self.french} {french}".strip(), english=f"{self.english} {english}".strip(),
            marks=self.marks + marks,
        )  # fmt: skip


def verb_in_french(clause: Clause) -> tuple[str, str]:
    """Return the finite verb and what belongs to it behind *pas*: *a*, *mangé*."""
    person, forms = clause.subject.person, clause.verb.french
    if clause.tense == "present":
        return forms.present[person], ""
    if clause.tense == "past":
        helper = ETRE if clause.verb.takes_etre else AVOIR
        return helper.french.present[person], forms.participle[clause.agreement]
    if clause.tense == "future":
        return forms.future[person], ""
    if clause.tense == "imparfait":
        return forms.imparfait[person], ""
    helper_forms = ALLER.french if clause.tense == "near future" else MODALS[clause.tense][0]
    return helper_forms.present[person], forms.infinitive


def in_french(clause: Clause, inverted: str = "") -> str:
    """Write the clause in French, not yet elided: *je ne le ai pas vu*.

    `inverted` is a pronoun behind the verb, *dort-il*; then the subject is left out.
    """
    finite, rest = verb_in_french(clause)
    if inverted:
        joint = "-t-" if inverted in ("il", "elle", "on") and finite[-1] not in "td" else "-"
        finite += joint + inverted
    pronoun, _ = clause.before
    late = clause.tense in MODALS or clause.tense == "near future"
    words = (
        "" if inverted else clause.subject.french,
        "ne" if clause.negation or clause.nothing else "",
        "" if late else pronoun,
        finite,
        clause.negation if clause.negation != "que" else "",
        clause.adverb[0],
        pronoun if late else "",
        rest,
        "que" if clause.negation == "que" else "",
        clause.french,
    )
    return " ".join(filter(None, words))


def _english_words(clause: Clause) -> tuple[str, list[str]]:
    """Return the first English word, which may stand before the subject, and the rest."""
    verb = clause.english_verb or clause.verb.english
    person = 3 if clause.subject.french == "on" else clause.subject.person
    person = person if clause.english_person is None else clause.english_person
    adverb = NEGATIONS.get(clause.negation, "") or clause.adverb[1]
    tense = clause.tense
    if tense == "future":
        return "will", [adverb, verb.base]
    if tense in ("can", "must"):
        return tense, [adverb, verb.base]
    if tense == "near future":
        return _AM[person], [adverb, "going to", verb.base]
    is_state = clause.verb.lemma in _STATES or clause.negation == "jamais"  # never went
    if tense == "imparfait" and not is_state:
        return _WAS[person], [adverb, verb.ing]
    if verb.base == "be":
        return (_AM if tense == "present" else _WAS)[person], [adverb]
    do = "did" if tense in ("past", "imparfait") else "does" if person == 2 else "do"
    base = f"{tense} to {verb.base}" if tense in ("want", "like") else verb.base
    return do, [adverb, base]


def in_english(clause: Clause) -> str:
    """Write the clause as an English statement: *i did not see it*."""
    first, rest = _english_words(clause)
    if first in ("do", "does", "did") and "not" not in rest[0].split():
        verb = clause.english_verb or clause.verb.english
        if clause.tense in ("want", "like"):
            form = f"{MODALS[clause.tense][1 + (first == 'does')]} {verb.base}"
        else:
            form = {"do": verb.base, "does": verb.third, "did": verb.past}[first]
        first, rest = "", [rest[0], form]
    if first == "can" and rest[0] == "not":
        first, rest = "cannot", rest[1:]
    words = (clause.subject.english, first, *_around(rest, clause.before[1]), clause.english)
    return " ".join(filter(None, words))


def _around(rest: list[str], pronoun: str) -> list[str]:
    """Put an object pronoun behind the verb, though *turn it on*, *put them on*."""
    verb, _, particle = rest[-1].rpartition(" ")
    if pronoun and particle in ("on", "off", "up"):
        return [*rest[:-1], verb, pronoun, particle]
    return [*rest, pronoun]


def as_question(clause: Clause, any_: bool = True) -> str:
    """Write the clause as an English question: *did you see it*, *any bread* if `any_`."""
    first, rest = _english_words(clause)
    english = clause.english.replace("some ", "any ") if any_ else clause.english
    words = (first, clause.subject.english, *_around(rest, clause.before[1]), english)
    return " ".join(filter(None, words))


_VOWEL = r"(?=[aeiouyéêâèœh])(?!haricot|onze|huit|oui)"
_ELISION = re.compile(rf"(?:(?<=\b[jlndmts])|(?<=\bqu))[ea] {_VOWEL}")
_JOINED = {"de le ": "du ", "de les ": "des ", "à le ": "au ", "à les ": "aux "}
_JOINT = re.compile(r"\b(?:de|à) les? (?!(?:voir|à)-)")


def elide(french: str) -> str:
    """Drop the vowel of a short word before another vowel, and join *de le* to *du*.

    >>> elide("je ne ai pas de eau"), elide("il regarde le homme"), elide("de le pain")
    ("je n'ai pas d'eau", "il regarde l'homme", 'du pain')
    """
    french = _ELISION.sub("'", french)
    return _JOINT.sub(lambda found: _JOINED[found[0]], french)
