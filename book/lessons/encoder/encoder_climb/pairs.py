"""Which places of two sentences are compared: those of one word, and those of the controls."""

from collections import Counter
from typing import NamedTuple

from lessons.kit.figures import shared

SHARED = shared("encoder_climb")


class Pair(NamedTuple):
    """A word that occurs in both sentences: where in each, and how it is called in the menu."""

    places: tuple[int, int]
    word: str
    label: str


def shared_words(first: list[str], second: list[str], known: set[str]) -> list[Pair]:
    """Return the known words that occur in both sentences, each pair of places once.

    >>> [pair.label for pair in shared_words(["le", "chat"], ["oui", "le", "le"], {"le", "chat"})]
    ['le (positions 1 and 2)', 'le (positions 1 and 3)']
    """
    places = [(i, j) for i, a in enumerate(first) for j, b in enumerate(second) if a == b]
    found = [(first[i], (i, j)) for i, j in places if first[i] in known]
    count = Counter(word for word, _ in found)
    return [Pair((i, j), word, _label(word, i, j, count[word])) for word, (i, j) in found]


def _label(word: str, i: int, j: int, count: int) -> str:
    names = {"word": word, "first": i + 1, "second": j + 1}
    return word if count == 1 else str(SHARED["place"].format(**names))


def chosen_pair(pairs: list[Pair], wanted: str) -> Pair | None:
    """Return the wanted pair: by its label, else by its word, else the one to begin with.

    That is the first ambiguous word or, without one, the first of the longest words.
    """
    word = wanted.split(" ")[0]
    by_length = max(pairs, key=lambda pair: len(pair.word), default=None)
    ways = (
        [pair for pair in pairs if pair.label == wanted],
        [pair for pair in pairs if pair.word == word],
        [pair for pair in pairs if pair.word in SHARED["ambiguous"]],
    )
    return next((found[0] for found in ways if found), by_length)


def other_words(pairs: list[Pair], chosen: Pair) -> list[Pair]:
    """Return the other shared words: the first of a word with its first, and so on.

    >>> pairs = shared_words(["le", "le", "chat"], ["chat", "le", "le"], {"le", "chat"})
    >>> [pair.places for pair in other_words(pairs, pairs[-1])]
    [(0, 1), (1, 2)]
    """
    first, second, found = set[int](), set[int](), []
    for pair in pairs:
        i, j = pair.places
        if pair.word != chosen.word and i not in first and j not in second:
            found.append(pair)
            first.add(i)
            second.add(j)
    return found


def same_places(first: list[str], second: list[str]) -> list[tuple[int, int]]:
    """Return the places of two different words.

    >>> same_places(["le", "chat", "dort"], ["le", "chien"])
    [(1, 1)]
    """
    return [(i, i) for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b]
