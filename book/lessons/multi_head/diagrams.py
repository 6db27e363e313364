"""Splitting a width into heads, joining the heads, and what a view alone does instead."""

from lessons.kit.diagrams import (
    Diagram,
    Node,
    arrow,
    arrows,
    box,
    column,
    draw,
    group,
    matrix,
    row,
)

TOKENS = ["The", "CAT", "SAT"]
CODED = [[10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]]


def split() -> Diagram:
    """Draw every token cut into two heads, and the heads side by side again."""
    whole, joined = (
        matrix(CODED, "value", name, TOKENS, "0123", "(T, D) = (3, 4)", shaded=False)
        for name in ("tokens", "joined")
    )
    heads = [
        matrix([line[a : a + 2] for line in CODED], "value", name, TOKENS, columns, shaded=False)
        for name, columns, a in (("head 0", "01", 0), ("head 1", "23", 2))
    ]
    links = [arrow(whole, head) for head in heads] + [arrow(head, joined) for head in heads]
    return draw(
        row(whole, column(*heads, gap=24), joined, gap=60),
        *links,
        alt="Three tokens of four features. Head 0 takes columns 0 and 1 of every token, head 1 "
        "columns 2 and 3. Side by side again, the heads give back the same three rows.",
        caption="Split: each token is cut, and each head gets its piece of all tokens. "
        "Each head has shape (T, K) = (3, 2).",
    )


def view_alone() -> Diagram:
    """Draw the contents of two heads after view and transpose, and after the view alone."""
    right = [[line[:2] for line in CODED], [line[2:] for line in CODED]]
    flat = [number for line in CODED for number in line]
    wrong = [[flat[i : i + 2] for i in range(start, start + 6, 2)] for start in (0, 6)]

    def tables(heads: list[list[list[int]]]) -> list[Node]:
        return [
            matrix(
                head,
                "value",
                f"head {h}",
                TOKENS,
                shaded=False,
                off=[[x // 10 != t + 1 for x in line] for t, line in enumerate(head)],
            )
            for h, head in enumerate(heads)
        ]

    return draw(
        row(
            group("view, then transpose", row(*tables(right), gap=24), edge=24),
            group("view alone", row(*tables(wrong), gap=24), edge=24),
            gap=40,
        ),
        alt="Right: in both heads the rows of The, CAT and SAT have numbers of The, CAT and SAT. "
        "View alone: head 0 has 10, 11, then 12, 13, then 20, 21; head 1 has 22, 23, then 30, "
        "31, then 32, 33. Three of its six rows belong to another token and are hatched.",
        caption="Hatched: a row with another token's numbers.",
    )


def eight_heads() -> Diagram:
    """Eight heads of width 64 between an input and an output of width 512."""
    x = box("X", "data", note="(T, 512)")
    heads = [box(f"head {h}", "output", note="(T, 64)", width=110) for h in range(8)]
    tower = column(*heads, gap=8)
    joined = box("concatenated", "output", note="(T, 8 · 64)", height=tower.height)
    output = box("Y", "output", note="(T, 512)")
    last = box("W^O", "plain", note="(512, 512)")
    return draw(
        row(x, tower, joined, last, output, gap=40),
        *(arrow(x, head, bend="straight") for head in heads),
        *(arrow(head, joined) for head in heads),
        *arrows(joined, last, output),
        alt="X of shape (T, 512) goes into eight heads, each with its own queries, keys and values "
        "and an output of shape (T, 64). Side by side the outputs are 8 times 64, that is "
        "512, wide. The matrix W^O of shape (512, 512) mixes them into Y of shape (T, 512).",
        caption="Eight lookups side by side. Each head makes its own queries, keys and values.",
    )


def blocks() -> Diagram:
    """Draw the output projection, cut into one block of rows for each head."""
    first, second = box("Y_0", "output", note="(T, 2)"), box("Y_1", "output", note="(T, 2)")
    top = box("W^O_0", "plain", note="rows 0, 1: (2, 4)")
    bottom = box("W^O_1", "plain", note="rows 2, 3: (2, 4)")
    total = box("Y", "output", note="sum, (T, 4)")
    return draw(
        row(column(first, second), column(top, bottom, equal=True), total, gap=48),
        *arrows(first, top, total),
        *arrows(second, bottom, total),
        alt="The output of head 0 is multiplied by rows 0 and 1 of W^O, the output of head 1 by "
        "rows 2 and 3. The sum of the two products is Y.",
        caption="Joining and multiplying is the same as multiplying each head and adding.",
    )
