"""Answers that are alike: what a teacher may want to look at, never a verdict.

Two answers are compared as Python reads them: layout and comments do not count, and names that the
author has chosen are numbered in the order in which they come. What the exercise gave its readers
is left out, and so is what many have written. So two short answers that anyone would write are not
alike, and a long one with other names in it still is.
"""

import builtins
import hashlib
import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

#: So many tokens in a row are one piece.
PIECE = 8
#: Two answers that share fewer pieces of their own than this are never called alike.
FEWEST = 12
#: A piece is rare if three have it, or this part of a large class.
RARE = 0.05
#: How much of the rare pieces of the shorter one two answers must share.
ALIKE = 0.8

_SKIPPED = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER),
    *(tokenize.INDENT, tokenize.DEDENT),
}
_KNOWN = {*keyword.kwlist, *dir(builtins), "torch", "nn", "F", "tl", "math", "np"}
Pieces = frozenset[str]


@dataclass(frozen=True)
class Pair:
    """Two answers to one exercise that are alike.

    Args:
        exercise: its name.
        students: the keys of the two, as they were given.
        likeness: from `ALIKE` to 1.
    """

    exercise: str
    students: tuple[str, str]
    likeness: float


def tokens(source: str) -> list[str]:
    """Return what Python reads in a source, up to the place where it can read no further.

    Strings that stand alone, such as docstrings, are left out.
    """
    found: list[str] = []
    fresh = True  # at the beginning of a line
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            alone = fresh and token.type == tokenize.STRING
            if token.type not in _SKIPPED and not alone:
                found.append(token.string)
            fresh = token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def renamed(words: Iterable[str]) -> list[str]:
    """Number the names that an author has chosen; what follows a dot is somebody else's."""
    numbers: dict[str, str] = {}
    found, before = [], ""
    for word in words:
        chosen = word.isidentifier() and word not in _KNOWN and before != "."
        found.append(numbers.setdefault(word, f"_{len(numbers)}") if chosen else word)
        before = word
    return found


def pieces(source: str) -> Pieces:
    """Return the digests of all runs of `PIECE` tokens of a source."""
    words = tokens(source)  # names are numbered in each run anew: what stands before shifts none
    runs = (renamed(words[i : i + PIECE]) for i in range(max(1, len(words) - PIECE + 1)))
    return frozenset(
        hashlib.sha256("\0".join(run).encode("utf-8", "replace")).hexdigest()[:16] for run in runs
    )


def alike(answers: Mapping[str, str], given: Iterable[str] = (), exercise: str = "") -> list[Pair]:
    """Return the pairs of answers to one exercise that are alike, the likest first.

    Args:
        answers: the source of each answer, by a key of its author.
        given: sources that everybody was given, such as the starter.
        exercise: its name.
    """
    common = frozenset[str]().union(*map(pieces, given))
    own = {author: pieces(source) - common for author, source in answers.items()}
    spread = Counter(piece for found in own.values() for piece in found)
    few = max(3, len(answers) * RARE)
    rare = {
        author: frozenset(piece for piece in found if spread[piece] <= few)
        for author, found in own.items()
    }
    pairs = (
        Pair(exercise, (one, other), _likeness(rare[one], rare[other]))
        for one, other in combinations(sorted(rare), 2)
        if len(rare[one] & rare[other]) >= FEWEST
    )
    found = [pair for pair in pairs if pair.likeness >= ALIKE]
    return sorted(found, key=lambda pair: (-pair.likeness, pair.students))


def _likeness(one: Pieces, other: Pieces) -> float:
    """Return what two answers share, as a part of the shorter: a copy may hold more."""
    return len(one & other) / min(len(one), len(other))


def copied(answer: str, published: Sequence[str], given: Iterable[str] = ()) -> bool:
    """Say whether an answer is, token for token, one that is published.

    The name of the function does not count, all other names do. Of what everybody was given, and
    of answers as short as anyone would write them, nothing is said.
    """
    common = frozenset[str]().union(*map(pieces, given))
    if len(pieces(answer) - common) < FEWEST:
        return False
    ours = _unnamed(tokens(answer))
    return any(_contains(ours, _unnamed(tokens(text))) for text in published)


def _unnamed(words: list[str]) -> list[str]:
    """Leave out the names of functions, and what a cell does behind them."""
    return [word for before, word in zip(["", *words], words, strict=False) if before != "def"]


def _contains(words: list[str], part: list[str]) -> bool:
    size = len(part)
    return bool(part) and any(
        words[start : start + size] == part for start in range(len(words) - size + 1)
    )
