"""Sliding-window attention: every query attends only to the most recent keys."""

from __future__ import annotations

from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor

from transformer_lite.checks import check_size
from transformer_lite.layers.attention import AttentionSteps
from transformer_lite.layers.cache import KVCache, WindowCache
from transformer_lite.layers.grouped_query import GroupedQueryAttention
from transformer_lite.layers.masks import combine_masks, sliding_window_mask


class SlidingWindowAttention(GroupedQueryAttention):
    """Causal self-attention in which a query attends to the last w keys, itself included.

    It adds :func:`sliding_window_mask` to the mask that it is given. A decoder's cache keeps only
    the window of such a layer, in a :class:`WindowCache`; the output is the same as without.

    Args:
        args, others: as in :class:`GroupedQueryAttention`.
        window: w, the number of keys that a query may attend to, at least 1.

    Raises:
        TypeError, ValueError: as in :class:`GroupedQueryAttention`, and for `window`.

    Reference: Child et al. 2019; Beltagy et al. 2020; Jiang et al. 2023, section 2.

    >>> import torch
    >>> SlidingWindowAttention(8, 4, 2, window=3)(torch.zeros(1, 5, 8)).shape
    torch.Size([1, 5, 8])
    """

    def __init__(self, *args: Any, window: int, **others: Any) -> None:
        super().__init__(*args, **others)
        check_size("window", window)
        self.window = window

    def new_target_cache(self) -> WindowCache:
        """Return an empty cache that keeps only the window."""
        return WindowCache(self.window)

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Tensor | None = None,
        mask: Bool[Tensor, "*#b #T #S"] | None = None,
        cache: KVCache | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Let every position of `x` attend to the window that ends at it.

        Args:
            x, mask, cache: as in :meth:`MultiHeadAttention.forward`; S counts all tokens so far.
            memory: None, because only earlier tokens of `x` have a distance.

        Returns:
            Tensor of shape (B, T, D).

        Raises:
            TypeError, ValueError: as there, or `memory` is given.
        """
        return super().forward(x, None, self._in_window(x, memory, mask, cache), cache)

    def steps(
        self,
        x: Float[Tensor, "B T D"],
        memory: Tensor | None = None,
        mask: Bool[Tensor, "*#b #T #S"] | None = None,
    ) -> AttentionSteps:
        """Compute the same and return every intermediate, as :meth:`MultiHeadAttention.steps`."""
        return super().steps(x, None, self._in_window(x, memory, mask))

    def _in_window(
        self, x: Tensor, memory: Tensor | None, mask: Tensor | None, cache: KVCache | None = None
    ) -> Tensor:
        """Return the mask of the window and of `mask`, for the keys that the cache will return."""
        self._check_inputs(x, None)
        if memory is not None:
            raise ValueError(
                "memory must be None, because a window is for self-attention, "
                f"got one of shape {tuple(memory.shape)}"
            )
        start, length = 0 if cache is None else cache.length, x.shape[1]
        near = sliding_window_mask(length, self.window, x.device, start)
        if mask is not None:
            near = combine_masks(near, mask)
        if isinstance(cache, WindowCache):
            near = near[..., -(length + min(start, self.window - 1)) :]
        return near
