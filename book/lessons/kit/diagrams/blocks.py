"""A block of a Transformer, drawn from a word that names its parts."""

from lessons.kit.diagrams import Arrow, Group, arrow, arrows, box, circle, column, group

KINDS = {"x": "data", "y": "output", "n": "norm", "m": "norm", "a": "score", "f": "feed_forward"}


def block(
    title: str, order: str, names: dict[str, str], bold: str, gap: float, edge: float
) -> tuple[Group, list[Arrow]]:
    """Draw a block from bottom to top, with its two residual connections.

    Args:
        title: the name above the block.
        order: its parts, from the input x to the output y, such as "xna+nf+y"; + is a sum.
        names: the label of each part, and under "start" a note below the input.
        bold: the parts to highlight.
        gap: the distance between two parts.
        edge: the room for the connections next to the parts.
    """
    chain = [
        circle("+")
        if sign == "+"
        else box(
            names.get(sign, sign),
            KINDS[sign] if sign in bold + "xy" else "plain",
            names.get("start", "") if sign == "x" else "",
            bold=sign in bold,
        )
        for sign in order
    ]
    first, last = (i for i, sign in enumerate(order) if sign == "+")
    # With post-norm, the second connection begins after the norm that follows the first sum.
    second = first + 1 if order[first + 1] == "n" and order[1] != "n" else first
    skips = [
        arrow(chain[start], chain[end], bend="elbow", start_side="right", end_side="right")
        for start, end in ((0, first), (second, last))
    ]
    return group(title, column(*reversed(chain), gap=gap), edge=edge), arrows(*chain) + skips
