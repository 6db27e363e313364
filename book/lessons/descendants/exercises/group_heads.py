"""Find the bug: every query head reads the keys of another group than its own."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("descendants.group_heads")


def _times(keys: Tensor, num_heads: int) -> int:
    return num_heads // keys.shape[1]


def _reference(keys: Tensor, num_heads: int) -> Tensor:
    return keys.repeat_interleave(_times(keys, num_heads), dim=1)


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str, sizes: tuple[int, int, int, int], heads: int, dtype: torch.dtype = torch.float32
    ) -> Case:
        return Case(name, {"keys": _normal(*sizes, dtype=dtype), "num_heads": heads})

    by_hand = {"keys": torch.tensor([[[[10.0]], [[20.0]]]]), "num_heads": 4}
    return (
        Case("two groups, four heads, one number each", by_hand),
        draw("2 groups, 6 heads", (2, 2, 4, 3), 6),
        draw("4 groups, 8 heads, in float64", (3, 4, 2, 5), 8, torch.float64),
        draw("3 groups, 9 heads", (1, 3, 5, 2), 9),
        draw("one group for 5 heads", (2, 1, 3, 4), 5),
        draw("as many groups as heads", (2, 3, 4, 2), 3),
        draw("one head", (3, 1, 2, 6), 1),
    )


def _along_the_positions(keys: Tensor, num_heads: int) -> Tensor:
    b, _, t, k = keys.shape
    return keys.repeat_interleave(_times(keys, num_heads), dim=2).reshape(b, num_heads, t, k)


def _by_the_number_of_groups(keys: Tensor, num_heads: int) -> Tensor:
    groups = keys.shape[1]
    return keys[:, torch.arange(num_heads) // groups % groups]


_MISTAKES = mistakes(
    lambda keys, heads: keys.repeat(1, _times(keys, heads), 1, 1),
    "repeat puts whole copies one after the other, so head h reads group h mod G: 0 1 0 1. "
    "Neighboring heads should share a group: 0 0 1 1. Repeat each group next to itself.",
    lambda keys, heads: keys[:, :1].expand(-1, heads, -1, -1),
    "Every head reads the first group. That is multi-query attention; here there are G groups.",
    _along_the_positions,
    "The positions are repeated and then split into heads, so a head has some positions twice and "
    "others not at all. Repeat along the axis of the heads.",
    _by_the_number_of_groups,
    "The head is divided by G. A group serves H/G heads, so head h reads group ⌊h / (H/G)⌋.",
    lambda keys, heads: keys.repeat_interleave(heads, dim=1),
    "Each group is repeated H times. It serves H/G heads.",
    lambda keys, heads: keys.clone(),
    "Nothing is repeated: there are still G heads of keys for H heads of queries.",
)


def _by_expanding(keys: Tensor, num_heads: int) -> Tensor:
    b, groups, t, k = keys.shape
    return keys[:, :, None].expand(b, groups, num_heads // groups, t, k).flatten(1, 2)


def _draw(draw: Draw) -> Inputs:
    groups = draw.size(1, 4)
    keys = draw.normal(draw.size(1, 4), groups, draw.size(1, 4), draw.size(1, 4))
    return keys, groups * draw.size(1, 4)


group_heads = Exercise(
    name="descendants.group_heads",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _by_expanding,
        lambda keys, heads: keys[:, torch.arange(heads) * keys.shape[1] // heads],
    ),
    draw=_draw,
    hint_texts=(
        "Write down for the first case which group each of the four heads reads. Which one should "
        "head 1 read?",
        "Both repeat and repeat_interleave make copies. Which of them puts the copies of one "
        "group next to each other?",
        "keys.repeat_interleave(num_heads // keys.shape[1], dim=1).",
    ),
    starter='''\
def group_heads(keys, num_heads):
    """Keys for every head: (B, G, T, K) -> (B, H, T, K)."""
    times = num_heads // keys.shape[1]
    return keys.repeat(1, times, 1, 1)
''',
    remarks=(GRADIENT,),
)
