"""Find similar answers for a teacher to look at. Similarity is never a verdict.

Answers are compared as sequences of Python tokens. Layout and comments do not count, and names that
the author chose are numbered in order of appearance. Answers that are then equal form one group,
however many they are. For the others, code that the exercise provided is ignored, and so is code
that many groups wrote. So two short answers that anyone would write are not similar, but two long
ones that differ by a line are.
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

#: The number of consecutive tokens in a piece.
PIECE = 8
#: Two answers that share fewer of their own pieces than this are never called similar.
MIN_PIECES = 12
#: A piece is rare if at most three groups have it, or this part of a large class.
RARE = 0.1
#: The part of the shorter answer's rare pieces that two answers must share.
MIN_SIMILARITY = 0.8

_SKIPPED = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER),
    *(tokenize.INDENT, tokenize.DEDENT),
}
_KNOWN = {*keyword.kwlist, *dir(builtins), "torch", "nn", "F", "tl", "math", "np"}
Pieces = frozenset[str]


@dataclass(frozen=True)
class Group:
    """Answers to one exercise that are the same or similar.

    Args:
        exercise: the name of the exercise.
        students: the keys of their authors.
        similarity: 1 if they are the same, otherwise at least `MIN_SIMILARITY`.
        own: the number of pieces of the shortest answer that were not provided; chance explains
            few shared pieces, but not many.
        of: the number of answers that were compared.
    """

    exercise: str
    students: tuple[str, ...]
    similarity: float
    own: int
    of: int


def tokens(source: str) -> list[str]:
    """Return the Python tokens of a source, up to the first syntax error.

    Strings that are statements of their own, such as docstrings, are left out.
    """
    found: list[str] = []
    fresh = True  # at the start of a line
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
    """Number the names that an author chose, which excludes names after a dot."""
    numbers: dict[str, str] = {}
    found, before = [], ""
    for word in words:
        chosen = word.isidentifier() and word not in _KNOWN and before != "."
        found.append(numbers.setdefault(word, f"_{len(numbers)}") if chosen else word)
        before = word
    return found


def pieces(source: str) -> Pieces:
    """Return the digests of all runs of `PIECE` tokens of a source."""
    words = tokens(source)  # each run numbers its own names, so code before it does not matter
    runs = (renamed(words[i : i + PIECE]) for i in range(max(1, len(words) - PIECE + 1)))
    return frozenset(
        hashlib.sha256("\0".join(run).encode("utf-8", "replace")).hexdigest()[:16] for run in runs
    )


def find_groups(
    answers: Mapping[str, str], given: Iterable[str] = (), exercise: str = ""
) -> list[Group]:
    """Return every group of similar answers to one exercise, the longest answers first.

    Args:
        answers: the source of each answer, by a key of its author.
        given: sources that everybody was given, such as the starter.
        exercise: the name of the exercise.
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
    return sorted(found, key=lambda group: (-group.own, -group.similarity, group.students))


def _similar(
    own: Mapping[tuple[str, ...], Pieces], few: float
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], float]]:
    """Yield pairs of forms that share most of their rare pieces, with their similarity.

    A piece is rare if at most `few` forms have it.
    """
    spread = Counter(piece for found in own.values() for piece in found)
    rare = {form: frozenset(p for p in found if spread[p] <= few) for form, found in own.items()}
    for first, second in combinations(rare, 2):
        if len(rare[first] & rare[second]) >= MIN_PIECES:
            part = _overlap_coefficient(rare[first], rare[second])
            if part >= MIN_SIMILARITY:
                yield first, second, min(part, 0.99)  # below 1, because the longer one has more


def _overlap_coefficient(first: Pieces, second: Pieces) -> float:
    """Return the shared part of the shorter answer, because a copy may contain more."""
    return len(first & second) / min(len(first), len(second))
