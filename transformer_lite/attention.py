"""Scaled dot-product attention: the pure functions first, then the multi-head module.

Shapes: B batch, H heads, T query length, S key length, D model width, K head width.
"""

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite._checks import (
    check_mask,
    check_number,
    check_same,
    check_size,
    check_tensor,
)


class AttentionSteps(NamedTuple):
    """Every intermediate of one attention, in the order in which it is computed."""

    scores: Float[Tensor, "*B T S"]
    scaled: Float[Tensor, "*B T S"]
    masked: Float[Tensor, "*B T S"]
    weights: Float[Tensor, "*B T S"]
    output: Float[Tensor, "*B T K"]


def masked_softmax(
    scores: Float[Tensor, "*B T S"], mask: Bool[Tensor, "*b T S"] | None = None
) -> Float[Tensor, "*B T S"]:
    """Softmax over the last axis, among the allowed entries only.

    weightsᵢⱼ = exp(scoresᵢⱼ) / Σⱼ exp(scoresᵢⱼ), the sum over the j that mask allows.

    Args:
        scores: shape (..., T, S).
        mask: boolean, True = may attend, broadcastable to `scores`; None allows all.

    Returns:
        Weights of shape (..., T, S). Each row sums to 1, or to 0 where the whole row is masked.

    Raises:
        TypeError: `scores` is not a float tensor or `mask` not a boolean one.
        ValueError: `scores` has no axis, or `mask` does not broadcast to it.

    >>> masked_softmax(torch.tensor([0.0, 0.0, 9.0]), torch.tensor([True, True, False]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    check_tensor("scores", scores)
    if mask is None:
        return scores.softmax(dim=-1)
    check_mask(mask, scores.shape, scores.device)
    # The lowest finite number, not -inf: a row of -inf alone has no softmax, and its gradient
    # stays NaN even if the NaN itself is replaced afterwards.
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, lowest).softmax(dim=-1).masked_fill(~mask, 0.0)


def attention_steps(
    query: Float[Tensor, "*B T K"],
    key: Float[Tensor, "*B S K"],
    value: Float[Tensor, "*B S V"],
    mask: Bool[Tensor, "*b T S"] | None = None,
    scale: float | None = None,
) -> AttentionSteps:
    """Scaled dot-product attention with every intermediate kept.

    output = softmax(mask(query keyᵀ · scale)) value

    Args:
        query: shape (..., T, K).
        key: shape (..., S, K).
        value: shape (..., S, V).
        mask: boolean, True = may attend, broadcastable to (..., T, S); None allows all.
        scale: the factor on the scores; None means 1/√K, and 1.0 switches scaling off.

    Returns:
        :class:`AttentionSteps`: scores, scaled, masked, weights and output. In `masked`, a
        forbidden entry is −∞. A fully masked row has weights 0 and output 0.

    Raises:
        TypeError: an input is no float tensor, dtypes or devices differ, or `mask` is not boolean.
        ValueError: shapes do not fit, or `scale` is not positive.

    Reference: Vaswani et al. 2017, section 3.2.1, equation 1.

    >>> x = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])
    >>> attention_steps(x, x, x).output[0]
    tensor([0.8446, 0.5777, 0.8446, 0.5777])
    """
    scale = _check_attention(query, key, value, mask, scale)
    scores = query @ key.mT
    scaled = scores * scale
    masked = scaled if mask is None else scaled.masked_fill(~mask, -torch.inf)
    weights = masked_softmax(scaled, mask)
    return AttentionSteps(scores, scaled, masked, weights, weights @ value)


def scaled_dot_product_attention(
    query: Float[Tensor, "*B T K"],
    key: Float[Tensor, "*B S K"],
    value: Float[Tensor, "*B S V"],
    mask: Bool[Tensor, "*b T S"] | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
) -> Float[Tensor, "*B T V"]:
    """The output of :func:`attention_steps` from PyTorch's fused kernel, without the steps.

    Args:
        query, key, value, mask, scale: as in :func:`attention_steps`.
        dropout: the share of attention weights to drop, 0 ≤ dropout < 1. It always drops;
            pass 0.0 when you evaluate.

    Returns:
        Tensor of shape (..., T, V).

    Raises:
        TypeError, ValueError: as in :func:`attention_steps`, and for `dropout` out of range.

    Reference: Vaswani et al. 2017, section 3.2.1; Dao et al. 2022 for the fused kernel.

    >>> x = torch.eye(2)
    >>> scaled_dot_product_attention(x, x, x, mask=torch.zeros(2, 2, dtype=torch.bool))
    tensor([[0., 0.],
            [0., 0.]])
    """
    scale = _check_attention(query, key, value, mask, scale)
    check_number("dropout", dropout, high=1.0)
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value, dropout_p=dropout, scale=scale)
    # Not every kernel answers a fully masked row with zeros: open it, then clear its output.
    mask = torch.atleast_2d(mask)
    alive = mask.any(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(
        query, key, value, attn_mask=mask | ~alive, dropout_p=dropout, scale=scale
    )
    return output.masked_fill(~alive, 0.0)


def split_heads(x: Float[Tensor, "B T D"], num_heads: int) -> Float[Tensor, "B H T K"]:
    """Cut the width D into H heads of K = D/H and move the heads before the positions.

    Args:
        x: shape (B, T, D).
        num_heads: H, a divisor of D.

    Returns:
        Tensor of shape (B, H, T, K). Head h holds columns h·K to (h+1)·K of every token.

    Raises:
        TypeError: `x` is no float tensor or `num_heads` no int.
        ValueError: `x` does not have 3 axes, or `num_heads` does not divide D.

    >>> split_heads(torch.zeros(2, 5, 12), num_heads=3).shape
    torch.Size([2, 3, 5, 4])
    """
    check_tensor("x", x, min_rank=3)
    if x.ndim != 3:
        raise ValueError(f"x must have shape (B, T, D), got {tuple(x.shape)}")
    _check_heads(x.shape[-1], num_heads)
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x: Float[Tensor, "B H T K"]) -> Float[Tensor, "B T D"]:
    """Undo :func:`split_heads`: put the H heads of every token side by side again.

    Args:
        x: shape (B, H, T, K).

    Returns:
        Tensor of shape (B, T, D) with D = H·K.

    Raises:
        TypeError: `x` is no float tensor.
        ValueError: `x` does not have 4 axes.

    >>> merge_heads(torch.zeros(2, 3, 5, 4)).shape
    torch.Size([2, 5, 12])
    """
    check_tensor("x", x, min_rank=4)
    if x.ndim != 4:
        raise ValueError(f"x must have shape (B, H, T, K), got {tuple(x.shape)}")
    return x.transpose(1, 2).flatten(start_dim=2)


class MultiHeadAttention(nn.Module):
    """Attention in H subspaces at once: project, split, attend, merge, project.

    MultiHead(Q, K, V) = [head₁, …, head_H] W^O with headₕ = Attention(Q W^Qₕ, K W^Kₕ, V W^Vₕ)

    Args:
        d_model: the width D of queries, memory and output.
        num_heads: H, a divisor of `d_model`; each head has width K = D/H.
        dropout: the share of attention weights to drop in training, 0 ≤ dropout < 1.
        bias: whether the four projections add a bias.

    Raises:
        TypeError: `d_model` or `num_heads` is not an int, or `dropout` is not a number.
        ValueError: `num_heads` does not divide `d_model`, or `dropout` is out of range.

    Reference: Vaswani et al. 2017, section 3.2.2. Differs from the paper: the projections have
    biases by default, as in PyTorch and in most trained models.

    >>> MultiHeadAttention(d_model=8, num_heads=2)(torch.zeros(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """

    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.0, bias: bool = True):
        super().__init__()
        check_size("d_model", d_model)
        _check_heads(d_model, num_heads)
        check_number("dropout", dropout, high=1.0)
        self.d_model, self.num_heads, self.dropout = d_model, num_heads, dropout
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*b T S"] | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Let every position of `x` attend to `memory`, or to `x` itself.

        Args:
            x: what asks, shape (B, T, D).
            memory: what is looked at, shape (B, S, D); None means self-attention.
            mask: boolean, True = may attend, broadcastable to (B, H, T, S).

        Returns:
            Tensor of shape (B, T, D).

        Raises:
            TypeError, ValueError: as :func:`attention_steps`; the width is not `d_model`.
        """
        q, k, v = self.project(x, memory)
        dropout = self.dropout if self.training else 0.0
        heads = scaled_dot_product_attention(q, k, v, mask, dropout=dropout)
        return self.out_proj(merge_heads(heads))

    def steps(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*b T S"] | None = None,
    ) -> AttentionSteps:
        """The teaching form of :meth:`forward`: every head's intermediates, without dropout.

        Args and Raises are those of :meth:`forward`.

        Returns:
            :class:`AttentionSteps` with shapes (B, H, T, S) and output (B, H, T, K): the heads
            before they are merged and projected by `out_proj`.
        """
        return attention_steps(*self.project(x, memory), mask)

    def project(
        self, x: Float[Tensor, "B T D"], memory: Float[Tensor, "B S D"] | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return query (B, H, T, K), key and value (B, H, S, K), each split into heads."""
        memory = x if memory is None else memory
        for name, tensor in (("x", x), ("memory", memory)):
            check_tensor(name, tensor, min_rank=3)
            if tensor.ndim != 3 or tensor.shape[-1] != self.d_model:
                raise ValueError(
                    f"{name} must have shape (B, T, {self.d_model}), got {tuple(tensor.shape)}"
                )
        check_same("x, memory and weights", x=x, memory=memory, weights=self.q_proj.weight)
        return (
            split_heads(self.q_proj(x), self.num_heads),
            split_heads(self.k_proj(memory), self.num_heads),
            split_heads(self.v_proj(memory), self.num_heads),
        )


def _check_heads(d_model: int, num_heads: int) -> None:
    check_size("num_heads", num_heads)
    if d_model % num_heads:
        raise ValueError(
            f"num_heads must divide d_model, got d_model={d_model}, num_heads={num_heads}"
        )


def _check_attention(query, key, value, mask, scale) -> float:
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
    if mask is not None:
        check_mask(mask, (*query.shape[:-1], key.shape[-2]), query.device)
    if scale is None:
        return 1.0 / math.sqrt(query.shape[-1])
    check_number("scale", scale)
    if scale == 0:
        raise ValueError("scale must be greater than 0, got 0")
    return scale
