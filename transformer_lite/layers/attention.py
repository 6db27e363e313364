"""Scaled dot-product attention as pure functions: step by step, and fused.

Shapes: B batch, H heads, T query length, S key length, K width of queries and keys.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from transformer_lite.checks import (
    check_broadcast,
    check_mask,
    check_number,
    check_same,
    check_tensor,
)

# A mask or bias broadcasts to the scores, shape (..., T, S). It may also lack axes on the left.
Mask = Bool[Tensor, "*#B #T #S"] | Bool[Tensor, "#S"] | Bool[Tensor, ""]
Bias = Float[Tensor, "*#B #T #S"] | Float[Tensor, "#S"] | Float[Tensor, ""]


class AttentionSteps(NamedTuple):
    """Every intermediate of one attention, in the order in which it is computed."""

    scores: Float[Tensor, "*B T S"]
    scaled: Float[Tensor, "*B T S"]
    masked: Float[Tensor, "*B T S"]
    weights: Float[Tensor, "*B T S"]
    output: Float[Tensor, "*B T V"]


def masked_softmax(
    scores: Float[Tensor, "*B"], mask: Bool[Tensor, "*#B"] | None = None
) -> Float[Tensor, "*B"]:
    """Return the softmax over the last axis, among the allowed entries only.

    weightsᵢⱼ = exp(scoresᵢⱼ) / Σⱼ exp(scoresᵢⱼ), the sum over the j that mask allows.

    Args:
        scores: shape (..., S); in attention (..., T, S).
        mask: boolean, True = may attend, broadcastable to `scores`; None allows all.

    Returns:
        Weights of the shape of `scores`. Each row sums to 1. A row without an allowed entry has
        weights 0; a score of −∞ is not allowed either.

    Raises:
        TypeError: `scores` is not a float tensor or `mask` not a boolean one.
        ValueError: `scores` has no axis, or `mask` does not broadcast to it.

    >>> masked_softmax(torch.tensor([0.0, 0.0, 9.0]), torch.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    check_tensor("scores", scores)
    allowed = scores != -torch.inf
    if mask is not None:
        check_mask(mask, scores.shape, scores.device)
        allowed = allowed & mask
    # The softmax of a row of -inf alone is NaN. Replacing that NaN afterwards saves the output but
    # not the gradient, so such a row is computed from zeros.
    nothing = ~allowed.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~allowed, -torch.inf).masked_fill(nothing, 0.0)
    return scores.softmax(dim=-1).masked_fill(nothing, 0.0)


def attention_steps(
    query: Float[Tensor, "*B T K"],
    key: Float[Tensor, "*B S K"],
    value: Float[Tensor, "*B S V"],
    mask: Mask | None = None,
    scale: float | None = None,
    bias: Bias | None = None,
) -> AttentionSteps:
    """Compute scaled dot-product attention and return every intermediate.

    output = softmax(mask(query keyᵀ · scale + bias)) value

    Args:
        query: shape (..., T, K).
        key: shape (..., S, K).
        value: shape (..., S, V).
        mask: boolean, True = may attend, broadcastable to (..., T, S); None allows all.
        scale: the factor on the scores; None means 1/√K, and 1.0 switches scaling off.
        bias: added to the scaled scores, broadcastable to (..., T, S): relative positions.

    Returns:
        :class:`AttentionSteps`: scores, scaled, masked, weights and output. The bias is in
        `masked`, where a forbidden entry is −∞. A fully masked row, by the mask or by a bias of
        −∞, has weights 0 and output 0.

    Raises:
        TypeError: an input is not a float tensor, dtypes or devices differ, or `mask` is not
            boolean.
        ValueError: shapes do not fit, or `scale` is not positive.

    Reference: Vaswani et al. 2017, section 3.2.1, equation 1; Raffel et al. 2020 for the bias.

    >>> x = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])
    >>> attention_steps(x, x, x).output[0]
    tensor([0.8446, 0.5777, 0.8446, 0.5777])
    """
    scale = _check_attention(query, key, value, mask, scale, bias)
    scores = query @ key.mT
    scaled = scores * scale
    biased = scaled if bias is None else scaled + bias
    masked = biased if mask is None else biased.masked_fill(~mask, -torch.inf)
    weights = masked_softmax(biased, mask)
    return AttentionSteps(scores, scaled, masked, weights, weights @ value)


