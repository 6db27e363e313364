"""Draw two arrows that turn, and the two layouts of the pairs."""

from math import atan2

from lessons.kit.diagrams import Diagram, Node, arrow, box, column, draw, row, text
from lessons.kit.diagrams.dial import Dial, Hand, from_east

QUERY, KEY, OMEGA = (2.0, 0.5), (1.0, 1.0), 1.0
PLACES = [(1, 0), (4, 3), (9, 8), (0, 1)]
COLORS = ["query", "key", "value"]


def turning() -> Diagram:
    """Draw a query and a key at four pairs of positions."""

    def dial(i: int, j: int) -> Dial:
        turned = (
            from_east(atan2(*vector[::-1]) + place * OMEGA)
            for vector, place in ((QUERY, i), (KEY, j))
        )
        query, key = turned
        hands = [Hand(query, "query"), Hand(key, "key", dashed=True)]
        return Dial(hands, f"query at {i}, key at {j}", radius=52)

    return draw(
        row(*(dial(i, j) for i, j in PLACES), gap=26),
        alt="Four dials with a query, solid, and a key, dashed. With the query at 1 and the key "
        "at 0 the angle between them is small. At 4 and 3, and at 9 and 8, both have turned on "
        "and the angle is the same. With the query at 0 and the key at 1 it is much larger.",
        caption="Solid: the query. Dashed: the key. In the first three pictures the key is one "
        "position before the query, and the angle is the same. In the last one it is one position "
        "after.",
    )


def layouts() -> Diagram:
    """Draw which entries of a head form a pair, in both layouts, for a width of 6."""

    def entries(order: list[int]) -> list[Node]:
        return [box(f"x_{i}", COLORS[i // 2], note=f"pair {i // 2}", width=74) for i in order]

    order = [0, 2, 4, 1, 3, 5]
    upper, lower = entries(list(range(6))), entries(order)
    return draw(
        row(
            column(text("interleaved", bold=True), text("half-split", bold=True), gap=84),
            column(row(*upper, gap=12), row(*lower, gap=12), gap=56),
            gap=24,
        ),
        *(
            arrow(upper[i], lower[place], bend="straight", start_side="bottom", end_side="top")
            for place, i in enumerate(order)
        ),
        alt="Six entries of a head. Interleaved: pair 0 is entries 0 and 1, pair 1 entries 2 and "
        "3, pair 2 entries 4 and 5. Arrows lead to the half-split order 0, 2, 4, 1, 3, 5. There "
        "the two entries of a pair are three positions apart: all first entries come before all "
        "second ones.",
        caption="The same pairs in two orders. In the half-split layout entry r is paired with "
        "entry r + K/2.",
    )
