"""Find the bug: merges that are applied from left to right and not by their rank."""

from itertools import pairwise

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from transformer_lite.text.bpe import merged

_Merges = list[tuple[str, str]]


def _reference(word: str, merges: _Merges) -> list[str]:
    pieces = list(word)
    while found := [pair for pair in pairwise(pieces) if pair in merges]:
        pieces = merged(pieces, min(found, key=merges.index))
    return pieces


def _cases() -> tuple[Case, ...]:
    piper = [("p", "e"), ("c", "k"), ("e", "d"), ("i", "ck"), ("p", "ick"), ("pe", "r")]
    inputs: dict[str, tuple[str, _Merges]] = {
        "peppers, six merges of Peter Piper": ("peppers", piper),
        "abc, bc was learned first": ("abc", [("b", "c"), ("a", "b")]),
        "abc, ab was learned first": ("abc", [("a", "b"), ("b", "c")]),
        "pickpocket": ("pickpocket", piper),
        "a run of seven": ("aaaaaaa", [("a", "a"), ("aa", "aa")]),
        "twice in a word": ("lowlow", [("l", "o"), ("lo", "w"), ("o", "w"), ("low", "low")]),
        "two ways to abc, one was never merged": ("abc", [("b", "c"), ("a", "b"), ("ab", "c")]),
        "a later merge would be longer": (
            "unable", [("n", "a"), ("u", "n"), ("a", "b"), ("un", "ab"), ("l", "e")],
        ),
        "the longest token begins on the right": (
            "abcd", [("b", "c"), ("a", "bc"), ("a", "b"), ("abc", "d")],
        ),
        "a long token was learned before a short one": (
            "abcd", [("a", "b"), ("ab", "c"), ("c", "d")],
        ),
        "a pair in the middle was learned first": (
            "dcba", [("c", "b"), ("d", "c"), ("b", "a"), ("dc", "b")],
        ),
        "nothing to merge": ("xyz", piper),
        "one letter": ("p", piper),
        "no merges": ("peck", []),
        "an empty word": ("", piper),
    }  # fmt: skip
    return tuple(
        Case(name, {"word": word, "merges": merges}) for name, (word, merges) in inputs.items()
    )


def _leftmost(word: str, merges: _Merges) -> list[str]:
    pieces = list(word)
    while found := [pair for pair in pairwise(pieces) if pair in merges]:
        place = list(pairwise(pieces)).index(found[0])
        pieces[place : place + 2] = ["".join(found[0])]
    return pieces


def _longest(word: str, merges: _Merges) -> list[str]:
    tokens = {*word, *map("".join, merges)}
    pieces = []
    while word:
        length = max(n for n in range(1, len(word) + 1) if word[:n] in tokens)
        pieces.append(word[:length])
        word = word[length:]
    return pieces


def _spelled(word: str, merges: _Merges) -> list[str]:
    pieces, made = list(word), ["".join(merge) for merge in merges]
    while found := [pair for pair in pairwise(pieces) if "".join(pair) in made]:
        pieces = merged(pieces, min(found, key=lambda pair: made.index("".join(pair))))
    return pieces


def _one_place(word: str, merges: _Merges) -> list[str]:
    pieces = list(word)
    for merge in merges:
        for place, pair in enumerate(pairwise(pieces)):
            if pair == merge:
                pieces[place : place + 2] = ["".join(merge)]
                break
    return pieces


def _letters_alone(word: str, merges: _Merges) -> list[str]:
    """Return one sweep over the letters; what has been made is not merged again."""
    pairs = [pair for pair in pairwise(word) if pair in merges]
    return merged(list(word), min(pairs, key=merges.index)) if pairs else list(word)


_MISTAKES = mistakes(
    _leftmost,
    "The leftmost pair that can merge is merged first, whenever it was learned. Of all neighbors "
    "in the word, the pair that was learned first is merged first, wherever it occurs.",
    _longest,
    "This takes the longest token that fits, from left to right, as WordPiece does. BPE "
    "repeats its merges in the order in which they were learned.",
    lambda word, merges: _reference(word, merges[::-1]),
    "The merge that was learned last is used first here. Use the one that was learned first.",
    _spelled,
    "Two pieces are joined because together they spell a token. Join a pair only if it is on "
    "the list: ab, c may be on it when a, bc is not.",
    _one_place,
    "Each merge is made only where its pair occurs first. Make it wherever the pair occurs.",
    _letters_alone,
    "One merge is made, and nothing after it. What it makes may be merged again.",
    lambda word, merges: _reference(word, sorted(merges, key=lambda merge: len("".join(merge)))),
    "The merges are made in the order of their lengths. A long one may have been learned "
    "before a short one: keep the order of the list.",
    lambda word, merges: _reference(word, sorted(merges)),
    "The merges are made in the order of the alphabet. Keep the order of the list: it is the "
    "order in which they were learned.",
)


def _rank_by_rank(word: str, merges: _Merges) -> list[str]:
    pieces = list(word)
    for merge in merges:
        pieces = merged(pieces, merge)
    return pieces


def _by_ranks(word: str, merges: _Merges) -> list[str]:
    ranks = {merge: rank for rank, merge in enumerate(merges)}
    pieces = list(word)
    while len(pieces) > 1:
        pair = min(pairwise(pieces), key=lambda pair: ranks.get(pair, len(ranks)))
        if pair not in ranks:
            break
        pieces = merged(pieces, pair)
    return pieces


def _draw(draw: Draw) -> Inputs:
    """Return a word, and merges that make different tokens of what is there already."""
    known, merges, made = ["a", "b", "c"], [], set()
    for _ in range(draw.size(0, 6)):
        pair = draw.choice(*known), draw.choice(*known)
        if "".join(pair) not in made:
            merges.append(pair)
            made.add("".join(pair))
            known.append("".join(pair))
    return "".join(draw.choice("a", "b", "c") for _ in range(draw.size(0, 9))), merges


cut = Exercise(
    name="tokens.cut",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_rank_by_rank, _by_ranks),
    draw=_draw,
    hint_texts=(
        "The merges are bc and then ab. Which of the two was learned first, and which one does the "
        "function find first in abc?",
        "Do what training did, in its order: take the first merge and make it wherever it fits, "
        "then the second one, and so on.",
        "for left, right in merges: go through pieces from the left. Wherever left is followed by "
        "right, replace the two by left + right.",
    ),
    starter='''\
def cut(word, merges):
    """Cut a word into pieces by merges, listed as they were learned."""
    pieces = list(word)
    place = 0
    while place + 1 < len(pieces):
        if (pieces[place], pieces[place + 1]) in merges:
            pieces[place] += pieces.pop(place + 1)
            place = 0
        else:
            place += 1
    return pieces
''',
)