def scaled_dot_product_attention(
    query: Float[Tensor, "*B T K"],
    key: Float[Tensor, "*B S K"],
    value: Float[Tensor, "*B S V"],
    mask: Mask | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
    bias: Bias | None = None,
) -> Float[Tensor, "*B T V"]:
    """Return the output of :func:`attention_steps`, from PyTorch's fused kernel.

    The kernel never stores the whole T × S matrix of weights: its memory grows with T + S, not T ·
    S. Masked keys must be finite too: the kernel adds −∞ to their scores, and NaN − ∞ is NaN.

    Args:
        query, key, value, mask, scale: as in :func:`attention_steps`.
        dropout: the dropout probability for the attention weights, 0 ≤ dropout < 1. It applies in
            every call; pass 0.0 for evaluation.
        bias: as in :func:`attention_steps`.

    Returns:
        Tensor of shape (..., T, V).

    Raises:
        TypeError, ValueError: as in :func:`attention_steps`, or `dropout` is out of range.

    Reference: Vaswani et al. 2017, section 3.2.1; Dao et al. 2022 for the fused kernel.

    >>> x = torch.eye(2)
    >>> scaled_dot_product_attention(x, x, x, mask=torch.zeros(2, 2, dtype=torch.bool))
    tensor([[0., 0.],
            [0., 0.]])
    """
    scale = _check_attention(query, key, value, mask, scale, bias)
    check_number("dropout", dropout, high=1.0)
    if mask is not None:
        mask = torch.atleast_2d(mask)
    if bias is not None:
        bias = torch.atleast_2d(bias)
        mask = bias if mask is None else bias.masked_fill(~mask, -torch.inf)
    # PyTorch returns zeros for a fully masked row, as attention_steps does.
    return F.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, dropout_p=dropout, scale=scale
    )


def dot_product_self_attention(x: Float[Tensor, "*B T D"]) -> Float[Tensor, "*B T D"]:
    """Return attention without projections: queries, keys and values are the tokens themselves.

    output = softmax(X Xᵀ) X

    Args:
        x: tokens, shape (..., T, D).

    Returns:
        Tensor of shape (..., T, D). Every row is a weighted mean of the rows of `x`.

    Raises:
        TypeError: `x` is not a float tensor.
        ValueError: `x` has fewer than 2 axes, or one of them is empty.

    Reference: Bishop and Bishop 2024, section 12.1.3.

    >>> dot_product_self_attention(torch.zeros(2, 3))
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return attention_steps(x, x, x, scale=1.0).output


def _check_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scale: float | None,
    bias: Tensor | None,
) -> float:
    """Check the inputs of an attention and return the scale to use."""
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        check_tensor(name, tensor, min_rank=2)
    check_same("query, key and value", query=query, key=key, value=value)
    came = f"got query {tuple(query.shape)}, key {tuple(key.shape)}, value {tuple(value.shape)}"
    if query.shape[:-2] != key.shape[:-2] or key.shape[:-2] != value.shape[:-2]:
        raise ValueError(f"query, key and value must share their leading axes, {came}")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"query and key must have the same width, {came}")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"key and value must have the same length, {came}")
    if query.shape[-1] == 0 or key.shape[-2] == 0:
        raise ValueError(f"width and key length must be at least 1, {came}")
    shape = (*query.shape[:-1], key.shape[-2])
    if mask is not None:
        check_mask(mask, shape, query.device)
    if bias is not None:
        check_tensor("bias", bias)
        check_same("query and bias", query=query, bias=bias)
        check_broadcast("bias", bias, shape)
    if scale is None:
        return 1.0 / math.sqrt(query.shape[-1])
    check_number("scale", scale)
    if scale == 0:
        raise ValueError("scale must be greater than 0, got 0")
    return scale
