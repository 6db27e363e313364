"""Find similar answers, for a teacher to look at. They are never a verdict.

Two answers are compared as Python reads them: layout and comments do not count, and names that the
author has chosen are numbered in the order in which they come. Those that are the same then are
one group, however many they are. Of those that differ, what the exercise gave its readers is left
out, and so is what many groups have written: so two short answers that anyone would write are not
alike, and a long one with a line more in it still is.
"""

import builtins
import hashlib
import io
import keyword
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

#: So many tokens in a row are one piece.
PIECE = 8
#: Two answers that share fewer pieces of their own than this are never called alike.
FEWEST = 12
#: A piece is rare if three groups have it, or this part of a large class.
RARE = 0.1
#: How much of the rare pieces of the shorter one two answers must share.
ALIKE = 0.8

_SKIPPED = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER),
    *(tokenize.INDENT, tokenize.DEDENT),
}
_KNOWN = {*keyword.kwlist, *dir(builtins), "torch", "nn", "F", "tl", "math", "np"}
Pieces = frozenset[str]


@dataclass(frozen=True)
class Group:
    """Answers to one exercise that are the same, or alike.

    Args:
        exercise: its name.
        students: the keys of all who wrote them, as they were given.
        likeness: 1 where they are the same, else from `ALIKE` on.
        own: how many pieces the shortest holds that nobody was given: chance writes few, not many.
        of: how many answers were compared.
    """

    exercise: str
    students: tuple[str, ...]
    likeness: float
    own: int
    of: int


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


def find_groups(
    answers: Mapping[str, str], given: Iterable[str] = (), exercise: str = ""
) -> list[Group]:
    """Return every group of answers to one exercise that are alike, the longest answers first.

    Args:
        answers: the source of each answer, by a key of its author.
        given: sources that everybody was given, such as the starter.
        exercise: its name.
    """
    common = frozenset[str]().union(*map(pieces, given))
    authors, own = defaultdict[tuple[str, ...], list[str]](list), dict[tuple[str, ...], Pieces]()
    for author in sorted(answers):
        form = tuple(renamed(tokens(answers[author])))
        own.setdefault(form, pieces(answers[author]) - common if form else frozenset())
        authors[form] += [author] if own[form] else []
    same = [
        Group(exercise, tuple(some), 1.0, len(own[form]), len(answers))
        for form, some in authors.items()
        if len(some) > 1
    ]
    found = same + [
        Group(
            exercise, (*authors[a], *authors[b]), part, min(len(own[a]), len(own[b])), len(answers)
        )
        for a, b, part in _similar(own, max(3, len(answers) * RARE))
    ]
    return sorted(found, key=lambda group: (-group.own, -group.likeness, group.students))


def _similar(
    own: Mapping[tuple[str, ...], Pieces], few: float
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], float]]:
    """Yield two forms that share most of their pieces which at most `few` forms have."""
    spread = Counter(piece for found in own.values() for piece in found)
    rare = {form: frozenset(p for p in found if spread[p] <= few) for form, found in own.items()}
    for one, other in combinations(rare, 2):
        if len(rare[one] & rare[other]) >= FEWEST:
            part = _likeness(rare[one], rare[other])
            if part >= ALIKE:
                yield one, other, min(part, 0.99)  # all of the shorter, and something more


def _likeness(one: Pieces, other: Pieces) -> float:
    """Return what two answers share, as a part of the shorter: a copy may hold more."""
    return len(one & other) / min(len(one), len(other))
