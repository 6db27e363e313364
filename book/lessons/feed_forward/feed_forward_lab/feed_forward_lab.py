"""The feed-forward lab: tokens pass the same layer side by side, and its hidden units light up."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from traitlets import Enum, Float, Int, List, Unicode

from lessons.kit.figures import LiveFigure, counted, panels, picture_table, rules, shared
from transformer_lite.layers.feed_forward import FeedForward

SHARED = shared("feed_forward_lab")
NUMBER = SHARED["number"]
PANELS = (("x", "weights"), ("before", "hidden"), ("output", "residual", "parts"))


class FeedForwardLab(LiveFigure):
    """A few tokens, each by itself, through one feed-forward layer.

    Args:
        tokens: the names of 1 to 3 tokens.
        vectors: one list of 2 to 4 numbers a token.
        up: W₁, one row an entry of the token, one column a hidden unit, at most 6 units.
        up_bias: b₁, one number a unit.
        down: W₂, one row a unit, one column an entry of the token.
        down_bias: b₂, one number an entry.
        activation: "relu", "gelu" or "none", the function between the two maps.
        selected: the index of the token that is shown unit by unit.

    Every number is between −3 and 3.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "feed_forward_lab"
    printed = ("tokens", "vectors")

    tokens = List(Unicode()).tag(sync=True, figure=True, count=SHARED["tokens"])
    vectors = List(List(Float())).tag(sync=True, figure=True, limits=NUMBER)
    up = List(List(Float())).tag(sync=True, figure=True, limits=NUMBER)
    up_bias = List(Float()).tag(sync=True, figure=True, count=SHARED["units"], limits=NUMBER)
    down = List(List(Float())).tag(sync=True, figure=True, limits=NUMBER)
    down_bias = List(Float()).tag(sync=True, figure=True, count=SHARED["width"], limits=NUMBER)
    activation = Enum(list(SHARED["activations"]), "relu").tag(sync=True, figure=True)
    selected = Int(0).tag(sync=True, figure=True)

    def __init__(self, tokens: list[str], vectors: list[list[float]], **traits: Any):
        super().__init__(tokens=tokens, vectors=vectors, **traits)

    @staticmethod
    def problems(
        *,
        tokens: list[str],
        up_bias: list[float],
        down_bias: list[float],
        selected: int,
        **traits: Any,
    ) -> Iterator[str]:
        """Yield in words which rules these traits break; the biases set the sizes."""
        count, width, units = len(tokens), len(down_bias), len(up_bias)
        shapes = {"vectors": (count, width), "up": (width, units), "down": (units, width)}
        for name, (rows, columns) in shapes.items():
            lengths = [len(row) for row in traits[name]]
            if lengths != [columns] * rows:
                yield f"{name} must be {rows} rows of {columns}, got rows of {lengths}"
        yield from rules.index_of("selected", selected, count)

    def layer(self) -> FeedForward:
        """Return the package's layer with these weights, in float64."""
        kind = "relu" if self.activation == "none" else self.activation
        layer = FeedForward(len(self.down_bias), len(self.up_bias), kind).double()
        if self.activation == "none":
            layer.activation = nn.Identity()
        weights = {
            "up.weight": torch.tensor(self.up, dtype=torch.float64).T,
            "up.bias": torch.tensor(self.up_bias, dtype=torch.float64),
            "down.weight": torch.tensor(self.down, dtype=torch.float64).T,
            "down.bias": torch.tensor(self.down_bias, dtype=torch.float64),
        }
        layer.load_state_dict(weights)
        return layer

    @torch.no_grad()
    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        N tokens of width D, M units. weights (M, 2D + 1): what a unit reads, its bias, what it
        writes; before and hidden (N, M), around the activation; output and residual (N, D), the
        latter with the token added; parts (M + 1, D): what each unit adds to the output of the
        selected token, and b₂.
        """
        layer = self.layer()
        x = torch.tensor(self.vectors, dtype=torch.float64)
        up, down = layer.up, layer.down
        before = up(x)
        hidden, output = layer.activation(before), layer(x)
        parts = hidden[self.selected][:, None] * down.weight.T
        return {
            "weights": torch.cat([up.weight, up.bias[:, None], down.weight.T], dim=1),
            "before": before,
            "hidden": hidden,
            "output": output,
            "residual": x + output,
            "parts": torch.cat([parts, down.bias[None]]),
        }

    def picture(self) -> str:
        """Return the tokens, the weights and every result as a table."""
        entries, tokens = counted(self.down_bias), self.tokens
        units = [f"unit {m}" for m in counted(self.up_bias)]
        heads = [f"reads {d}" for d in entries] + ["bias"] + [f"writes {d}" for d in entries]
        names = {
            "weights": (units, heads),
            "before": (tokens, units),
            "hidden": (tokens, units),
            "parts": ([*units, "b₂"], entries),
        }
        kind = SHARED["activations"][self.activation]
        values = {"x": torch.tensor(self.vectors, dtype=torch.float64)} | self.results()

        def table(key: str) -> str:
            caption = SHARED["captions"][key]
            caption = caption.format(activation=kind, token=tokens[self.selected])
            return picture_table(caption, values[key], *names.get(key, (tokens, entries)))

        tables = "".join(panels(*map(table, group)) for group in PANELS)
        return f"<p>{SHARED['question']}</p>{tables}"
