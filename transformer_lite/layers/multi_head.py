"""Multi-head attention: several attentions side by side.

Shapes: B batch, H heads, T query length, S key length, D model width, K head width.
"""

from __future__ import annotations

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
from transformer_lite.layers.attention import (
    AttentionSteps,
    attention_steps,
    scaled_dot_product_attention,
)
from transformer_lite.layers.cache import KVCache
from transformer_lite.layers.linear import Linear, weight_to_check
from transformer_lite.layers.positions import PositionScheme


def split_heads(x: Float[Tensor, "B T D"], num_heads: int) -> Float[Tensor, "B H T K"]:
    """Split the width D into H heads of width K = D/H and move the heads before the tokens.

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
    """Undo :func:`split_heads`: put the H heads of every token side by side.

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


class MultiHeadAttention(nn.Module):
    """Attention in H subspaces at once: project, split, attend, merge, project.

    MultiHead(Q, K, V) = [head₁, …, head_H] W^O with headₕ = Attention(Q W^Qₕ, K W^Kₕ, V W^Vₕ)

    Args:
        d_model: the width D of queries, memory and output.
        num_heads: H, a divisor of `d_model` unless `d_head` is given.
        dropout: the dropout probability for the attention weights, 0 ≤ dropout < 1.
        bias: whether the four projections add a bias.
        positions: a scheme that rotates queries and keys, or adds a bias to the scores, in
            self-attention; None does neither.
        d_head: the width K of a head; None means D/H. H · K need not be D.

    Raises:
        TypeError: a size is not an int, `dropout` is not a number, or `positions` is not a position
            scheme.
        ValueError: a size is below 1, `num_heads` does not divide `d_model`, or `dropout` is out of
            range.

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
        d_head: int | None = None,
    ):
        super().__init__()
        check_head_sizes(d_model, num_heads, d_head)
        check_number("dropout", dropout, high=1.0)
        if not isinstance(positions, PositionScheme | None):
            raise TypeError(f"positions must be a PositionScheme or None, got {positions!r:.60}")
        self.d_model, self.num_heads, self.dropout = d_model, num_heads, dropout
        self.d_head = d_head or d_model // num_heads
        width = num_heads * self.d_head
        self.q_proj = Linear(d_model, width, bias=bias)
        self.k_proj = Linear(d_model, width, bias=bias)
        self.v_proj = Linear(d_model, width, bias=bias)
        self.out_proj = Linear(width, d_model, bias=bias)
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
            x: the tokens that attend, shape (B, T, D).
            memory: the tokens that they attend to, shape (B, S, D); None means self-attention.
            mask: boolean, True = may attend, broadcastable to (B, H, T, S).
            cache: keys and values of earlier calls. In self-attention `x` then holds only the new
                tokens, and S counts all tokens so far. In cross-attention the first call projects
                the memory, and later calls reuse it.

        Returns:
            Tensor of shape (B, T, D).

        Raises:
            TypeError, ValueError: as :func:`attention_steps`, or the width is not `d_model`.
        """
        query, key, value, bias = self.query_key_value(x, memory, cache)
        dropout = self.dropout if self.training else 0.0
        heads = scaled_dot_product_attention(query, key, value, mask, self.scale, dropout, bias)
        return self.out_proj(merge_heads(heads))

    def project(
        self, x: Float[Tensor, "B T D"], memory: Float[Tensor, "B S D"] | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return query (B, H, T, K), key and value (B, H, S, K), each split into heads."""
        self._check_inputs(x, memory)
        return self._project_query(x), *self._project_memory(x if memory is None else memory)

    def _project_query(self, x: Tensor) -> Tensor:
        """Return the queries, split into heads."""
        return split_heads(self.q_proj(x), self.num_heads)

    def _project_memory(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values, split into as many heads as a cache keeps."""
        heads = self.num_heads
        return split_heads(self.k_proj(memory), heads), split_heads(self.v_proj(memory), heads)

    def steps(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*#b #T #S"] | None = None,
    ) -> AttentionSteps:
        """Return every intermediate of :meth:`forward` in each head, without dropout.

        Args and Raises are those of :meth:`forward`.

        Returns:
            :class:`AttentionSteps` with shapes (B, H, T, S) and output (B, H, T, K): the heads
            before they are merged and projected by `out_proj`.
        """
        query, key, value, bias = self.query_key_value(x, memory)
        return attention_steps(query, key, value, mask, self.scale, bias)

    # You can skip the rest at first: positions, the cache and checks.

    def query_key_value(
        self, x: Tensor, memory: Tensor | None, cache: KVCache | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        """Return the four inputs of the attention: :meth:`project` with positions and cache.

        Args:
            x, memory, cache: as in :meth:`forward`.

        Returns:
            Query (B, H, T, K), key and value (B, H, S, K), and the bias of the scores or None.
        """
        self._check_inputs(x, memory)
        query = self._project_query(x)
        if memory is not None:
            return query, *self._repeat_heads(*self._cached_memory(memory, cache)), None
        start = 0 if cache is None else cache.length
        key, value = self._project_memory(x)
        query, key = self.positions.rotate(query, start), self.positions.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        # A cache may have dropped the first keys; the new ones are always the last.
        bias = self.positions.bias(query, key.shape[2], key.shape[2] - x.shape[1])
        return query, *self._repeat_heads(key, value), bias

    def _cached_memory(self, memory: Tensor, cache: KVCache | None) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the memory, projected now or by an earlier call."""
        if cache is None:
            return self._project_memory(memory)
        if cache.length == 0:
            cache.append(*self._project_memory(memory))
        key, value = cache.tensors()
        if (len(key), key.shape[2]) != memory.shape[:2]:
            raise ValueError(
                "memory must be the one that the cache was filled from, of shape "
                f"({len(key)}, {key.shape[2]}, {self.d_model}), got {tuple(memory.shape)}"
            )
        return key, value

    def _repeat_heads(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values with H heads: here, they already have them."""
        return key, value

    def _check_inputs(self, x: Tensor, memory: Tensor | None) -> None:
        weights = weight_to_check(self.q_proj, default=x)
        if all(fits(t, weights) and t.ndim == 3 for t in (x, x if memory is None else memory)):
            return
        for name, axis, tensor in (("x", "T", x), ("memory", "S", x if memory is None else memory)):
            check_tensor(name, tensor, min_rank=3)
            check_shape(name, tensor, "B", axis, self.d_model)
        if memory is None:
            check_same("x and weights", x=x, weights=weights)
        else:
            check_same("x, memory and weights", x=x, memory=memory, weights=weights)
