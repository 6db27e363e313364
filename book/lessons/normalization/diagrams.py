"""Draw the axes of four normalizations, and batch normalization in training and in use."""

from collections.abc import Callable

from lessons.kit.diagrams import (
    Diagram,
    Node,
    arrow,
    arrows,
    box,
    column,
    draw,
    group,
    row,
    text,
)
from lessons.kit.diagrams.text import SMALL, height_of, px, text_svg

SIDE, SHIFT = 22, 11  # of a cell in front, and of a step into the depth, in pixels
MARGIN = 18  # room for the letters of the axes
Member = Callable[[int, int, int], bool]


class Cube(Node):
    """A batch drawn as a block of cells: tokens down, features across, sentences in depth.

    Args:
        member: says of (b, t, d) whether the cell shares statistics with the chosen one.
        shape: how many sentences, tokens and features.
    """

    def __init__(self, member: Member, shape: tuple[int, int, int] = (2, 3, 4)) -> None:
        self.member, self.shape = member, shape
        b, t, d = shape
        super().__init__(d * SIDE + b * SHIFT + 2 * MARGIN, t * SIDE + b * SHIFT + MARGIN)

    def corner(self, b: float, t: float, d: float) -> tuple[float, float]:
        """Return where the grid point (b, t, d) lies in the drawing."""
        depth = self.shape[0] - b
        return (
            self.x + MARGIN + d * SIDE + b * SHIFT,
            self.y + t * SIDE + depth * SHIFT,
        )

    def faces(self) -> list[tuple[bool, list[tuple[float, float]]]]:
        """Yield the visible cells, in front, on top and at the right: shared or not, corners."""
        sentences, tokens, width = self.shape
        found = []
        for t in range(tokens):
            for d in range(width):
                points = [(0, t, d), (0, t, d + 1), (0, t + 1, d + 1), (0, t + 1, d)]
                found.append((self.member(0, t, d), points))
        for b in range(sentences):
            for d in range(width):
                points = [(b, 0, d), (b, 0, d + 1), (b + 1, 0, d + 1), (b + 1, 0, d)]
                found.append((self.member(b, 0, d), points))
            for t in range(tokens):
                points = [
                    (b, t, width),
                    (b + 1, t, width),
                    (b + 1, t + 1, width),
                    (b, t + 1, width),
                ]
                found.append((self.member(b, t, width - 1), points))
        return [(shared, [self.corner(*p) for p in points]) for shared, points in found]

    def svg(self) -> str:
        faces = sorted(self.faces(), key=lambda face: face[0])  # thick frames above thin ones
        return "".join([*map(_face, faces), *self._letters()])

    def _letters(self) -> list[str]:
        sentences, tokens, width = self.shape
        high = height_of("B", SMALL)
        places = {
            "T": (self.corner(0, tokens / 2, 0)[0] - 10, self.corner(0, tokens / 2, 0)[1]),
            "D": (self.corner(0, tokens, width / 2)[0], self.corner(0, tokens, 0)[1] + 10),
            "B": (
                self.corner(sentences / 2, tokens, width)[0] + 10,
                self.corner(sentences / 2, tokens, width)[1] + 6,
            ),
        }
        return [
            text_svg(name, x, y - high / 2, SMALL, "tl-d-bold") for name, (x, y) in places.items()
        ]


def _face(face: tuple[bool, list[tuple[float, float]]]) -> str:
    shared, corners = face
    outline = "M" + "L".join(f"{px(x)} {px(y)}" for x, y in corners) + "z"
    if not shared:
        return f'<path class="tl-d-cell" d="{outline}"/>'
    shade = f'<path class="tl-d-heat tl-d-query" fill-opacity="0.36" d="{outline}"/>'
    return shade + f'<path class="tl-d-cell tl-d-lit" d="{outline}"/>'


def cube() -> Diagram:
    """Draw which numbers of a batch have common statistics under four normalizations."""
    kinds: dict[str, tuple[Member, str]] = {
        "layer": (lambda b, t, d: (b, t) == (0, 0), "along D"),
        "batch": (lambda b, t, d: d == 3, "along B and T"),
        "instance": (lambda b, t, d: (b, d) == (0, 3), "along T"),
        "group": (lambda b, t, d: b == 0 and d >= 2, "along T and some of D"),
    }
    blocks = [
        column(
            text(name, bold=True),
            Cube(member),
            text(words, small=True),
            gap=8,
        )
        for name, (member, words) in kinds.items()
    ]
    return draw(
        row(*blocks, gap=34, align="end"),
        alt="Four blocks of 2 sentences, 3 tokens and 4 features, each with the numbers shaded "
        "that share a mean. Layer normalization: the four features of one token. Batch: one "
        "feature in all tokens of both sentences. Instance: one feature in the tokens of one "
        "sentence. Group: two neighboring features in the tokens of one sentence.",
        caption="B sentences in depth, T tokens down, D features across.",
    )


def two_lives() -> Diagram:
    """Draw batch normalization: the batch's statistics in training, running averages in use."""
    batch, statistics = box("batch", "data"), box("μ and σ² of the batch", "norm")
    token, known = box("the input", "data"), box("running averages", "data")
    in_training, in_use = (box("(x − μ) / √(σ² + ε)", "norm") for _ in range(2))
    return draw(
        row(
            group("in training", column(batch, statistics, in_training, gap=30)),
            known,
            group("in use", column(token, in_use, gap=64)),
            gap=64,
        ),
        *arrows(batch, statistics, in_training),
        arrow(statistics, known, "a tenth"),
        arrow(token, in_use),
        arrow(known, in_use),
        alt="In training the mean and the variance of the batch normalize the batch, and the "
        "running averages move by a tenth toward them. In use the running averages normalize the "
        "input, even a single token.",
        caption="Batch normalization keeps running averages for use, when there may be no batch.",
    )
