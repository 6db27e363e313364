"""Find the bug: pairs that are counted across the borders of words."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from lessons.tokens.exercises._shared import draw_words

_Words = list[list[str]]
_Pair = tuple[str, str]


def _within(words: _Words) -> Counter[_Pair]:
    return Counter(pair for word in words for pair in pairwise(word))


def _best(counts: Counter[_Pair], order: Callable[[_Pair], Any] = tuple) -> tuple[_Pair, int]:
    """Return the most frequent pair; of equals the first in this order, or alphabetically."""
    pair = min(counts, key=lambda pair: (-counts[pair], order(pair)))
    return pair, counts[pair]


def _reference(words: _Words) -> tuple[_Pair, int]:
    return _best(_within(words))


def _cases() -> tuple[Case, ...]:
    piper = "Peter Piper picked a peck of pickled peppers"
    texts = {
        "Peter Piper, in letters": [list(word) for word in piper.split()],
        "two words of two letters, again and again": [["a", "b"], ["c", "d"]] * 3 + [["a", "b"]],
        "a tie, and the later pair of the alphabet comes first": [["y", "z"], ["a", "b"], ["c"]],
        "a tie of pairs that begin alike": [["b", "d"], ["b", "c"], ["b"]],
        "one long run": [list("aaaaa"), list("bc"), list("bc"), list("bc")],
        "a pair and its mirror image": [list("ab"), list("ba"), list("ba"), list("ab"), list("ba")],
        "capitals": [list("Pe"), list("pe"), list("pi"), list("pi")],
        "words that come back": [list("xy")] * 3 + [list("uv"), list("uvw")],
        "after some merges": [["pe", "p", "per", "s"], ["p", "i", "per"], ["pe", "ck"], ["pe"]],
        "a tie of a short pair and a long one": [["b", "cd"], ["a", "c"]],
        "a tie that the joined texts would reverse": [["ab", "a"], ["a", "bz"]],
        "one pair": [["l"], ["l", "o"]],
    }
    return tuple(Case(name, {"words": words}) for name, words in texts.items())


def _last_of_the_alphabet(words: _Words) -> tuple[_Pair, int]:
    counts = _within(words)
    pair = max(counts, key=lambda pair: (counts[pair], pair))
    return pair, counts[pair]


def _side_by_side(words: _Words) -> tuple[_Pair, int]:
    """Count what a merge could replace: a piece belongs to one pair only."""
    counts: Counter[_Pair] = Counter()
    for word in words:
        for pair in set(pairwise(word)):
            place = 0
            while place < len(word) - 1:
                fits = (word[place], word[place + 1]) == pair
                counts[pair] += fits
                place += 1 + fits
    return _best(counts)


_MISTAKES = mistakes(
    lambda words: _best(Counter(pairwise([piece for word in words for piece in word]))),
    "All pieces are in one list here, so the last piece of a word and the first one of the next "
    "are counted as neighbors. A merge never crosses the border of a word: count inside each word.",
    lambda words: _best(_within([list(word) for word in {tuple(word) for word in words}])),
    "A word that occurs in the text three times counts once here. Its pairs count each time.",
    lambda words: _within(words).most_common(1)[0],
    "Of equally frequent pairs the one that was found first wins, so another order of the text can "
    "make other merges. Choose the one that sorts first.",
    _last_of_the_alphabet,
    "Of equally frequent pairs the one that sorts last wins here. Choose the one that sorts first.",
    _side_by_side,
    "In aaaaa this counts two pairs, because no more can merge. Count the neighbors instead: "
    "there are four.",
    lambda words: _best(_within(words), lambda pair: (-len("".join(pair)), pair)),
    "Of equally frequent pairs the longest wins here. Choose the one that sorts first, at any "
    "length.",
    lambda words: _best(_within(words), "".join),
    "Of equally frequent pairs the one whose joined text sorts first wins here. Compare the pairs "
    "by their first pieces, and then by their second ones: a, bz before ab, a.",
)


def _by_loops(words: _Words) -> tuple[_Pair, int]:
    counts: dict[_Pair, int] = {}
    for word in words:
        for place in range(len(word) - 1):
            pair = word[place], word[place + 1]
            counts[pair] = counts.get(pair, 0) + 1
    most = max(counts.values())
    return min(pair for pair, count in counts.items() if count == most), most


def _by_sorting(words: _Words) -> tuple[_Pair, int]:
    counts = _within(words)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[0]


def _draw(draw: Draw) -> Inputs:
    pairs = [[draw.choice("a", "b"), draw.choice("a", "c")]]  # there is a pair in any case
    words = draw_words(draw, ("a", "b", "c", "ab", "A")) + pairs
    tie = [["ab", "a"], ["a", "c"]] * 2  # the order of pairs is not that of their joined texts
    return (draw.choice(words, words, words, words, tie),)


next_merge = Exercise(
    name="tokens.next_merge",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_loops, _by_sorting),
    draw=_draw,
    hint_texts=(
        "Take the words [a, b] and [c, d]. Which pairs may merge, and which ones does the function "
        "count?",
        "The function forgets where a word ends. Go through the words, and count the neighbors of "
        "one word at a time.",
        "counts = Counter(), and then for each word: counts.update(zip(word, word[1:])).",
    ),
    starter='''\
from collections import Counter


def next_merge(words):
    """The pair to merge next and its count: a list of pieces for each word."""
    pieces = [piece for word in words for piece in word]
    counts = Counter(zip(pieces, pieces[1:]))
    most = max(counts.values())
    return min(pair for pair in counts if counts[pair] == most), most
''',
)
