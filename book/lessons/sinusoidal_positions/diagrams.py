"""Draw a binary counter and clocks, whose digits and hands change at different speeds."""

from lessons.kit.diagrams import Diagram, draw, grid, matrix, text
from lessons.kit.diagrams.dial import Dial, Hand
from transformer_lite.layers.positions import binary_positions, sinusoidal_frequencies

SHOWN = [0, 1, 2, 3, 6, 12, 31]


def odometer() -> Diagram:
    """Draw the numbers 0 to 8 in binary; a frame marks each digit that changes."""
    bits = binary_positions(9, bits=4).int()
    flips = bits.diff(dim=0).nonzero() + bits.new_tensor([1, 0])
    table = matrix(
        bits,
        "data",
        rows=[f"position {p}" for p in range(9)],
        columns=["eights", "fours", "twos", "ones"],
        lit=[(int(i), int(j)) for i, j in flips],
        shaded=False,
    )
    return draw(
        table,
        alt="The positions 0 to 8 in binary, from 0000 to 1000. A thick frame marks each digit "
        "that has changed: the ones at every step, the twos at every second step, the fours at "
        "every fourth. From 7 to 8 all four digits change at once.",
        caption="A framed digit has just changed. Each column is half as fast as the one to its "
        "right.",
    )


def clocks() -> Diagram:
    """Draw the four clocks of width 8 at a few positions."""
    speeds = sinusoidal_frequencies(8).tolist()
    heads = [None, *(text(f"p = {p}", bold=True) for p in SHOWN)]
    lines = [
        [text(f"pair {r}, ω = {speed:.3g}"), *(Dial([Hand(p * speed)]) for p in SHOWN)]
        for r, speed in enumerate(speeds)
    ]
    return draw(
        grid([heads, *lines], gap=(26, 14)),
        alt="Four clocks with one hand each, at the positions 0, 1, 2, 3, 6, 12 and 31. At "
        "position 0 all hands point up. The hand of pair 0 turns by 1 radian a position and is "
        "almost back at the top at position 6. The hand of pair 1 needs ten times as long and is "
        "almost at the bottom at position 31. By then pair 2 has moved a little, and pair 3 "
        "hardly.",
        caption="Width 8 has four pairs. Each row is ten times slower than the one above.",
    )
