"""Round weights to a few bits, with one scale for each group of a row."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("fast_generation.quantize_groups")
_Answer = tuple[Tensor, Tensor]
_Quantize = Callable[[Tensor, int, int], _Answer]


def _absolute(groups: Tensor) -> Tensor:
    return groups.abs().amax(dim=-1, keepdim=True)


def _rows(weights: Tensor, size: int) -> Tensor:
    return weights.unflatten(1, (-1, size))


def _with(
    largest: Callable[[Tensor], Tensor] = _absolute,
    top: Callable[[int], int] = lambda bits: 2 ** (bits - 1) - 1,
    to_whole: Callable[[Tensor], Tensor] = torch.round,
    keeps_zero: bool = True,
    inverse: bool = False,
) -> _Quantize:
    """Return a quantization in which one of the steps may be another."""

    def quantize_groups(weights: Tensor, bits: int, size: int) -> _Answer:
        groups = _rows(weights, size)
        scales = largest(groups) / top(bits)
        numbers = to_whole(groups / scales)
        if keeps_zero:
            numbers = numbers.nan_to_num(0.0)
        numbers = numbers.clamp(-127, 127).flatten(1)
        scales = scales.expand(*groups.shape[:2], 1).squeeze(-1)
        if numbers.isnan().any():
            return numbers, scales
        return numbers.to(torch.int8), 1 / scales if inverse else scales

    return quantize_groups


def _case(name: str, weights: Tensor, bits: int, size: int) -> Case:
    return Case(name, {"weights": weights, "bits": bits, "size": size})


def _cases() -> tuple[Case, ...]:
    by_hand = torch.tensor([[0.7, -0.3, 0.14, 0.06, 7.0, 0.7, -0.3, 0.14]])
    with_zeros = _normal(3, 6)
    with_zeros[1, 2:4] = 0
    outliers = _normal(2, 12, dtype=torch.float64)
    outliers[0, 3] = 40.0
    outliers[1, 7] = -25.0
    return (
        _case("two groups of four in 4 bits, by hand", by_hand, 4, 4),
        _case("3 bits, groups of two, one group of zeros", with_zeros, 3, 2),
        _case("two outliers, 4 bits, groups of three, float64", outliers, 4, 3),
        _case("8 bits, one group in each row", _normal(4, 5), 8, 5),
        _case("groups of one number", _normal(2, 3), 4, 1),
        _case("2 bits, groups of four", _normal(3, 8), 2, 4),
        _case("rows of unequal size, 6 bits", _normal(2, 10) * torch.tensor([[1.0], [50.0]]), 6, 5),
    )


def _whole_row(groups: Tensor) -> Tensor:
    return groups.abs().amax(dim=(1, 2), keepdim=True).expand(*groups.shape[:2], 1)


def _whole_tensor(groups: Tensor) -> Tensor:
    return groups.abs().amax().expand(*groups.shape[:2], 1)


_MISTAKES = mistakes(
    _with(largest=_whole_tensor),
    "All groups have one scale, that of the largest number. Each group needs its own.",
    _with(largest=_whole_row),
    "All groups of a row have one scale. One outlier then spoils the whole row. Each group needs "
    "its own scale.",
    _with(largest=lambda groups: groups.amax(dim=-1, keepdim=True)),
    "The scale comes from the largest number, not from the largest absolute value: a negative "
    "outlier is overlooked.",
    _with(top=lambda bits: 2 ** (bits - 1)),
    "The largest whole number of b bits with a sign is 2 to the power b − 1, minus 1: 7 for 4 "
    "bits, because 0 is one of the eight patterns without a minus.",
    _with(top=lambda bits: 2**bits - 1),
    "One bit is the sign. The largest whole number of 4 bits is 7, not 15.",
    _with(to_whole=torch.trunc),
    "The numbers are cut off toward 0. Round to the nearest whole number: this halves the largest "
    "error.",
    _with(to_whole=torch.floor),
    "The numbers are rounded down. Round to the nearest whole number.",
    _with(keeps_zero=False),
    "A group of zeros has the scale 0, and 0 / 0 is nan. Its numbers must be 0.",
    _with(inverse=True),
    "The scales are inverted. A weight is about its whole number times the scale.",
)


def _group_by_group(weights: Tensor, bits: int, size: int) -> _Answer:
    top = 2 ** (bits - 1) - 1
    numbers, scales = torch.zeros_like(weights), []
    for r, row in enumerate(weights):
        for start in range(0, len(row), size):
            group = row[start : start + size]
            scale = group.abs().max() / top
            scales.append(scale)
            if scale > 0:
                numbers[r, start : start + size] = (group / scale).round()
    return numbers.to(torch.int8), torch.stack(scales).reshape(len(weights), -1)


def _by_reshape(weights: Tensor, bits: int, size: int) -> _Answer:
    groups = weights.reshape(-1, size)
    scales = groups.abs().max(dim=1).values / (2 ** (bits - 1) - 1)
    safe = torch.where(scales == 0, torch.ones_like(scales), scales)
    numbers = torch.round(groups / safe[:, None]).reshape(weights.shape)
    return numbers.to(torch.int8), scales.reshape(len(weights), -1)


def _draw(draw: Draw) -> Inputs:
    size, bits = draw.size(1, 5), draw.size(2, 8)
    weights = draw.normal(draw.size(1, 4), size * draw.size(1, 4), size=draw.choice(0.1, 1, 9))
    if draw.choice(True, False):
        weights[0, :size] = 0
    return weights, bits, size


quantize_groups = Exercise(
    name="fast_generation.quantize_groups",
    reference=_with(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_group_by_group, _by_reshape),
    draw=_draw,
    hint_texts=(
        "In the first case the first group has the largest number 0.7, and 4 bits count to 7. "
        "What is its scale, and what becomes of 0.14? What is the scale of the second group?",
        "Reshape the rows into groups of `size`. Take the largest absolute value of each group, "
        "divide by 2 ** (bits - 1) - 1, and round the weights divided by it. Mind groups of zeros.",
        "groups = weights.unflatten(1, (-1, size)); scales = groups.abs().amax(dim=-1) / (2 ** "
        "(bits - 1) - 1); numbers = (groups / scales[..., None]).nan_to_num().round(); return "
        "numbers.flatten(1).to(torch.int8), scales.",
    ),
    starter='''\
def quantize_groups(weights, bits, size):
    """Absmax in groups: (N, M) -> int8 numbers (N, M), scales (N, M / size).

    Each run of `size` weights in a row is a group. Its largest absolute
    value becomes 2 ** (bits - 1) - 1. A group of zeros has the scale 0.
    """
    raise NotImplementedError
''',
)
