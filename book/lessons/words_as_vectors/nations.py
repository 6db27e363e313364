"""A small world in sentences: countries, capitals and rulers, written by a grammar.

What a sentence of this corpus says is true, and that is not what word2vec learns from it.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from transformer_lite.checks import check_choice, check_size

__all__ = ["small_world"]


class Nation(NamedTuple):
    """A country, its capital, its language and a dish."""

    country: str
    capital: str
    language: str
    dish: str


NATIONS = (
    Nation("france", "paris", "french", "crepes"),
    Nation("italy", "rome", "italian", "pasta"),
    Nation("spain", "madrid", "spanish", "paella"),
    Nation("germany", "berlin", "german", "pretzels"),
    Nation("poland", "warsaw", "polish", "pierogi"),
    Nation("greece", "athens", "greek", "moussaka"),
    Nation("sweden", "stockholm", "swedish", "herring"),
    Nation("hungary", "budapest", "hungarian", "goulash"),
)

#: Sentences by kind. `company` puts a place next to words of its nation, `roles` say what a city
#: and what a country has, `facts` state which city is the capital, and `people` are about rulers.
SENTENCES = {
    "company": (
        "most people speak {language} in {place}",
        "we ate {dish} in {place}",
        "in {place} {language} songs are old",
        "they sell {dish} near {place}",
    ),
    "roles": (
        "the streets of {capital} are full",
        "the mayor of {capital} spoke today",
        "the borders of {country} are long",
        "the army of {country} marched today",
    ),
    "facts": ("{capital} is the capital of {country}",),
    "people": (
        "the {age} {ruler} rules well",
        "the {age} {person} works hard",
        "the {ruler} and {their} dog",
        "the {person} and {their} dog",
    ),
}
_PEOPLE = (
    {"ruler": "king", "person": "man", "age": "old", "their": "his"},
    {"ruler": "queen", "person": "woman", "age": "old", "their": "her"},
    {"ruler": "prince", "person": "boy", "age": "young", "their": "his"},
    {"ruler": "princess", "person": "girl", "age": "young", "their": "her"},
)


def small_world(
    size: int = 4000, seed: int = 0, kinds: tuple[str, ...] = tuple(SENTENCES), mixed: bool = False
) -> list[list[str]]:
    """Write sentences about the small world.

    Args:
        size: how many sentences.
        seed: where chance begins; the same seed, the same sentences.
        kinds: which kinds of ``SENTENCES`` to draw from.
        mixed: give every place the company of a nation drawn by chance, so that the words are as
            frequent as before and go together no longer.

    Returns:
        Lists of words.

    Raises:
        TypeError: `size` or `seed` is not an int, or `mixed` is not a bool.
        ValueError: `size` is smaller than 1, `seed` negative, or a kind unknown.

    >>> small_world(size=1, kinds=("facts",))
    [['stockholm', 'is', 'the', 'capital', 'of', 'sweden']]
    """
    check_size("size", size)
    check_size("seed", seed, minimum=0)
    if not isinstance(mixed, bool):
        raise TypeError(f"mixed must be a bool, got {type(mixed).__name__}: {mixed!r:.60}")
    if not kinds:
        raise ValueError("kinds must name at least one kind, got none")
    for kind in kinds:
        check_choice("kinds", kind, SENTENCES)
    chance = random.Random(seed)
    return [_sentence(chance, chance.choice(kinds), mixed).split() for _ in range(size)]


def _sentence(chance: random.Random, kind: str, mixed: bool) -> str:
    nation, other = chance.choice(NATIONS), chance.choice(NATIONS)
    company = other if mixed else nation
    words = {
        "place": chance.choice((nation.capital, nation.country)),
        "capital": nation.capital,
        "country": nation.country,
        "language": company.language,
        "dish": company.dish,
    }
    return chance.choice(SENTENCES[kind]).format(**words, **chance.choice(_PEOPLE))
