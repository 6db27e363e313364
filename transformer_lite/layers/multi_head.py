"""Multi-head attention: several attentions side by side, with a cache for decoding.

Shapes: B batch, H heads, T query length, S key length, D model width, K head width.
"""

from __future__ import annotations

from collections.abc import Callable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.checks import (
    check_head_sizes,
    check_number,
    check_same,
    check_shape,
    check_tensor,
    fits,
)
from transformer_lite.fast.decoding_step import cross_attention_step, self_attention_step
from transformer_lite.fast.exact import is_exactly, offers_fast_step
from transformer_lite.layers.attention import (
    AttentionSteps,
    attention_steps,
    scaled_dot_product_attention,
)
from transformer_lite.layers.cache import KVCache
from transformer_lite.layers.linear import Linear, plain_weight
from transformer_lite.layers.positions import PositionScheme


def split_heads(x: Float[Tensor, "B T D"], num_heads: int) -> Float[Tensor, "B H T K"]:
    """Cut the width D into H heads of K = D/H and move the heads before the positions.

    Args:
        x: shape (B, T, D).
        num_heads: H, a divisor of D.

    Returns:
        Tensor of shape (B, H, T, K). Head h holds columns h·K to (h+1)·K of every token.

    Raises:
        TypeError: `x` is not a float tensor or `num_heads` is not an int.
        ValueError: `x` does not have 3 axes, or `num_heads` does not divide D.

    >>> import torch
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
        TypeError: `x` is not a float tensor.
        ValueError: `x` does not have 4 axes.

    >>> import torch
    >>> merge_heads(torch.zeros(2, 3, 5, 4)).shape
    torch.Size([2, 5, 12])
    """
    check_tensor("x", x, min_rank=4)
    if x.ndim != 4:
        raise ValueError(f"x must have shape (B, H, T, K), got {tuple(x.shape)}")
    return x.transpose(1, 2).flatten(start_dim=2)


@offers_fast_step
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
        TypeError: `d_model` or `num_heads` is not an int, `dropout` is not a number, or `positions`
            is not a position scheme.
        ValueError: `num_heads` does not divide `d_model`, or `dropout` is out of range.

    Reference: Vaswani et al. 2017, section 3.2.2. Differs from the paper: the projections have
    biases by default, as in PyTorch and in most trained models.

    >>> import torch
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

    #: The factor on the scores; None means 1/√K.
    scale: float | None = None

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*#b #T #S"] | None = None,
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
        heads = scaled_dot_product_attention(query, key, value, mask, self.scale, dropout, bias)
        return self.out_proj(merge_heads(heads))

    def steps(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*#b #T #S"] | None = None,
    ) -> AttentionSteps:
        """The teaching form of :meth:`forward`: every head's intermediates, without dropout.

        Args and Raises are those of :meth:`forward`.

        Returns:
            :class:`AttentionSteps` with shapes (B, H, T, S) and output (B, H, T, K): the heads
            before they are merged and projected by `out_proj`.
        """
        query, key, value, bias = self._inputs(x, memory, cache=None)
        return attention_steps(query, key, value, mask, self.scale, bias)

    def project(
        self, x: Float[Tensor, "B T D"], memory: Float[Tensor, "B S D"] | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return query (B, H, T, K), key and value (B, H, S, K), each split into heads."""
        self._check_inputs(x, memory)
        key, value = self._keys_and_values(x if memory is None else memory)
        return self._queries(x), key, value

    def fast_step(
        self,
        cache: KVCache,
        memory_mask: Bool[Tensor, "#B #H 1 #S"] | None = None,
        memory: Float[Tensor, "B S D"] | None = None,
    ) -> Callable[..., Tensor] | None:
        """Return the same for one new token a row, prepared; None where it needs the plain form.

        Args:
            cache: what the tokens before have left, or the memory.
            memory_mask, memory: of a cross-attention, whose cache is filled.
        """
        projections = (self.q_proj, self.k_proj, self.v_proj)
        if not all(self._is_square(projection) for projection in projections):
            return None
        if memory is not None:
            return cross_attention_step(self, cache, memory_mask) if cache.length else None
        alike = len({projection.bias is None for projection in projections}) == 1
        return self_attention_step(self, cache) if alike else None

    def _is_square(self, projection: nn.Module) -> bool:
        """Return whether a projection is a plain product of width D to width D."""
        square = (self.d_model, self.d_model)
        return is_exactly(projection, Linear) and projection.weight.shape == square

    def _inputs(
        self, x: Tensor, memory: Tensor | None, cache: KVCache | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        """Return query, key, value and bias: projected, with positions, and from the cache."""
        self._check_inputs(x, memory)
        query = self._queries(x)
        if memory is not None:
            return query, *self._memory(memory, cache), None
        start = 0 if cache is None else cache.length
        key, value = self._keys_and_values(x)
        query, key = self.positions.rotate(query, start), self.positions.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        bias = self.positions.bias(query, key.shape[2], start)
        return query, *self._serve(key, value), bias

    def _memory(self, memory: Tensor, cache: KVCache | None) -> tuple[Tensor, Tensor]:
        """Return the memory's keys and values, projected now or by an earlier call."""
        if cache is None:
            return self._serve(*self._keys_and_values(memory))
        if cache.length == 0:
            cache.append(*self._keys_and_values(memory))
        key, value = cache.tensors()
        if (len(key), key.shape[2]) != memory.shape[:2]:
            raise ValueError(
                "memory must be the one that the cache was filled from, of shape "
                f"({len(key)}, {key.shape[2]}, {self.d_model}), got {tuple(memory.shape)}"
            )
        return self._serve(key, value)

    def _queries(self, x: Tensor) -> Tensor:
        return split_heads(self.q_proj(x), self.num_heads)

    def _keys_and_values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values as a cache keeps them."""
        heads = self.num_heads
        return split_heads(self.k_proj(x), heads), split_heads(self.v_proj(x), heads)

    def _serve(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Return cached keys and values as the H heads read them: here, as they are."""
        return key, value

    def _check_inputs(self, x: Tensor, memory: Tensor | None) -> None:
        weights = plain_weight(self.q_proj, x)
        if all(fits(t, weights) and t.ndim == 3 for t in (x, x if memory is None else memory)):
            return
        for name, axis, tensor in (("x", "T", x), ("memory", "S", x if memory is None else memory)):
            check_tensor(name, tensor, min_rank=3)
            check_shape(name, tensor, "B", axis, self.d_model)
        if memory is None:
            check_same("x and weights", x=x, weights=weights)
        else:
            check_same("x, memory and weights", x=x, memory=memory, weights=weights)
