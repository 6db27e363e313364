"""Measure how far a layer is from shuffling its output as its input is shuffled."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises import sample_layers as layers
from lessons.kit.exercises.sample_layers import LAYERS

Layer = Callable[[Tensor], Tensor]

_normal = normal_numbers("cost_and_order.equivariance_gap")


def _cases() -> tuple[Case, ...]:
    def case(name: str, layer: Layer, x: Tensor, order: list[int]) -> Case:
        return Case(name, {"x": x, "order": torch.tensor(order), "layer": layer})

    words = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]]).float()
    four, five = [3, 0, 1, 2], [4, 2, 0, 1, 3]
    double = torch.float64
    return (
        case("attention over The, CAT, SAT", layers.attention, words, [2, 0, 1]),
        case("attention with a look-ahead mask", layers.causal_attention, _normal(4, 3), four),
        case("adding positions", layers.add_positions, _normal(4, 3, dtype=double), four),
        case("each token gets the mean of all", layers.mean_of_all, _normal(4, 3), four),
        case("each token plus half of the next", layers.mix_with_the_next, _normal(5, 2), five),
        case("every feature sorted", layers.sorted_features, _normal(5, 2), five),
        case("one token, and a look-ahead mask", layers.causal_attention, _normal(1, 3), [0]),
        case("adding positions to one feature", layers.add_positions, _normal(5, 1), five),
    )


def _largest(difference: Tensor) -> Tensor:
    return difference.abs().amax(dim=-1)


def _gap(x: Tensor, order: Tensor, layer: Layer) -> Tensor:
    return _largest(layer(x[order]) - layer(x)[order])


def _gap_row_by_row(x: Tensor, order: Tensor, layer: Layer) -> Tensor:
    old, new = layer(x), layer(x[order])
    gaps = [(new[i] - old[place]).abs().max() for i, place in enumerate(order)]
    return torch.stack(gaps)


_MISTAKES = mistakes(
    lambda x, order, layer: _largest(layer(x[order]) - layer(x)),
    "This measures invariance: whether nothing changes. In equivariance the rows move as the "
    "tokens did, so shuffle the old output before you compare.",
    lambda x, order, layer: _largest(layer(x)[order] - layer(x)),
    "The layer never sees the shuffled tokens. One side of the comparison is layer(x[order]).",
    lambda x, order, layer: _largest(layer(x[order])[order] - layer(x)),
    "The output is shuffled a second time. Its rows are already in the new order: shuffle the "
    "other side, or restore the old order with order.argsort().",
    lambda x, order, layer: _largest(layer(x[order])[order.argsort()] - layer(x)),
    "These are the right gaps in the old order. Entry i belongs to row i of the shuffled output.",
    lambda x, order, layer: _largest(layer(x[order]) - layer(x)[order.argsort()]),
    "The old output is shuffled with the inverse of order. Its rows move as the tokens did: use "
    "order itself.",
    lambda x, order, layer: (layer(x[order]) - layer(x)[order]).amax(dim=-1),
    "The sign is kept, so a large negative difference is lost. Take the absolute values first.",
)


def _draw(draw: Draw) -> Inputs:
    x = draw.normal(draw.size(), draw.size())
    layer = draw.choice(*LAYERS.values())
    return x, torch.randperm(len(x), generator=draw.random), layer


equivariance_gap = Exercise(
    name="cost_and_order.equivariance_gap",
    reference=_gap,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda x, order, layer: (layer(x)[order] - layer(x[order])).abs().amax(dim=1),
        _gap_row_by_row,
    ),
    draw=_draw,
    hint_texts=(
        "There are two ways from x to a shuffled output. Which are they, and when are their "
        "results equal?",
        "Shuffle first and apply the layer, or apply the layer and shuffle its rows. Subtract the "
        "two results, and keep the largest size in each row.",
        "The two are layer(x[order]) and layer(x)[order]; .abs().amax(dim=-1) of their difference "
        "is the result.",
    ),
    starter='''\
def equivariance_gap(x, order, layer):
    """Compare shuffling before a layer with shuffling after it.

    x: tokens (T, D). order: T places. layer: a function (T, D) -> (T, D).
    Returns (T,): for each row of layer(x[order]) the largest difference,
    without its sign, from what an equivariant layer would return there.
    """
    raise NotImplementedError
''',
)
