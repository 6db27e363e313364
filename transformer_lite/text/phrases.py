"""Noun phrases and subjects, drawn in both languages at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from transformer_lite.text.lexicon import (
    NAMES,
    NOT_OWNED,
    NOUNS,
    NUMBERS,
    PLACES,
    PREPOSITIONS,
    PRONOUNS,
    Adjective,
    Noun,
    adjectives_beside,
)

VOWELS = frozenset("aeiouyéêâh")  # each h of the lexicon is silent: l'homme
Item = TypeVar("Item")


class Phrase(NamedTuple):
    """Something that can be a subject or an object.

    Attributes:
        french: its words; elision comes later, when the sentence is whole.
        english: its words.
        person: 0 to 5 for je, tu, il, nous, vous, ils: the form of the French verb.
        feminine: whether adjectives and participles take their feminine form.
        plural: whether they take their plural.
        kind: person, animal, thing, food, mass or drink.
        lemmas: its nouns or names; none for a pronoun.
        combinations: which noun stands beside which adjective.
        phenomena: what is hard about it.
    """

    french: str
    english: str
    person: int
    feminine: bool
    plural: bool
    kind: str
    lemmas: tuple[str, ...] = ()
    combinations: tuple[tuple[str, str], ...] = ()
    phenomena: tuple[str, ...] = ()


def pick(rng: random.Random, items: Sequence[Item]) -> Item:
    """Draw one item, as `rng.choice` does, in a third of its time."""
    return items[int(rng.random() * len(items))]


def _fitting(noun: Noun, before: bool) -> tuple[Adjective, ...]:
    return tuple(a for a in adjectives_beside(noun) if a.is_before == before)


_BEFORE = {noun.singular: _fitting(noun, True) for noun in NOUNS.values()}
_AFTER = {noun.singular: _fitting(noun, False) for noun in NOUNS.values()}
_NUMBERS = tuple(NUMBERS.items())
_NAMES = tuple(NAMES)
_PLACES = tuple((NOUNS[name], words) for name, words in PLACES.items())
_OWNERS = (("mon", "ma", "mes", "my"), ("notre", "notre", "nos", "our"),
           ("votre", "votre", "vos", "your"))  # fmt: skip


def of_kinds(*kinds: str) -> tuple[Noun, ...]:
    """Return the nouns of these kinds."""
    return tuple(noun for noun in NOUNS.values() if noun.kind in kinds)


def noun_phrase(rng: random.Random, noun: Noun, determiner: str, plural: bool) -> Phrase:
    """Draw a noun with its determiner and with up to two adjectives.

    Args:
        rng: where the choices come from.
        noun: the noun.
        determiner: ``definite``, ``indefinite``, ``owner``, ``number``, or ``denied`` for an
            indefinite one behind *ne … pas*: *pas de chat*, not a cat.
        plural: whether there are several; a mass noun has no plural.
    """
    draw = rng.random()
    before = pick(rng, _BEFORE[noun.singular]) if draw < 0.28 else None
    after = _AFTER[noun.singular] if 0.21 < draw < 0.48 else ()
    return spell(rng, noun, determiner, plural, before, pick(rng, after) if after else None)


def spell(
    rng: random.Random,
    noun: Noun,
    determiner: str,
    plural: bool,
    before: Adjective | None = None,
    after: Adjective | None = None,
) -> Phrase:
    """Write a noun with these adjectives in both languages; see :func:`noun_phrase`."""
    phenomena = ["plural"] if plural else []
    combinations = []
    form = noun.feminine + 2 * plural
    french = noun.plural if plural else noun.singular
    english = noun.english_plural if plural else noun.english
    if after:
        french = f"{french} {after.forms[form]}"
        english = f"{after.english} {english}"
        combinations.append((noun.singular, after.lemma))
        phenomena.append("adjective after")
    if before:
        word = before.before_vowel if form == 0 and french[0] in VOWELS else before.forms[form]
        french = f"{word} {french}"
        english = f"{before.english} {english}"
        combinations.append((noun.singular, before.lemma))
        phenomena.append("adjective before")
    de, words = _determine(rng, noun, determiner, plural, french, english, before is not None)
    if determiner in ("owner", "number"):
        phenomena.append("possessive" if determiner == "owner" else "number")
    elif noun.is_mass and determiner == "indefinite":
        phenomena.append("partitive")
    if noun.feminine:
        phenomena.append("feminine")
    return Phrase(
        f"{de} {french}", f"{words} {english}", 5 if plural else 2, noun.feminine, plural,
        noun.kind, (noun.singular,), tuple(combinations), tuple(phenomena),
    )  # fmt: skip


def _determine(
    rng: random.Random,
    noun: Noun,
    determiner: str,
    plural: bool,
    french: str,
    english: str,
    adjective_first: bool,
) -> tuple[str, str]:
    """Return the determiner in both languages; the words that follow decide its form."""
    if determiner == "definite":
        return ("les" if plural else "la" if noun.feminine else "le"), "the"
    if determiner == "owner":
        masculine, feminine, several, owner = pick(rng, _OWNERS)
        if plural:
            return several, owner
        vowel = french[0] in VOWELS  # mon amie, but ma petite amie
        return (feminine if noun.feminine and not vowel else masculine), owner
    if determiner == "number":
        return pick(rng, _NUMBERS)
    if determiner == "denied":
        return "de", "any" if plural or noun.is_mass else _article(english)
    if noun.is_mass:
        return ("de la" if noun.feminine else "de le"), "some"
    if plural:
        return ("de" if adjective_first else "des"), "some"
    return ("une" if noun.feminine else "un"), _article(english)


def _article(english: str) -> str:
    return "an" if english[0] in "aeiou" else "a"


_DETERMINERS = ("definite",) * 9 + ("indefinite",) * 5 + ("owner",) * 4 + ("number",) * 2


def any_phrase(rng: random.Random, noun: Noun) -> Phrase:
    """Draw a noun phrase of any determiner and number."""
    determiner = pick(rng, _DETERMINERS)
    if noun.is_mass:
        determiner = "indefinite" if determiner in ("indefinite", "number") else "definite"
        return noun_phrase(rng, noun, determiner, plural=False)
    if determiner == "owner" and noun.singular in NOT_OWNED:
        determiner = "definite"
    plural = determiner == "number" or rng.random() < 0.4
    return noun_phrase(rng, noun, determiner, plural)


def name(rng: random.Random) -> Phrase:
    """Draw a first name."""
    who = pick(rng, _NAMES)
    return Phrase(who, who, 2, NAMES[who], False, "person", (who,))


def two_names(rng: random.Random) -> Phrase:
    """Draw two people: *paul et marie*, a masculine plural unless both are women."""
    first, second = rng.sample(_NAMES, 2)
    feminine = NAMES[first] and NAMES[second]
    words = f"{first} et {second}", f"{first} and {second}"
    return Phrase(*words, 5, feminine, True, "person", (first, second))


_PRONOUNS = tuple(PRONOUNS)


def pronoun(rng: random.Random, words: Sequence[str] = _PRONOUNS) -> Phrase:
    """Draw a subject pronoun. je, tu, nous, vous may be men or women: their agreement is drawn."""
    french = pick(rng, words)
    person, english, feminine = PRONOUNS[french]
    several = person in (3, 5) or (person == 4 and rng.random() < 0.5)
    is_woman = rng.random() < 0.5 if feminine is None else feminine
    return Phrase(french, english, person, is_woman, several, "person")


def place(rng: random.Random) -> Phrase:
    """Draw where something happens: *sous la table*, *dans notre petite maison*."""
    noun, words = pick(rng, _PLACES)
    where = noun_phrase(rng, noun, "owner" if rng.random() < 0.15 else "definite", plural=False)
    preposition = pick(rng, words)
    return where._replace(
        french=f"{preposition} {where.french}",
        english=f"{PREPOSITIONS[preposition]} {where.english}",
        phenomena=(*where.phenomena, "place"),
    )
