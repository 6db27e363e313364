"""Grouped-query attention: several query heads share one head of keys and values."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from transformer_lite.checks import check_number, check_size
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.multi_head import MultiHeadAttention, split_heads
from transformer_lite.layers.positions import PositionScheme


class GroupedQueryAttention(MultiHeadAttention):
    """Multi-head attention with fewer heads for keys and values than for queries.

    Head h reads the keys and values of group ⌊h·G/H⌋. A cache keeps G heads instead of H. With
    G = H this is multi-head attention, with G = 1 multi-query attention.

    Args:
        d_model, num_heads, dropout, bias, positions, d_head: as in :class:`MultiHeadAttention`.
        num_kv_heads: G, the number of heads for keys and values, a divisor of `num_heads`.
        make_qk_norm: returns a new norm of the width K; called once for the queries and once for
            the keys, which are normalized head by head before they are rotated. None leaves
            them as they are.
        scale: the factor on the scores; None means 1/√K.

    Raises:
        TypeError: as in :class:`MultiHeadAttention`, and `num_kv_heads` is not an int, or `scale`
            is not a number.
        ValueError: as there, and `num_kv_heads` does not divide `num_heads`, or `scale` is out of
            range.

    Reference: Ainslie et al. 2023; Shazeer 2019 for one group; Henry et al. 2020 and Dehghani et
    al. 2023 for norms on queries and keys.

    >>> import torch
    >>> GroupedQueryAttention(d_model=8, num_heads=4, num_kv_heads=2)(torch.zeros(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_kv_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        positions: PositionScheme | None = None,
        d_head: int | None = None,
        make_qk_norm: Callable[[int], nn.Module] | None = None,
        scale: float | None = None,
    ) -> None:
        super().__init__(d_model, num_heads, dropout, bias, positions, d_head)
        check_size("num_kv_heads", num_kv_heads)
        if num_heads % num_kv_heads:
            raise ValueError(
                "num_kv_heads must divide num_heads, "
                f"got num_heads={num_heads}, num_kv_heads={num_kv_heads}"
            )
        if scale is not None:
            check_number("scale", scale)
        self.num_kv_heads, self.scale = num_kv_heads, scale
        self.k_proj = Linear(d_model, num_kv_heads * self.d_head, bias=bias)
        self.v_proj = Linear(d_model, num_kv_heads * self.d_head, bias=bias)
        self.q_norm = make_qk_norm(self.d_head) if make_qk_norm else nn.Identity()
        self.k_norm = make_qk_norm(self.d_head) if make_qk_norm else nn.Identity()

    def _project_query(self, x: Tensor) -> Tensor:
        """Return H heads of queries, normalized, of shape (B, H, T, K)."""
        return self.q_norm(super()._project_query(x))

    def _project_memory(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return G heads of normalized keys, and of values, each of shape (B, G, S, K)."""
        heads = self.num_kv_heads
        key = self.k_norm(split_heads(self.k_proj(memory), heads))
        return key, split_heads(self.v_proj(memory), heads)

    def _repeat_heads(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Repeat each group's keys and values for the H/G heads that read them."""
        times = self.num_heads // self.num_kv_heads
        return key.repeat_interleave(times, dim=1), value.repeat_interleave(times, dim=1)
