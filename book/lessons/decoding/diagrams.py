"""Draw the decoding loop, a tree in which the best first word loses, and what a cache saves."""

import torch

from lessons.kit.diagrams import (
    Box,
    Diagram,
    arrow,
    arrows,
    box,
    column,
    draw,
    group,
    matrix,
    row,
)

# Of a tiny language: what may follow the start, and what may follow "the" and "a".
FIRST = {"the": 0.6, "a": 0.4}
NEXT = {
    "the": {"cat": 0.35, "dog": 0.33, "mat": 0.32},
    "a": {"cat": 0.05, "dog": 0.85, "mat": 0.1},
}


def loop() -> Diagram:
    """Draw decoding: the source is read once, then one word after another is appended."""
    source = box("je le vois", "data", "source")
    encoder, memory = box("encoder", note="once"), box("memory", "data", "(B, S, D)")
    begun = box("<bos> I", "data", "target so far")
    decoder, shares = box("decoder", note="once a word"), box("probabilities", "weight", "(B, V)")
    choice = box("choose", "output", "greedy, at random, beam")
    word = box("see", "output", "next word")
    return draw(
        column(
            row(source, encoder, memory, gap=48),
            row(begun, decoder, shares, choice, word, gap=34),
            gap=62,
        ),
        *arrows(source, encoder, memory),
        arrow(memory, decoder, bend="elbow", start_side="bottom", end_side="top"),
        *arrows(begun, decoder, shares, choice, word),
        arrow(
            word, begun, "append, until <eos>", bend="elbow", start_side="bottom", end_side="bottom"
        ),
        alt="The encoder reads the source je le vois once and turns it into the memory. The "
        "decoder reads the memory and the target so far, which is the start token and I, and "
        "returns probabilities over the vocabulary. A rule chooses the next word, see. It is "
        "appended to the target, and the loop goes on until the end token.",
        caption="Decoding is a loop around the decoder. Only the box “choose” differs between "
        "the methods of this chapter.",
    )


def tree() -> Diagram:
    """Draw greedy search taking the better first word and ending with the less probable text."""
    root = box("<bos>", "data")
    firsts = {word: _branch(word, share, kept=True) for word, share in FIRST.items()}
    totals = {
        (first, second): FIRST[first] * share
        for first, follows in NEXT.items()
        for second, share in follows.items()
    }
    best = sorted(totals, key=lambda path: -totals[path])[:2]
    leaves = {path: _branch(path[1], totals[path], kept=path in best) for path in totals}
    return draw(
        row(
            root,
            column(*firsts.values(), gap=156, equal=True),
            column(*leaves.values(), gap=22, equal=True),
            gap=130,
        ),
        *(arrow(root, firsts[word], f"{share}") for word, share in FIRST.items()),
        *(
            arrow(firsts[first], leaf, f"{NEXT[first][second]}")
            for (first, second), leaf in leaves.items()
        ),
        alt="A tree. From the start, the has the probability 0.6 and a has 0.4. “The” is "
        "followed by cat 0.35, dog 0.33 or mat 0.32, which makes 0.21, 0.2 and 0.19 in all; a is "
        "followed by dog 0.85, which makes 0.34, or by cat or mat, which make 0.02 and 0.04. Two "
        "leaves are kept: a dog and the cat.",
        caption="Probabilities on the arrows, products in the boxes. Greedy search goes to "
        "“the” and ends with 0.21; a beam of two keeps both prefixes and finds 0.34.",
    )


def cache() -> Diagram:
    """Draw the scores at the fifth word: all rows again, or only the last one."""
    steps = [str(i) for i in range(1, 6)]
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    last = torch.arange(5)[:, None] == 4
    tables = [
        matrix(
            [["✓" if cell else "" for cell in line] for line in fresh.tolist()],
            "score",
            shape="(T, T) = (5, 5)",
            rows=steps,
            columns=steps,
            off=future,
        )
        for fresh in (~future, (~future & last))
    ]
    names = ("without a cache: 15 scores", "with a cache: 5 scores")
    return draw(
        row(*(group(*pair) for pair in zip(names, tables, strict=True)), gap=40),
        alt="Two tables of five queries and five keys at the fifth word, the future hatched. "
        "Without a cache all fifteen open scores are computed again. With a cache only the five "
        "of the last row are.",
        caption="The ticks mark the scores computed at the fifth word. Rows are queries, columns "
        "are keys. The keys and values of the rows above are in the cache.",
    )


def _branch(word: str, share: float, kept: bool) -> Box:
    return box(f"{word}  {share:.2f}", "output" if kept else "plain")
