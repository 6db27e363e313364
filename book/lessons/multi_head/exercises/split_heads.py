"""Find the bug: a split by view alone, which mixes the words up."""

import torch

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.multi_head.exercises._shared import CODED, split, viewed
from transformer_lite.layers import multi_head as package

_normal = normal_numbers("multi_head.split_heads")


def _cases() -> tuple[Case, ...]:
    def draw(b: int, t: int, h: int, k: int, dtype: torch.dtype = torch.float32) -> Case:
        name = f"B={b}, T={t}, {h} heads of {k}{', float64' * (dtype == torch.float64)}"
        return Case(name, {"x": _normal(b, t, h * k, dtype=dtype), "num_heads": h})

    return (
        Case("the coded numbers 10 to 33, two heads", {"x": CODED, "num_heads": 2}),
        draw(2, 5, 3, 4),
        draw(4, 3, 2, 5, torch.float64),
        draw(1, 6, 4, 2),
        draw(3, 2, 1, 4),
        draw(2, 1, 3, 1),
    )


_MISTAKES = mistakes(
    viewed,
    "The view writes the heads before the words without moving a number. In memory the words still "
    "follow one another, so head 0 gets the first T·K numbers, and nothing of the last word. "
    "Split each word first, then exchange two axes.",
    lambda x, h: x.view(*x.shape[:2], h, -1),
    "The words are split, but the axis of the heads is still after that of the words: the axes are "
    "(B, T, H, K). Attention runs over the last two, so it would compare the heads of one word.",
    lambda x, h: x.view(*x.shape[:2], -1, h).permute(0, 3, 1, 2),
    "Each head takes every H-th feature, because the last axis was cut into (K, H). A head "
    "takes K features that lie side by side.",
    lambda x, h: x.reshape(*x.shape[:2], -1, h).transpose(1, 2),
    "The sizes of the two new axes are exchanged: this makes K heads of width H.",
    lambda x, h: split(x, h).transpose(0, 1),
    "The axis of the heads is before that of the batch. The batch stays the first axis: (B, H, T, "
    "K).",
    lambda x, h: x[:, None].expand(-1, h, -1, -1),
    "Every head gets the whole width. A head gets K = D / H features of each word.",
)


def _draw(draw: Draw) -> Inputs:
    heads = draw.size(1, 4)
    return draw.normal(draw.size(), draw.size(), heads * draw.size(1, 4)), heads


split_heads = Exercise(
    name="multi_head.split_heads",
    reference=package.split_heads,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda x, h: torch.stack(x.chunk(h, dim=-1), dim=1),
        lambda x, h: x.view(*x.shape[:2], h, -1).permute(0, 2, 1, 3).contiguous(),
    ),
    draw=_draw,
    hint_texts=(
        "Print the result for the coded numbers. Which words does head 0 contain, and which should "
        "it contain?",
        "A view never moves a number, so it cannot bring the heads before the words. Which axes "
        "can it make while the words still come first?",
        "View as (batch, tokens, num_heads, width // num_heads): that cuts each word. Then "
        "transpose(1, 2) brings the heads forward.",
    ),
    starter='''\
def split_heads(x, num_heads):
    """Cut each token into heads: (B, T, D) -> (B, H, T, K)."""
    batch, tokens, width = x.shape
    return x.view(batch, num_heads, tokens, width // num_heads)
''',
    remarks=(GRADIENT,),
)
