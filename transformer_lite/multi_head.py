"""Multi-head attention: several attentions side by side, with a cache for decoding.

Shapes: B batch, H heads, T query length, S key length, D model width, K head width.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite._checks import (
    check_head_sizes,
    check_number,
    check_same,
    check_tensor,
    fits,
)
from transformer_lite.attention import (
    AttentionSteps,
    attention_steps,
    scaled_dot_product_attention,
)
from transformer_lite.linear import Linear
from transformer_lite.positions import PositionScheme


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
    check_head_sizes(x.shape[-1], num_heads)
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


class KVCache:
    """The keys and values that one attention has already computed.

    Decoding asks with one new token at a time. All earlier keys and values are the same as the
    step before, so they are kept here, in a buffer with room for more.

    >>> cache = KVCache()
    >>> keys, values = cache.append(torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 4))
    >>> cache.length, keys.shape
    (3, torch.Size([1, 2, 3, 4]))
    """

    def __init__(self):
        self.length = 0
        self._buffers: list[Tensor] = []

    def append(
        self, key: Float[Tensor, "B H T K"], value: Float[Tensor, "B H T K"]
    ) -> tuple[Float[Tensor, "B H S K"], Float[Tensor, "B H S K"]]:
        """Keep the keys and values of T more tokens and return those of all S so far."""
        end = self.length + key.shape[2]
        if not self._buffers or end > self._buffers[0].shape[2]:
            # The first room fits exactly, as for a memory, which never grows. Later there is a
            # quarter to spare: little enough to read fast, and copying stays rare.
            self._grow(key, value, room=end + self.length // 4)
        for buffer, new in zip(self._buffers, (key, value), strict=True):
            buffer.narrow(2, self.length, key.shape[2]).copy_(new)
        self.length = end
        return self.tensors()

    def tensors(self) -> tuple[Float[Tensor, "B H S K"], Float[Tensor, "B H S K"]]:
        """Return all keys and values so far."""
        key, value = self._buffers
        return key.narrow(2, 0, self.length), value.narrow(2, 0, self.length)

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i of the batch go on with what row `rows[i]` holds, as beam search needs."""
        stay = torch.arange(len(rows), device=rows.device)
        if self._buffers and not (len(rows) == len(self._buffers[0]) and torch.equal(rows, stay)):
            self._buffers = [self._select(buffer, rows) for buffer in self._buffers]

    def _select(self, buffer: Tensor, rows: Tensor) -> Tensor:
        """Return a buffer with these rows; its empty room is not copied."""
        chosen = buffer.new_empty(len(rows), *buffer.shape[1:])
        filled = (tensor.narrow(2, 0, self.length) for tensor in (buffer, chosen))
        torch.index_select(next(filled), 0, rows, out=next(filled))
        return chosen

    def _grow(self, key: Tensor, value: Tensor, room: int) -> None:
        grown = [new.new_empty(*new.shape[:2], room, new.shape[3]) for new in (key, value)]
        for fresh, old in zip(grown, self._buffers, strict=False):
            fresh[:, :, : self.length] = old[:, :, : self.length]
        self._buffers = grown


