"""The decoder: a stack of layers that look back at the target, then across at the source."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.multi_head import KVCache, MultiHeadAttention
from transformer_lite.residual import PostNorm


class DecoderCache:
    """What a decoder remembers between two steps of decoding.

    Every layer has two caches: `target` grows with each token, `memory` is filled once, from the
    encoder's output.

    Args:
        num_layers: the number of decoder layers.
    """

    def __init__(self, num_layers: int):
        self.target = [KVCache() for _ in range(num_layers)]
        self.memory = [KVCache() for _ in range(num_layers)]
        self.real: Tensor | None = None
        self.has_pads = False

    @property
    def length(self) -> int:
        """The number of tokens so far."""
        return 0 if self.real is None else self.real.shape[-1]

    def extend(self, real: Bool[Tensor, "B 1 1 T"]) -> Bool[Tensor, "B 1 1 S"] | None:
        """Note which of T more tokens are no pads; return that of all S, or None without pads."""
        self.real = real if self.real is None else torch.cat([self.real, real], dim=-1)
        self.has_pads = self.has_pads or not bool(real.all())
        return self.real if self.has_pads else None

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i continue what row `rows[i]` began, with the same source as before."""
        grows = len(rows) != len(self.real)
        self.real = self.real[rows]
        # Row i keeps its source, so its memory need not move, unless there are new rows.
        for cache in self.target + self.memory if grows else self.target:
            cache.reorder(rows)


class DecoderLayer(nn.Module):
    """Three sub-layers: masked self-attention, cross-attention, feed-forward.

    The queries of the cross-attention come from the self-attention before it, keys and values
    from the encoder. Without a cross-attention this is the layer of a decoder-only model.

    Args:
        self_attention: how the target's tokens look back at each other.
        feed_forward: what every token does by itself.
        make_residual: returns a fresh residual recipe; called once for each sub-layer.
        cross_attention: how the target looks at the source; None leaves the sub-layer out.

    Reference: Vaswani et al. 2017, section 3.1; Radford et al. 2018 for two sub-layers.

    >>> import torch
    >>> from transformer_lite import FeedForward, LayerNorm
    >>> parts = MultiHeadAttention(8, 2), FeedForward(8, 32), lambda: PostNorm(LayerNorm(8))
    >>> layer = DecoderLayer(*parts, cross_attention=MultiHeadAttention(8, 2))
    >>> layer(torch.zeros(1, 3, 8), memory=torch.zeros(1, 5, 8)).shape
    torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        self_attention: MultiHeadAttention,
        feed_forward: nn.Module,
        make_residual: Callable[[], PostNorm],
        cross_attention: MultiHeadAttention | None = None,
    ):
        super().__init__()
        self.self_attention = self_attention
        self.self_attention_residual = make_residual()
        self.cross_attention = cross_attention
        self.cross_attention_residual = None if cross_attention is None else make_residual()
        self.feed_forward = feed_forward
        self.feed_forward_residual = make_residual()

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*b T T"] | None = None,
        memory_mask: Bool[Tensor, "*b T S"] | None = None,
        caches: tuple[KVCache, KVCache] | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Return the target's tokens, shape (B, T, D), after all sub-layers.

        Args:
            x: the target's tokens, shape (B, T, D).
            memory: the encoder's output, shape (B, S, D), if there is a cross-attention.
            mask: boolean, True = may attend, broadcastable to (B, H, T, T).
            memory_mask: the same for the memory, broadcastable to (B, H, T, S).
            caches: what earlier calls left, of the target and of the memory.

        Raises:
            TypeError, ValueError: as in :class:`MultiHeadAttention`; `memory` is missing, or
                there is no cross-attention to use it.
        """
        if (memory is None) != (self.cross_attention is None):
            raise ValueError(
                "memory must be given exactly if the layer has a cross-attention, "
                f"got memory={'None' if memory is None else tuple(memory.shape)}, "
                f"cross_attention={type(self.cross_attention).__name__}"
            )
        target_cache, memory_cache = caches or (None, None)
        x = self.self_attention_residual(
            x, lambda x: self.self_attention(x, mask=mask, cache=target_cache)
        )
        if self.cross_attention is not None:
            x = self.cross_attention_residual(
                x, lambda x: self.cross_attention(x, memory, memory_mask, memory_cache)
            )
        return self.feed_forward_residual(x, self.feed_forward)


class Decoder(nn.Module):
    """A stack of decoder layers.

    Args:
        layers: the layers, first to last.
        norm: one more normalization at the end, which a stack of pre-norm layers needs; None
            for post-norm, whose layers end with one.

    Reference: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the last normalization.
    """

    def __init__(self, layers: Iterable[DecoderLayer], norm: nn.Module | None = None):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = nn.Identity() if norm is None else norm

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*b T T"] | None = None,
        memory_mask: Bool[Tensor, "*b T S"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Return the target's tokens, shape (B, T, D), after all layers.

        Args, Raises: as in one :class:`DecoderLayer`; `cache` holds the caches of all layers.
        """
        for i, layer in enumerate(self.layers):
            caches = None if cache is None else (cache.target[i], cache.memory[i])
            x = layer(x, memory, mask, memory_mask, caches)
        return self.norm(x)
