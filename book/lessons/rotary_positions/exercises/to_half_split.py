"""Sort the columns of a projection from the interleaved to the half-split layout."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.positions import half_split_order

_normal = normal_numbers("rotary_positions.to_half_split")


def _to_half_split(weight: Tensor, num_heads: int) -> Tensor:
    heads = weight.unflatten(1, (num_heads, -1))
    return heads[..., half_split_order(heads.shape[-1])].flatten(1)


def _cases() -> tuple[Case, ...]:
    known = {
        "one head of width 6, columns numbered": (torch.arange(6.0).repeat(2, 1), 1),
        "two heads of width 4, columns numbered": (torch.arange(8.0)[None], 2),
        "D=9, three heads of width 4": (_normal(9, 12), 3),
        "D=4, two heads of width 6, in float64": (_normal(4, 12, dtype=torch.float64), 2),
        "heads of width 2, which do not change": (_normal(3, 8), 4),
        "one row: D=1, two heads of width 8": (_normal(1, 16), 2),
    }
    return tuple(
        Case(name, {"weight": weight, "num_heads": heads})
        for name, (weight, heads) in known.items()
    )


def _per_head(weight: Tensor, num_heads: int, order: Tensor) -> Tensor:
    return weight.unflatten(1, (num_heads, -1))[..., order].flatten(1)


def _width(weight: Tensor, num_heads: int) -> int:
    return weight.shape[1] // num_heads


_MISTAKES = mistakes(
    lambda w, h: w[:, half_split_order(w.shape[1])],
    "You sort the columns of all heads together, so columns move to other heads. Sort within each "
    "head.",
    lambda w, h: _per_head(w, h, half_split_order(_width(w, h)).argsort()),
    "This is the reverse, from halves to neighbors. The even columns of a head must come first.",
    lambda w, h: _per_head(w, h, half_split_order(_width(w, h)).roll(_width(w, h) // 2)),
    "The odd columns come first here. Put the even ones first: each pair keeps its order.",
    lambda w, h: w.clone(),
    "Nothing is sorted. That is right only for heads of width 2.",
    lambda w, h: w.unflatten(1, (h, -1))[..., half_split_order(_width(w, h))],
    "The heads have their own axis now. Concatenate them again: (D, H · K).",
)


def _by_a_view(weight: Tensor, num_heads: int) -> Tensor:
    pairs = weight.reshape(len(weight), num_heads, -1, 2)
    return pairs.mT.reshape(weight.shape)


def _head_by_head(weight: Tensor, num_heads: int) -> Tensor:
    heads = [torch.cat([h[:, 0::2], h[:, 1::2]], dim=1) for h in weight.chunk(num_heads, dim=1)]
    return torch.cat(heads, dim=1)


def _draw(draw: Draw) -> Inputs:
    heads = draw.size(1, 4)
    return draw.normal(draw.size(), heads * 2 * draw.size(1, 4)), heads


to_half_split = Exercise(
    name="rotary_positions.to_half_split",
    reference=_to_half_split,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_a_view, _head_by_head),
    draw=_draw,
    hint_texts=(
        "Take one head of width 6. The pairs are (0, 1), (2, 3), (4, 5). Where must columns 0 and "
        "1 move, so that they are K/2 apart?",
        "Within each head, put the even columns first and the odd ones after them.",
        "weight.chunk(num_heads, dim=1) gives the heads. For each of them, "
        "torch.cat([head[:, 0::2], head[:, 1::2]], dim=1); then join the heads with torch.cat.",
    ),
    starter='''\
def to_half_split(weight, num_heads):
    """Sort the columns of weight (D, H·K), head by head, into halves."""
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
