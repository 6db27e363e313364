"""A dial: a circle with hands, for angles that depend on the position."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from lessons.kit.diagrams import Node
from lessons.kit.diagrams.text import SMALL, height_of, px, text_svg, width_of


@dataclass(frozen=True)
class Hand:
    """One hand: its angle, in radians clockwise from the top, and its label."""

    angle: float
    kind: str = "query"
    dashed: bool = False


class Dial(Node):
    """A circle with hands and a line of text below.

    Args:
        hands: a solid one ends in a disc, a dashed one in a square.
        words: the text below the circle.
        radius: of the circle, in pixels.
    """

    def __init__(self, hands: Sequence[Hand], words: str = "", radius: float = 26) -> None:
        self.hands, self.words, self.radius = hands, words, radius
        below = height_of(words, SMALL) + 4 if words else 0
        super().__init__(max(2 * radius, width_of(words, SMALL)), 2 * radius + below)

    def svg(self) -> str:
        x, y = self.center[0], self.y + self.radius
        size = px(self.radius)
        written = f'<circle class="tl-d-group" cx="{px(x)}" cy="{px(y)}" r="{size}"/>'
        written += "".join(_hand(x, y, 0.8 * self.radius, hand) for hand in self.hands)
        if self.words:
            below = y + self.radius + 4
            written += text_svg(self.words, x, below, SMALL, "tl-d-quiet")
        return written


def from_east(angle: float) -> float:
    """Convert a mathematical angle, counterclockwise from the right, into a dial's angle."""
    return pi / 2 - angle


def _hand(x: float, y: float, length: float, hand: Hand) -> str:
    across, down = x + length * sin(hand.angle), y - length * cos(hand.angle)
    look = f"tl-d-bracket tl-d-{hand.kind}{' tl-d-dashed' if hand.dashed else ''}"
    line = f'<path class="{look}" d="M{px(x)} {px(y)}L{px(across)} {px(down)}"/>'
    if hand.dashed:
        place = f'x="{px(across - 3.5)}" y="{px(down - 3.5)}" width="7" height="7"'
        return f'{line}<rect class="tl-d-heat tl-d-{hand.kind}" {place}/>'
    return (
        f'{line}<circle class="tl-d-heat tl-d-{hand.kind}" cx="{px(across)}" cy="{px(down)}" '
        'r="4"/>'
    )
