"""Multi-head self-attention with a mask, from the projections to the output."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.multi_head.exercises._shared import split, viewed
from transformer_lite.layers import multi_head as package
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("multi_head.attend")


def _attend(
    *inputs: Any, scale: float | None = None, split: Callable[[Tensor, int], Tensor] = split
) -> Tensor:
    """Attend with the inputs of a case, in their order."""
    x, w_q, w_k, w_v, w_o, num_heads, mask = inputs
    q, k, v = (split((x @ w)[None], num_heads) for w in (w_q, w_k, w_v))
    joined = package.merge_heads(attention_steps(q, k, v, mask, scale).output)[0]
    return torch.matmul(joined, w_o)


def _cases() -> tuple[Case, ...]:
    def case(name: str, x: Tensor, weights: list[Tensor], num_heads: int, mask: Tensor) -> Case:
        w_q, w_k, w_v, w_o = weights
        inputs = {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
        return Case(name, {**inputs, "num_heads": num_heads, "mask": mask})

    def draw(t: int, h: int, k: int, dtype: torch.dtype = torch.float32, size: int = 1) -> Case:
        """Random weights; each word is forbidden what its first head likes best."""
        x, d = size * _normal(t, h * k, dtype=dtype), h * k
        weights = [_normal(d, d, dtype=dtype) for _ in range(4)]
        first = (x @ weights[0])[:, :k] @ (x @ weights[1])[:, :k].mT
        mask = torch.ones(t, t, dtype=torch.bool).scatter(1, first.argmax(1, keepdim=True), False)
        name = f"T={t}, {h} heads of {k}, a key hidden{', float64' * (dtype == torch.float64)}"
        name += ", large scores" * (size > 1)
        return case(name, x, weights, h, mask)

    words = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]]).float()
    chosen = torch.eye(4)[:, [0, 2, 1, 3]]
    look_ahead = torch.ones(3, 3).tril().bool()
    worked = [chosen, chosen, chosen, torch.eye(4)]
    one_word = [_normal(6, 6) for _ in range(4)]
    one_feature = [_normal(1, 1) for _ in range(4)]
    return (
        case("The, CAT, SAT with two heads and the look-ahead mask", words, worked, 2, look_ahead),
        draw(5, 3, 2),
        draw(4, 2, 3, torch.float64),
        draw(3, 4, 2),
        _low_scores(),
        draw(4, 2, 3, torch.float64, size=300),
        case("one word of width 6, 3 heads", _normal(1, 6), one_word, 3, torch.ones(1, 1) > 0),
        case("one feature, T=3", _normal(3, 1), one_feature, 1, look_ahead),
    )


def _low_scores() -> Case:
    """Return nearly equal words whose scores lie so far below 0 that no fixed fill is lower."""
    width, double = 4, torch.float64
    x = 200 + _normal(3, width, dtype=double) / 100
    w_v, w_o = (_normal(width, width, dtype=double) for _ in range(2))
    one = torch.eye(width, dtype=double)
    inputs = {"x": x, "w_q": one, "w_k": -one, "w_v": w_v, "w_o": w_o, "num_heads": 2}
    mask = ~torch.eye(3, dtype=torch.bool)
    return Case("scores far below 0, T=3, 2 heads of 2, float64", {**inputs, "mask": mask})


def _attend_one_by_one(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, mask: Tensor
) -> Tensor:
    parts = (w.chunk(num_heads, dim=1) for w in (w_q, w_k, w_v))
    heads = [
        attention_steps(x @ q, x @ k, x @ v, mask).output for q, k, v in zip(*parts, strict=True)
    ]
    return torch.cat(heads, dim=-1) @ w_o


def _attend_in_plain_products(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, mask: Tensor
) -> Tensor:
    q, k, v = (torch.unflatten(x @ w, 1, (num_heads, -1)) for w in (w_q, w_k, w_v))
    scores = torch.einsum("thk,shk->hts", q, k) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    return torch.einsum("hts,shk->thk", weights, v).flatten(1) @ w_o


def _attend_masked_after_softmax(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, h: int, mask: Tensor
) -> Tensor:
    q, k, v = (split((x @ w)[None], h) for w in (w_q, w_k, w_v))
    return package.merge_heads((attention_steps(q, k, v).weights * mask) @ v)[0] @ w_o


def _attend_down_the_queries(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, h: int, mask: Tensor
) -> Tensor:
    q, k, v = (split((x @ w)[None], h) for w in (w_q, w_k, w_v))
    scores = attention_steps(q, k, v).scaled.masked_fill(~mask, -torch.inf)
    return package.merge_heads(scores.softmax(dim=-2) @ v)[0] @ w_o


def _attend_in_slices_of_x(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, h: int, mask: Tensor
) -> Tensor:
    """Project each slice of x with the square block of each matrix that has its rows."""
    features = torch.arange(x.shape[-1]) // (x.shape[-1] // h)
    own = features[:, None] == features
    return _attend(x, *(w * own for w in (w_q, w_k, w_v)), w_o, h, mask)


_MISTAKES = mistakes(
    lambda *a: _attend(*a[:5], 1, a[6]),
    "This is one head of the whole width: num_heads is not used.",
    lambda *a: _attend(*a, scale=1 / math.sqrt(a[0].shape[-1])),
    "The scores are divided by the root of the model's width D. A head compares vectors of "
    "width K = D / H: divide by √K.",
    lambda *a: _attend(*a, scale=1.0),
    "The scores are not scaled. Divide them by √K, the root of the width of a head.",
    lambda *a: _attend(*a, split=viewed),
    "The split is a view without a transpose: a head gets pieces of several words, and words "
    "attend to what the mask forbids.",
    lambda *a: _attend(*a[:6], None),
    "The mask is not used: forbidden words still get weight.",
    lambda *a: _attend(*a[:6], ~a[6]),
    "The mask is the wrong way round. Here True means may attend.",
    _attend_masked_after_softmax,
    "The mask is multiplied in after the softmax, so the other weights no longer sum to 1.",
    _attend_down_the_queries,
    "The softmax runs down the queries. The weights of one query sum to 1 over the keys: dim=-1.",
    _attend_in_slices_of_x,
    "Each head gets only its slice of x. Every head reads all features: project the whole x first, "
    "then split the result.",
)


def _draw(draw: Draw) -> Inputs:
    t, h, k = draw.size(), draw.size(1, 4), draw.size(1, 4)
    x = draw.normal(t, h * k, size=math.sqrt(draw.scale()))
    weights = [draw.normal(h * k, h * k) for _ in range(4)]
    mask = draw.mask(t, t) | torch.eye(t, dtype=torch.bool)
    return x, *weights, h, mask


attend = Exercise(
    name="multi_head.attend",
    reference=_attend,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_attend_one_by_one, _attend_in_plain_products),
    draw=_draw,
    hint_texts=(
        "Which steps happen once for all heads, and which happen inside each head?",
        "Project x three times and cut the columns into num_heads slices. In each slice: scores, "
        "divided by the root of the slice's width, masked, softmax, mixture. Then join.",
        "tl.attention_steps(q, k, v, mask).output is one head. Give it slices such as "
        "(x @ w_q)[:, i*k:(i+1)*k], collect the outputs in a list, and return "
        "torch.cat(outputs, dim=-1) @ w_o.",
    ),
    starter='''\
def attend(x, w_q, w_k, w_v, w_o, num_heads, mask):
    """Multi-head self-attention of x (T, D); all weights are (D, D).

    mask (T, T): True = may attend, in every head. Returns (T, D).
    """
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
