"""Find the bug: neighbors are counted where merges are asked for, and aaaaa has four of them."""

from itertools import pairwise

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from lessons.tokens.exercises._shared import draw_words
from transformer_lite.text.bpe import merged

TEXT = "Peter Piper picked a peck of pickled peppers"
_Words = list[list[str]]
_Pair = tuple[str, str]


def _reference(words: _Words, pair: _Pair) -> int:
    return sum(len(word) - len(merged(word, pair)) for word in words)


def _cases() -> tuple[Case, ...]:
    piper = [list(word) for word in TEXT.split()]
    inputs: dict[str, tuple[_Words, _Pair]] = {
        "Peter Piper, pe": (piper, ("p", "e")),
        "aaaaa, aa": ([list("aaaaa")], ("a", "a")),
        "runs of two, three and four": ([list("aa"), list("aaa"), list("aaaa")], ("a", "a")),
        "a run inside a word": ([list("baaab"), list("aab")], ("a", "a")),
        "twice in a word": ([list("papa"), list("pap")], ("p", "a")),
        "at the border of two words": ([list("ab"), list("ab"), list("ba")], ("b", "a")),
        "the word comes back": ([list("no"), list("no"), list("no")], ("n", "o")),
        "other pieces with the same letters": ([["a", "bc"], ["ab", "c"]], ("a", "bc")),
        "longer pieces": ([["pe", "ck", "ed"], ["pi", "ck", "ed", "ly"]], ("ck", "ed")),
        "nowhere": ([list("abc"), ["d"]], ("c", "b")),
        "two runs in a word": ([list("aabaa"), list("aaabaaa")], ("a", "a")),
        "the letters of the pair in longer pieces": ([["aa", "b"], ["a", "bb"]], ("a", "b")),
        "no words": ([], ("a", "b")),
    }
    return tuple(
        Case(name, {"words": words, "pair": pair}) for name, (words, pair) in inputs.items()
    )


def _neighbors(words: _Words, pair: _Pair) -> int:
    return sum(found == pair for word in words for found in pairwise(word))


def _half_of_the_neighbors(words: _Words, pair: _Pair) -> int:
    if pair[0] != pair[1]:
        return _neighbors(words, pair)
    return sum(_neighbors([word], pair) // 2 for word in words)


def _half_rounded_up(words: _Words, pair: _Pair) -> int:
    if pair[0] != pair[1]:
        return _neighbors(words, pair)
    return sum((_neighbors([word], pair) + 1) // 2 for word in words)


_MISTAKES = mistakes(
    _neighbors,
    "These are the neighbors, and aaaaa has four. A merge uses up both its pieces: aa, aa, a. "
    "So two tokens are saved. After a merge, continue behind its second piece.",
    _half_of_the_neighbors,
    "Half of the neighbors can be too few: aaaa has three, and two merges are made.",
    lambda words, pair: _reference([[piece for word in words for piece in word]], pair),
    "A merge is counted at the border of two words, where none can be made.",
    lambda words, pair: sum(pair in pairwise(word) for word in words),
    "A word in which the pair occurs twice saves two tokens.",
    lambda words, pair: _reference([list(word) for word in {tuple(word) for word in words}], pair),
    "A word that occurs in the text three times counts once here. It saves tokens each time.",
    lambda words, pair: sum("".join(word).count("".join(pair)) for word in words),
    "Letters are compared here. The pair a, bc does not occur in the pieces ab, c, although "
    "both spell abc.",
    lambda words, pair: sum(" ".join(word).count(" ".join(pair)) for word in words),
    "The joined text is searched, and there the pair a, b is found in aa, b too. Compare "
    "whole pieces.",
    _half_rounded_up,
    "Half of the neighbors, rounded up, is right only if a word has one run of the pair. aabaa "
    "has two runs, each with one pair: half of the pairs is one, but two merges are made.",
)


def _by_merging(words: _Words, pair: _Pair) -> int:
    before = sum(map(len, words))
    return before - sum(len(merged(word, pair)) for word in words)


def _by_skipping(words: _Words, pair: _Pair) -> int:
    saved = 0
    for pieces in words:
        free = 0
        for place, found in enumerate(pairwise(pieces)):
            if place >= free and found == pair:
                saved, free = saved + 1, place + 2
    return saved


def _draw(draw: Draw) -> Inputs:
    letters = ("a", "b", "a", "ab")
    return draw_words(draw, letters), (draw.choice(*letters), draw.choice(*letters))


tokens_saved = Exercise(
    name="tokens.tokens_saved",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_merging, _by_skipping),
    draw=_draw,
    hint_texts=(
        "Write aaaaa as five pieces and merge a, a by hand. How many pieces are left? What does "
        "the function say?",
        "A piece that has been merged cannot be merged again. After a merge, skip both of its "
        "pieces.",
        "Keep a position in a while loop: if the pair is there, saved += 1 and place += 2, "
        "otherwise place += 1.",
    ),
    starter='''\
def tokens_saved(words, pair):
    """How many tokens fewer the words have once the pair is merged."""
    saved = 0
    for pieces in words:
        for left, right in zip(pieces, pieces[1:]):
            saved += (left, right) == pair
    return saved
''',
)
