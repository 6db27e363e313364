"""The words of the corpus by grammar, read from tables, and which of them decide which meaning.

A word that stands twice in a table has two meanings. What can be said of one meaning and not of
the other *decides*: one eats avocados, not lawyers. That follows from the kinds in the tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lessons.trained.grammar.morphology import (
    BEFORE_VOWEL,
    English,
    French,
    adjective,
    conjugated,
    degrees,
    english_plural,
    english_verb,
    words,
)

_FOLDER = Path(__file__).parent


class Noun(NamedTuple):
    """One meaning of a noun: its forms in both languages, its gender, its kinds."""

    lemma: str
    plural: str
    feminine: bool
    english: str
    english_plural: str
    kinds: frozenset[str]

    @property
    def counted(self) -> bool:
        """Whether there can be two of it."""
        return bool(self.plural)

    @property
    def is_person(self) -> bool:
        """Whether it is he or she, not it."""
        return "person" in self.kinds


class Adjective(NamedTuple):
    """One meaning of an adjective; `forms` are masculine, feminine and both plurals.

    Its place is before its noun or after it; only before it (``noun``), or with *mon* (``own``).
    """

    lemma: str
    forms: tuple[str, str, str, str]
    before_vowel: str
    english: str
    more: str
    most: str
    kinds: frozenset[str]
    place: str

    @property
    def is_before(self) -> bool:
        """Whether it stands before its noun."""
        return self.place != "after"

    @property
    def is_predicate(self) -> bool:
        """Whether it follows *être*: un *ancien* roi does not, nor does sa *propre* clé."""
        return self.place in ("before", "after")


class Verb(NamedTuple):
    """One meaning of a verb: its forms, who does it, and to what, none for nothing."""

    lemma: str
    french: French
    english: English
    preposition: str
    takes_etre: bool
    subjects: frozenset[str]
    objects: frozenset[str]
    has_all_forms: bool


class Role(NamedTuple):
    """What a noun can be in a clause: ``subject``, ``object`` or ``is``, and of which word."""

    place: str
    word: Verb | Adjective


def _lines(name: str) -> Iterator[str]:
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def _nouns() -> Iterator[Noun]:
    kinds = frozenset[str]()
    for line in _lines("nouns.txt"):
        if line.startswith("["):
            kinds = frozenset(line.strip("[]").split())
            continue
        lemma, gender, english, *listed = line.split()
        forms = dict(form.split("=") for form in listed if "=" in form)
        own = kinds.union(word for word in listed if "=" not in word)
        english = english.replace("+", " ")
        plural = forms.get("fr", lemma + ("x" if lemma.endswith(("eau", "ou-")) else "s"))
        if "mass" in kinds or plural == "-":
            plural = ""
        several = forms.get("en") or english_plural(english)
        yield Noun(lemma, plural, gender == "f", english, several, own)


def _adjectives() -> Iterator[Adjective]:
    for line in _lines("adjectives.txt"):
        words, kinds, place = (part.strip() for part in line.split("|"))
        lemma, english = words.split()
        english = english.replace("+", " ")
        forms, vowel = adjective(lemma), BEFORE_VOWEL.get(lemma, lemma)
        fitting = frozenset(kinds.split())
        yield Adjective(lemma, forms, vowel, english, *degrees(english), fitting, place)


_WITH_ETRE = ("arriver", "partir", "tomber", "entrer", "venir", "aller")


def _verbs() -> Iterator[Verb]:
    for line in _lines("verbs.txt"):
        words, subjects, objects = (part.strip() for part in line.split("|"))
        french, base, past = words.split()
        french, _, preposition = french.partition("/")
        lemma = french.removesuffix("*")
        takes_etre = lemma in _WITH_ETRE or preposition == "se"
        kinds = frozenset(subjects.split()), frozenset(objects.split()) - {"-"}
        english = english_verb(base, past)
        has_all = french.endswith("*")
        yield Verb(lemma, conjugated(lemma), english, preposition, takes_etre, *kinds, has_all)


def _function_verb(lemma: str, base: str, past: str) -> Verb:
    nothing = frozenset[str]()
    verb = english_verb(base, past)
    return Verb(lemma, conjugated(lemma), verb, "", lemma in _WITH_ETRE, nothing, nothing, True)


NOUNS = tuple(_nouns())
ADJECTIVES = tuple(_adjectives())
VERBS = tuple(_verbs())
ETRE, AVOIR = _function_verb("être", "be", "was"), _function_verb("avoir", "have", "had")
ALLER = _function_verb("aller", "go", "went")
LIKE = _function_verb("aimer", "like", "liked")._replace(subjects=frozenset({"person"}))

#: First names: whether they are a woman's.
NAMES = {"paul": False, "lucas": False, "louis": False, "marie": True, "anne": True, "emma": True}


def _by_lemma(words: Sequence[Any]) -> dict[str, tuple[Any, ...]]:
    found = defaultdict(list)
    for word in words:
        found[word.lemma].append(word)
    return {lemma: tuple(senses) for lemma, senses in found.items()}


#: All meanings of a word, by its French lemma.
SENSES: dict[str, tuple[Noun, ...]] = _by_lemma(NOUNS)
_VERB_SENSES, _ADJECTIVE_SENSES = _by_lemma(VERBS), _by_lemma(ADJECTIVES)

#: The nouns with two meanings, each with its meanings.
AMBIGUOUS_NOUNS = {lemma: senses for lemma, senses in SENSES.items() if len(senses) > 1}
AMBIGUOUS_VERBS = {
    lemma: senses
    for lemma, senses in _VERB_SENSES.items()
    if len(senses) > 1 and not any(verb.preposition for verb in senses)
}
AMBIGUOUS_ADJECTIVES = {
    lemma: senses for lemma, senses in _ADJECTIVE_SENSES.items() if len(senses) > 1
}


def other(noun: Noun) -> Noun:
    """Return the other meaning of an ambiguous noun."""
    first, second = SENSES[noun.lemma]
    return second if noun is first else first


def _roles(noun: Noun) -> Iterator[Role]:
    for verb in VERBS:
        if verb.subjects & noun.kinds:
            yield Role("subject", verb)
        if verb.objects & noun.kinds:
            yield Role("object", verb)
    for word in ADJECTIVES:
        of_size = "mass" in noun.kinds and word.lemma in OF_SIZE
        if word.kinds & noun.kinds and word.is_predicate and not of_size:
            yield Role("is", word)


#: What is not said of bread or water.
OF_SIZE = frozenset({"grand", "petit", "gros"})
#: What readers may take for a word on somebody or on food: it decides nothing there.
_OF_NOBODY = frozenset(
    words(
        "noir blanc rouge vert bleu jaune gris joli beau froid solide rond brûler arriver partir "
        "énorme aimer"
    )
)


def _doubtful() -> dict[str, frozenset[str]]:
    """Return what may be said of either meaning of a noun, whatever the tables say."""
    found = defaultdict(set)
    for line in _lines("doubtful.txt"):
        nouns, said = line.split("|")
        for noun in nouns.split():
            found[noun].update(said.split())
    return {noun: frozenset(said) for noun, said in found.items()}


_DOUBTFUL = _doubtful()


def _is_doubtful(noun: Noun, role: Role) -> bool:
    lemma, preposition = role.word.lemma, getattr(role.word, "preposition", "")
    said = f"{lemma}/{preposition}" if preposition else lemma
    of_nobody = any(sense.is_person for sense in SENSES[noun.lemma]) and lemma in _OF_NOBODY
    return of_nobody or said in _DOUBTFUL.get(noun.lemma, ())


def _key(role: Role) -> tuple[str, str, bool]:
    """Return what a reader sees of a role: the place, the French word, and if it has an object."""
    transitive = isinstance(role.word, Verb) and bool(role.word.objects)
    return role.place, role.word.lemma, transitive


@cache
def roles(noun: Noun, decides: bool | None = None) -> tuple[Role, ...]:
    """Return what a noun does, undergoes and is.

    Args:
        noun: one meaning of a noun.
        decides: True for what only this meaning does, False for what the other does as well,
            None for both.
    """
    own = tuple(_roles(noun))
    if len(SENSES[noun.lemma]) > 1:
        own = tuple(role for role in own if not _is_doubtful(noun, role))
    if decides is None:
        return own
    if len(SENSES[noun.lemma]) == 1:
        return own if decides else ()
    theirs = {_key(role) for role in _roles(other(noun))}
    return tuple(role for role in own if (_key(role) in theirs) != decides)


@cache
def fillers(kinds: frozenset[str], ambiguous: bool | None = False) -> tuple[Noun, ...]:
    """Return the nouns of some kinds; those with two meanings are left out or alone wanted."""
    return tuple(
        noun
        for noun in NOUNS
        if noun.kinds & kinds
        and (ambiguous is None or (noun.lemma in AMBIGUOUS_NOUNS) == ambiguous)
    )
