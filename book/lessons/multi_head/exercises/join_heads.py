"""Put the heads side by side again, and project."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.multi_head.exercises._shared import CODED
from transformer_lite.layers import multi_head as package

_normal = normal_numbers("multi_head.join_heads")


def _cases() -> tuple[Case, ...]:
    def draw(h: int, t: int, k: int, d: int, dtype: torch.dtype = torch.float32) -> Case:
        name = f"{h} heads, T={t}, K={k}, D={d}{', float64' * (dtype == torch.float64)}"
        inputs = {"heads": _normal(h, t, k, dtype=dtype), "w_o": _normal(h * k, d, dtype=dtype)}
        return Case(name, inputs)

    exchange = torch.eye(4)[[0, 2, 1, 3]]
    coded = {"heads": package.split_heads(CODED, 2)[0], "w_o": exchange}
    return (
        Case("the coded numbers in two heads; w_o exchanges two columns", coded),
        draw(3, 5, 2, 4),
        draw(2, 4, 5, 3, torch.float64),
        draw(4, 2, 3, 7),
        draw(3, 1, 2, 5),
        draw(2, 4, 3, 1),
    )


def _join(heads: Tensor, w_o: Tensor) -> Tensor:
    return package.merge_heads(heads[None])[0] @ w_o


def _join_by_blocks(heads: Tensor, w_o: Tensor) -> Tensor:
    blocks = w_o.chunk(len(heads))
    return torch.stack([head @ block for head, block in zip(heads, blocks, strict=True)]).sum(dim=0)


_MISTAKES = mistakes(
    lambda heads, w: heads.reshape(heads.shape[1], -1) @ w,
    "The heads are reshaped in their order in memory, head after head, so a row has pieces of "
    "several words. Move the axis of the words to the front first, then join.",
    lambda heads, w: package.merge_heads(heads[None])[0],
    "The heads are joined, but the product with w_o is missing.",
    lambda heads, w: heads.permute(1, 2, 0).flatten(1) @ w,
    "The numbers of the heads alternate. A row must have all of head 0, then all of head 1.",
    lambda heads, w: heads.sum(dim=0) @ w[: heads.shape[-1]],
    "The heads are added and only the first rows of w_o are used. Put them side by side, so each "
    "is multiplied by its own rows.",
    lambda heads, w: heads.mean(dim=0) @ w[: heads.shape[-1]],
    "The heads are averaged into one vector of width K. Join them side by side, H·K numbers.",
    lambda heads, w: heads.flatten(0, 1) @ w,
    "The heads are one above the other, H·T rows of width K. Put them side by side: T rows "
    "of width H·K, as many as w_o has rows.",
)


def _draw(draw: Draw) -> Inputs:
    h, t, k, d = draw.size(1, 4), draw.size(), draw.size(1, 4), draw.size()
    return draw.normal(h, t, k), draw.normal(h * k, d)


join_heads = Exercise(
    name="multi_head.join_heads",
    reference=_join,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _join_by_blocks,
        lambda heads, w: torch.cat(list(heads), dim=-1) @ w,
    ),
    draw=_draw,
    hint_texts=(
        "What is the shape of one joined row, and how many rows does w_o have?",
        "Bring the tokens before the heads, make one row of what belongs to one token, and "
        "multiply.",
        "heads.transpose(0, 1) has shape (T, H, K), and flatten(1) makes (T, H*K) of it. Then "
        "multiply by w_o with @.",
    ),
    starter='''\
def join_heads(heads, w_o):
    """Join heads (H, T, K) and project with w_o (H*K, D): -> (T, D)."""
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
