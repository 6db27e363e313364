"""Position schemes: one score matrix, and what each scheme adds to it."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor
from traitlets import Float, Int, List, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_table, rules, shared
from lessons.kit.figures.units import number
from transformer_lite.layers.positions import (
    ALiBi,
    LearnedPositions,
    PositionScheme,
    Rotary,
    ShawRelative,
    T5Relative,
    sinusoidal_positions,
)

SHARED = shared("position_schemes")
SCHEMES, HEADS, FARTHEST = SHARED["schemes"], SHARED["alibi_heads"], SHARED["shift"]["max"]
TOKENS, WIDTH = 3, 4
SIZE = {"min": -10, "max": 10}
THREE, EIGHT = {"min": 3, "max": 3}, {"min": 8, "max": 8}
ROWS = {"min": TOKENS, "max": FARTHEST + TOKENS}
LEARNED = [
    [0.6, -0.4, 0.1, 0.3],
    [-0.2, 0.7, 0.5, -0.3],
    [0.4, 0.2, -0.8, 0.6],
    [-0.5, -0.1, 0.3, 0.9],
    [0.8, 0.5, -0.2, -0.6],
    [0.1, -0.7, 0.6, 0.2],
    [-0.3, 0.4, -0.5, 0.7],
    [0.5, 0.3, 0.9, -0.4],
]
VECTORS = [[0.0, 1.0, 0.0, 1.0], [0.0] * 4, [0.0, -1.0, 0.0, -1.0]]
NUMBERS = [0.5, 1.0, 0.25, 0.0, 0.0, -0.5, -1.0, -1.5]


short = partial(number, digits=2)
WRITERS = dict.fromkeys(("content", "position", "sum"), short)  # other tables write all digits


class PositionSchemes(LiveFigure):
    """The scores of three tokens under a position scheme, with the identity as projections.

    Args:
        tokens: the names of the three tokens.
        embeddings: a list of four numbers for each token, each at most 10 in size.
        scheme: the one that is shown, a name of SCHEMES.
        shift: the position of the first token, from 0 to 20.
        learned: the table of learned positions, 3 to 23 rows of four numbers.
        vectors: Shaw's vectors for the clipped offsets −1, 0 and 1.
        numbers: T5's numbers, one for each of 8 buckets: 4 for the past, 4 for the future.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "position_schemes"
    printed = ("tokens", "embeddings")

    tokens = List(Unicode()).tag(sync=True, figure=True, count=THREE)
    embeddings = List(List(Float())).tag(sync=True, figure=True, count=THREE, limits=SIZE)
    scheme = Unicode("sinusoidal").tag(sync=True, figure=True, options=SCHEMES)
    shift = Int(0).tag(sync=True, figure=True, limits=SHARED["shift"])
    learned = List(List(Float()), LEARNED).tag(sync=True, figure=True, count=ROWS, limits=SIZE)
    vectors = List(List(Float()), VECTORS).tag(sync=True, figure=True, count=THREE, limits=SIZE)
    numbers = List(Float(), NUMBERS).tag(sync=True, figure=True, count=EIGHT, limits=SIZE)

    def __init__(self, tokens: list[str], embeddings: list[list[float]], **traits: Any):
        super().__init__(tokens=tokens, embeddings=embeddings, **traits)

    @staticmethod
    def problems(**traits: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        for name in ("embeddings", "learned", "vectors"):
            yield from rules.same_width(name, traits[name], WIDTH, WIDTH)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        content, position and sum, each (3, 3): the scores without positions, what the scheme adds
        to them, and both together; change (7, 3): for each scheme the score of the last token
        with the first at position 0, the same at `shift`, and the largest change among all nine
        scores; curve (21,): the score of the last token with the first under the scheme, for every
        position of the first from 0 to 20. NaN where a learned table has no row.
        """
        x = torch.tensor(self.embeddings, dtype=torch.float64)
        content = x @ x.T / WIDTH**0.5
        total = self._scores(self.scheme, x, self.shift)
        return {
            "content": content,
            "position": total - content,
            "sum": total,
            "change": torch.stack([self._change(scheme, x) for scheme in SCHEMES]),
            "curve": torch.stack(
                [self._scores(self.scheme, x, start)[-1, 0] for start in range(FARTHEST + 1)]
            ),
        }

    def _change(self, name: str, x: Tensor) -> Tensor:
        """Return one score at 0, the same at `shift`, and the largest change of all."""
        first, here = self._scores(name, x, 0), self._scores(name, x, self.shift)
        return torch.stack([first[-1, 0], here[-1, 0], (here - first).abs().max()])

    def _scores(self, name: str, x: Tensor, start: int) -> Tensor:
        scheme = self._make(name)
        placed = self._place(name, scheme, x, start)[None, None]
        turned = scheme.rotate(placed, start)
        heads = HEADS if name == "ALiBi" else 1  # the first of them is shown
        bias = scheme.bias(placed.expand(-1, heads, -1, -1), start + TOKENS, start)
        added = 0.0 if bias is None else bias.reshape(-1, TOKENS, start + TOKENS)[0, :, start:]
        scores: Tensor = (turned @ turned.mT)[0, 0] / WIDTH**0.5
        return scores + added

    def _make(self, name: str) -> PositionScheme:
        if name == "learned":
            return _with_table(LearnedPositions(WIDTH, len(self.learned)), self.learned)
        if name == "Shaw":
            return _with_table(ShawRelative(WIDTH, max_distance=1), self.vectors)
        if name == "T5":
            buckets = [[number] for number in self.numbers]
            return _with_table(T5Relative(1, num_buckets=len(buckets)), buckets)
        return {"RoPE": Rotary(), "ALiBi": ALiBi(HEADS)}.get(name, PositionScheme())

    def _place(self, name: str, scheme: PositionScheme, x: Tensor, start: int) -> Tensor:
        if name == "sinusoidal":  # the function, which is in float64; the module keeps float32
            return x + sinusoidal_positions(TOKENS, WIDTH, start)
        if name != "learned":
            return x
        placed = torch.full_like(x, torch.nan)
        fits = max(0, min(TOKENS, len(self.learned) - start))
        if fits:
            placed[:fits] = scheme.embed(x[None, :fits], start)[0]
        return placed

    def picture(self) -> str:
        """Return the three matrices of scores, and the change under every scheme, as tables."""
        names = [f"{token}, {place}" for place, token in enumerate(self.tokens, start=self.shift)]
        words = {"scheme": self.scheme, "first": self.tokens[0], "last": self.tokens[-1]}
        heads = [head.format(shift=self.shift) for head in SHARED["change"]]
        results = self.results()

        def table(key: str, rows: list[str], columns: list[str]) -> str:
            caption = SHARED["captions"][key].format(**words)
            write = WRITERS.get(key, number)
            return picture_table(caption, results[key], rows, columns, write=write)

        parts = (table(key, self.tokens, names) for key in ("content", "position", "sum"))
        question = f"<p>{SHARED['question']}</p>"
        return question + panels(*parts) + panels(table("change", SCHEMES, heads))


def _with_table(scheme: PositionScheme, rows: list[list[float]]) -> PositionScheme:
    """Put these rows into a scheme's table and return it without gradients, in float64."""
    scheme = scheme.double().requires_grad_(False)
    [table] = scheme.parameters()  # each of these schemes has one
    table.copy_(torch.tensor(rows, dtype=torch.float64))
    return scheme
