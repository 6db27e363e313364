"""Inputs for the exercises of tokens, drawn at random."""

from classroom._draw import Draw, Inputs


def _words(draw: Draw, letters: tuple[str, ...]) -> list[list[str]]:
    return [[draw.choice(*letters) for _ in range(draw.size(1, 6))] for _ in range(draw.size(1, 5))]


def draw_next_merge(draw: Draw) -> Inputs:
    pairs = [[draw.choice("a", "b"), draw.choice("a", "c")]]  # there is a pair in any case
    words = _words(draw, ("a", "b", "c", "ab", "A")) + pairs
    tie = [["ab", "a"], ["a", "c"]] * 2  # the order of pairs is not that of their joined texts
    return (draw.choice(words, words, words, words, tie),)


def draw_tokens_saved(draw: Draw) -> Inputs:
    letters = ("a", "b", "a", "ab")
    return _words(draw, letters), (draw.choice(*letters), draw.choice(*letters))


def draw_cut(draw: Draw) -> Inputs:
    """A word, and merges that make different tokens of what is there already."""
    known, merges, made = ["a", "b", "c"], [], set()
    for _ in range(draw.size(0, 6)):
        pair = draw.choice(*known), draw.choice(*known)
        if "".join(pair) not in made:
            merges.append(pair)
            made.add("".join(pair))
            known.append("".join(pair))
    return "".join(draw.choice("a", "b", "c") for _ in range(draw.size(0, 9))), merges


def draw_stream(draw: Draw) -> Inputs:
    text = "".join(draw.choice("a", "é", "漢", "🙂", "ß") for _ in range(draw.size(0, 6)))
    raw, tokens = text.encode(), []
    for _ in range(draw.size(0, 7)):
        length = draw.size(0, 3)
        tokens.append(raw[:length])
        raw = raw[length:]
    return (tokens,)
