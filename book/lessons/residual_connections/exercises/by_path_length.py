"""Sort the paths through a residual stack by the number of layers on them."""

from itertools import combinations
from math import comb

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("residual_connections.by_path_length")


def _by_path_length(slopes: Tensor) -> Tensor:
    found = torch.ones(1, dtype=slopes.dtype)
    for slope in slopes:
        nothing = found.new_zeros(1)
        found = torch.cat([found, nothing]) + slope * torch.cat([nothing, found])
    return found


def _cases() -> tuple[Case, ...]:
    def draw(name: str, layers: int, dtype: torch.dtype = torch.float32) -> Case:
        return Case(name, {"slopes": _normal(layers, dtype=dtype)})

    return (
        Case("two layers with the slopes 0.5 and −0.1", {"slopes": torch.tensor([0.5, -0.1])}),
        Case("three layers with the slope 0.1", {"slopes": torch.full((3,), 0.1)}),
        draw("L=4", 4),
        draw("float64, L=7", 7, torch.float64),
        draw("one layer, L=1", 1),
        Case("a layer that does nothing", {"slopes": torch.tensor([0.5, 0.0, 2.0])}),
    )


def _equal_slopes(slopes: Tensor) -> Tensor:
    n = len(slopes)
    return torch.stack([comb(n, k) * slopes.mean() ** k for k in range(n + 1)])


def _in_every_order(slopes: Tensor) -> Tensor:
    orders = torch.arange(1, len(slopes) + 1, dtype=slopes.dtype).cumprod(0)
    return _by_path_length(slopes) * torch.cat([orders.new_ones(1), orders])


def _neighbors_only(slopes: Tensor) -> Tensor:
    sums = [slopes.unfold(0, n, 1).prod(dim=1).sum() for n in range(1, len(slopes) + 1)]
    return torch.stack([slopes.new_ones(()), *sums])


_MISTAKES = mistakes(
    lambda s: torch.cat([s.new_ones(1), s.cumprod(0)]),
    "Entry n is the product of the first n slopes: that is one path through n layers. There "
    "are more: any n of the layers.",
    lambda s: torch.cat([s.new_ones(1), (1 + s).cumprod(0)]),
    "Entry n is the slope of the first n layers together. It mixes paths of all lengths.",
    _equal_slopes,
    "You replaced all slopes by their mean. That is right only if they are equal. The slope of a "
    "path is the product of the slopes of its own layers.",
    _in_every_order,
    "You count each path once for every order of its layers. A path passes its layers from first "
    "to last, so count it once.",
    _neighbors_only,
    "You count only paths through consecutive layers. A path may skip a layer in between.",
    lambda slopes: torch.stack([slopes.sum() ** n for n in range(len(slopes) + 1)]),
    "A power of the sum includes paths that pass the same layer twice. A path passes each layer at "
    "most once.",
    lambda s: torch.cat([s.new_zeros(1), _by_path_length(s)[1:]]),
    "Entry 0 is 0. One path passes no layer. It uses only skip connections and has the slope 1.",
)


def _path_by_path(slopes: Tensor) -> Tensor:
    found = torch.zeros(len(slopes) + 1, dtype=slopes.dtype)
    for n in range(len(slopes) + 1):
        for layers in combinations(range(len(slopes)), n):
            found[n] += slopes[list(layers)].prod()
    return found


def _by_polynomial(slopes: Tensor) -> Tensor:
    found = [1.0] + [0.0] * len(slopes)
    for done, slope in enumerate(slopes.tolist(), start=1):
        for n in range(done, 0, -1):
            found[n] += slope * found[n - 1]
    return torch.tensor(found, dtype=slopes.dtype)


def _draw(draw: Draw) -> Inputs:
    return (draw.normal(draw.size(), size=draw.choice(0.1, 1)),)


by_path_length = Exercise(
    name="residual_connections.by_path_length",
    reference=_by_path_length,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_path_by_path, _by_polynomial),
    draw=_draw,
    hint_texts=(
        "Two layers have four paths: through neither, through the first, through the second, "
        "through both. Which path belongs to which entry?",
        "Begin with no layer: one path of slope 1, so [1]. What does one more layer change? Every "
        "path can skip it, or pass through it: then it is one layer longer and its slope is "
        "multiplied by that of the layer.",
        "found = torch.ones(1, dtype=slopes.dtype), zero = torch.zeros(1, dtype=slopes.dtype). "
        "For each slope: found = torch.cat([found, zero]) + slope * torch.cat([zero, found]).",
    ),
    starter='''\
def by_path_length(slopes):
    """Sum of the slopes of all paths through 0, 1, …, L layers.

    slopes (L,), one for each layer y = x + F(x) -> (L + 1,)
    """
    raise NotImplementedError
''',
)