class MultiHeadAttention(nn.Module):
    """Attention in H subspaces at once: project, split, attend, merge, project.

    MultiHead(Q, K, V) = [head₁, …, head_H] W^O with headₕ = Attention(Q W^Qₕ, K W^Kₕ, V W^Vₕ)

    Args:
        d_model: the width D of queries, memory and output.
        num_heads: H, a divisor of `d_model`; each head has width K = D/H.
        dropout: the share of attention weights to drop in training, 0 ≤ dropout < 1.
        bias: whether the four projections add a bias.
        positions: a scheme that turns queries and keys, or adds to the scores, where the tokens
            attend to themselves; None does neither.

    Raises:
        TypeError: `d_model` or `num_heads` is not an int, `dropout` no number, or `positions` no
            position scheme.
        ValueError: `num_heads` does not divide `d_model`, or `dropout` is out of range.

    Reference: Vaswani et al. 2017, section 3.2.2. Differs from the paper: the projections have
    biases by default, as in PyTorch and in most trained models.

    >>> MultiHeadAttention(d_model=8, num_heads=2)(torch.zeros(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        positions: PositionScheme | None = None,
    ):
        super().__init__()
        check_head_sizes(d_model, num_heads)
        check_number("dropout", dropout, high=1.0)
        if not isinstance(positions, PositionScheme | None):
            raise TypeError(f"positions must be a PositionScheme or None, got {positions!r:.60}")
        self.d_model, self.num_heads, self.dropout = d_model, num_heads, dropout
        self.q_proj = Linear(d_model, d_model, bias=bias)
        self.k_proj = Linear(d_model, d_model, bias=bias)
        self.v_proj = Linear(d_model, d_model, bias=bias)
        self.out_proj = Linear(d_model, d_model, bias=bias)
        self.positions = positions or PositionScheme()

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*b T S"] | None = None,
        cache: KVCache | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Let every position of `x` attend to `memory`, or to `x` itself.

        Args:
            x: what asks, shape (B, T, D).
            memory: what is looked at, shape (B, S, D); None means self-attention.
            mask: boolean, True = may attend, broadcastable to (B, H, T, S).
            cache: what earlier calls have projected. In self-attention `x` is then what follows,
                and S counts all tokens so far. In cross-attention the memory is projected once,
                by the first call.

        Returns:
            Tensor of shape (B, T, D).

        Raises:
            TypeError, ValueError: as :func:`attention_steps`; the width is not `d_model`.
        """
        query, key, value, bias = self._inputs(x, memory, cache)
        dropout = self.dropout if self.training else 0.0
        heads = scaled_dot_product_attention(query, key, value, mask, bias=bias, dropout=dropout)
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
        query, key, value, bias = self._inputs(x, memory, cache=None)
        return attention_steps(query, key, value, mask, bias=bias)

    def project(
        self, x: Float[Tensor, "B T D"], memory: Float[Tensor, "B S D"] | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return query (B, H, T, K), key and value (B, H, S, K), each split into heads."""
        self._check_inputs(x, memory)
        return self._heads(self.q_proj, x), *self._keys_and_values(x if memory is None else memory)

    def _inputs(self, x, memory, cache) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        """Return query, key, value and bias: projected, with positions, and from the cache."""
        self._check_inputs(x, memory)
        query = self._heads(self.q_proj, x)
        if memory is not None:
            if cache is None:
                return query, *self._keys_and_values(memory), None
            if cache.length == 0:
                cache.append(*self._keys_and_values(memory))
            return query, *cache.tensors(), None
        start = 0 if cache is None else cache.length
        key, value = self._keys_and_values(x)
        query, key = self.positions.rotate(query, start), self.positions.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        return query, key, value, self.positions.bias(query, key.shape[2], start)

    def _keys_and_values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return self._heads(self.k_proj, x), self._heads(self.v_proj, x)

    def _heads(self, projection: Linear, x: Tensor) -> Tensor:
        return split_heads(projection(x), self.num_heads)

    def _check_inputs(self, x: Tensor, memory: Tensor | None) -> None:
        weights = self.q_proj.weight
        if all(fits(t, weights) and t.ndim == 3 for t in (x, x if memory is None else memory)):
            return
        for name, tensor in (("x", x), ("memory", x if memory is None else memory)):
            check_tensor(name, tensor, min_rank=3)
            if tensor.ndim != 3 or tensor.shape[-1] != self.d_model:
                raise ValueError(
                    f"{name} must have shape (B, T, {self.d_model}), got {tuple(tensor.shape)}"
                )
        if memory is None:
            check_same("x and weights", x=x, weights=weights)
        else:
            check_same("x, memory and weights", x=x, memory=memory, weights=weights)
