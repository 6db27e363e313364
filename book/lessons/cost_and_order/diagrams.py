"""Draw how the cost grows, three ways to connect tokens, and two sequences with one set."""

from lessons.kit.diagrams import (
    Arrow,
    Box,
    Diagram,
    Group,
    Node,
    arrow,
    arrows,
    box,
    column,
    draw,
    grid,
    group,
    row,
    text,
)

T, D = 60, 90  # pixels for T tokens and for the width D


def growth() -> Diagram:
    """Draw the tables of projections and of scores, for T and for 2T tokens, to scale."""

    def line(name: str, tokens: int, more: tuple[str, str]) -> list[Node]:
        return [
            text(name, bold=True),
            box(more[0], "query", width=D, height=tokens),
            box(more[1], "score", width=tokens, height=tokens),
        ]

    heads = [None, text("tokens, projected\nT · D numbers"), text("scores\nT · T numbers")]
    return draw(
        grid(
            [
                heads,
                line("T tokens", T, ("T · D", "T · T")),
                line("2T tokens", 2 * T, ("twice", "four\ntimes")),
            ],
            gap=(14, 18),
        ),
        alt="Twice the tokens: the table of projected tokens becomes twice as high and twice as "
        "large. The table of scores becomes twice as high and twice as wide, four times as large.",
        caption="A longer text makes the first table longer, but the second one longer and wider.",
    )


def three_layers() -> Diagram:
    """Draw which inputs reach which outputs in one layer of three kinds."""

    def tokens(letter: str) -> list[Box]:
        return [box(f"{letter}_{i}", "data" if letter == "x" else "output") for i in range(1, 5)]

    def panel(title: str, reach: list[tuple[int, int]], chain: bool) -> tuple[Group, list[Arrow]]:
        x, y = tokens("x"), tokens("y")
        links = [
            arrow(x[i], y[j], bend="straight", start_side="top", end_side="bottom")
            for i, j in reach
        ]
        links += [arrow(y[i], y[i + 1]) for i in range(3) if chain]
        gap = 20 if chain else 8
        return group(title, column(row(*y, gap=gap), row(*x, gap=gap), gap=50)), links

    pairs = [(i, j) for i in range(4) for j in range(4)]
    attention, all_links = panel("attention", pairs, chain=False)
    recurrent, chain = panel("recurrent", [(i, i) for i in range(4)], chain=True)
    near, local = panel("convolution", [p for p in pairs if abs(p[0] - p[1]) < 2], chain=False)
    return draw(
        row(attention, recurrent, near, gap=12),
        *all_links,
        *chain,
        *local,
        alt="Four tokens in three kinds of layer. Attention: every input has an arrow to every "
        "output. Recurrent: each input to its own output, and each output to the next. "
        "Convolution of width 3: each input to its own output and to both neighbors.",
        caption="One layer of each kind. Inputs below, outputs above.",
    )


def set_and_sequence() -> Diagram:
    """Draw two sentences with the same words, and their common set."""
    first = [box(word, "data", width=66) for word in ("dog", "bites", "man")]
    second = [box(word, "data", width=66) for word in ("man", "bites", "dog")]
    bag = grid(
        [
            [box("bites", "output"), None],
            [None, box("man", "output")],
            [box("dog", "output"), None],
        ],
        gap=(6, 4),
    )
    seen = group("what attention sees", bag)
    upper = group("a sequence", row(*first, gap=22))
    lower = group("another sequence", row(*second, gap=22))
    return draw(
        row(column(upper, lower, gap=20), seen, gap=60),
        *arrows(*first),
        *arrows(*second),
        arrow(upper, seen),
        arrow(lower, seen),
        alt="The sentences dog bites man and man bites dog are two sequences. Without order both "
        "are the same set of three words. Attention sees only this set.",
        caption="Two sequences, one set.",
    )
