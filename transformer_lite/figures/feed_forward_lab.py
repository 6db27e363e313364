"""The feed-forward lab: tokens pass the same layer side by side, and its hidden units light up."""

import torch
from torch import Tensor, nn
from traitlets import Enum, Float, Int, List, TraitError, Unicode, validate

from transformer_lite.feedforward import FeedForward
from transformer_lite.figures._base import LiveFigure, picture_table

WIDTHS = (2, 4)  # what fits beside a drawing
MOST_UNITS, MOST_TOKENS = 6, 3
REACH = 3.0  # the sliders' ends, and the largest weight
ACTIVATIONS = {"relu": "ReLU", "gelu": "GELU", "none": "nothing"}


class FeedForwardLab(LiveFigure):
    """A few tokens, each by itself, through one feed-forward layer.

    Args:
        names: one name a token, 1 to 3 tokens.
        tokens: one list of 2 to 4 numbers a token.
        up: W₁, one row an entry of the token, one column a hidden unit, at most 6 units.
        up_bias: b₁, one number a unit.
        down: W₂, one row a unit, one column an entry of the token.
        down_bias: b₂, one number an entry.
        activation: "relu", "gelu" or "none", what stands between the two maps.
        selected: the index of the token that is taken apart unit by unit.

    Every number lies between −3 and 3.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "feed_forward_lab"

    names = List(Unicode()).tag(sync=True, figure=True)
    tokens = List(List(Float())).tag(sync=True, figure=True)
    up = List(List(Float())).tag(sync=True, figure=True)
    up_bias = List(Float()).tag(sync=True, figure=True)
    down = List(List(Float())).tag(sync=True, figure=True)
    down_bias = List(Float()).tag(sync=True, figure=True)
    activation = Enum(list(ACTIVATIONS), "relu").tag(sync=True, figure=True)
    selected = Int(0).tag(sync=True, figure=True)

    def __init__(self, names: list[str], tokens: list[list[float]], **traits):
        super().__init__(names=names, tokens=tokens, **traits)

    @validate("names", "tokens", "up", "up_bias", "down", "down_bias")
    def _check_numbers(self, proposal):
        name, value = proposal.trait.name, proposal.value
        self._check_sizes({**self._numbers(), name: value})
        rows = [] if name == "names" else value if isinstance(value[0], list) else [value]
        for x in (x for row in rows for x in row):
            if not abs(x) <= REACH:
                raise TraitError(f"{name} must lie between -{REACH:g} and {REACH:g}, got {x}")
        return value

    @validate("selected")
    def _check_selected(self, proposal):
        count = len(self.tokens)
        if not 0 <= proposal.value < count:
            raise TraitError(f"selected must satisfy 0 <= selected < {count}, got {proposal.value}")
        return proposal.value

    def _numbers(self) -> dict[str, list]:
        own = ("names", "tokens", "up", "up_bias", "down", "down_bias")
        return {name: getattr(self, name) for name in own}

    @staticmethod
    def _check_sizes(own: dict[str, list]) -> None:
        """Require every list to have the length that tokens and down_bias and up_bias set."""
        width, units, count = len(own["down_bias"]), len(own["up_bias"]), len(own["tokens"])
        if not WIDTHS[0] <= width <= WIDTHS[1]:
            raise TraitError(f"down_bias must be {WIDTHS[0]} to {WIDTHS[1]} numbers, got {width}")
        if not 1 <= units <= MOST_UNITS:
            raise TraitError(f"up_bias must be 1 to {MOST_UNITS} numbers, got {units}")
        if not 1 <= count <= MOST_TOKENS:
            raise TraitError(f"tokens must be 1 to {MOST_TOKENS} rows, got {count}")
        if len(own["names"]) != count:
            raise TraitError(f"names must be {count}, one a token, got {len(own['names'])}")
        for name, shape in (
            ("tokens", (count, width)),
            ("up", (width, units)),
            ("down", (units, width)),
        ):
            lengths = [len(row) for row in own[name]]
            if lengths != [shape[1]] * shape[0]:
                raise TraitError(
                    f"{name} must be {shape[0]} rows of {shape[1]}, got rows of {lengths}"
                )

    def layer(self) -> FeedForward:
        """Return the package's layer with these weights, in float64."""
        kind = "relu" if self.activation == "none" else self.activation
        layer = FeedForward(len(self.down_bias), len(self.up_bias), kind).double()
        if self.activation == "none":
            layer.activation = nn.Identity()
        weights = {
            "up.weight": torch.tensor(self.up).T,
            "up.bias": torch.tensor(self.up_bias),
            "down.weight": torch.tensor(self.down).T,
            "down.bias": torch.tensor(self.down_bias),
        }
        layer.load_state_dict({name: weight.double() for name, weight in weights.items()})
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
        x = torch.tensor(self.tokens, dtype=torch.float64)
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
        entries = [str(d + 1) for d in range(len(self.down_bias))]
        units = [f"unit {m + 1}" for m in range(len(self.up_bias))]
        heads = [f"reads {d}" for d in entries] + ["bias"] + [f"writes {d}" for d in entries]
        results, token = self.results(), self.names[self.selected]
        x = torch.tensor(self.tokens, dtype=torch.float64)

        def panel(*parts: str) -> str:
            return f'<div class="tl-panels">{"".join(parts)}</div>'

        def table(key: str, caption: str, rows: list[str], columns: list[str]) -> str:
            return picture_table(caption, results[key], rows, columns)

        return "".join(
            (
                panel(
                    picture_table("The tokens x", x, self.names, entries),
                    table("weights", "The weights, the same for all tokens", units, heads),
                ),
                panel(
                    table("before", "1 Before: x W₁ + b₁", self.names, units),
                    table("hidden", f"2 After: {ACTIVATIONS[self.activation]}", self.names, units),
                ),
                panel(
                    table("output", "3 Output: FF(x)", self.names, entries),
                    table("residual", "4 With the residual: x + FF(x)", self.names, entries),
                    table("parts", f"What adds up to FF({token})", [*units, "b₂"], entries),
                ),
            )
        )

    def __repr__(self) -> str:
        return f"FeedForwardLab(names={self.names!r}, tokens={self.tokens!r})"
