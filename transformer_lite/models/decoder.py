"""The decoder: layers that attend to earlier target tokens, then to the source."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.layers.cache import DecoderCache, KVCache


class DecoderLayer(nn.Module):
    """Three sub-layers: masked self-attention, cross-attention, feed-forward.

    The queries of the cross-attention come from the self-attention before it, keys and values
    from the encoder. Without a cross-attention this is the layer of a decoder-only model.

    Args:
        self_attention: lets the target's tokens attend to earlier ones; called with the tokens,
            `mask` and `cache`, as :class:`MultiHeadAttention`.
        feed_forward: transforms every token by itself.
        make_residual: returns a new residual connection; called once for each sub-layer.
        cross_attention: lets the target attend to the source; called with the tokens, the memory,
            its mask and its cache. None leaves the sub-layer out.

    Reference: Vaswani et al. 2017, section 3.1; Radford et al. 2018 for two sub-layers.

    >>> import torch
    >>> from transformer_lite.layers import FeedForward, MultiHeadAttention, PostNorm
    >>> parts = MultiHeadAttention(8, 2), FeedForward(8, 32), lambda: PostNorm(nn.LayerNorm(8))
    >>> layer = DecoderLayer(*parts, cross_attention=MultiHeadAttention(8, 2))
    >>> layer(torch.zeros(1, 3, 8), memory=torch.zeros(1, 5, 8)).shape
    torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        self_attention: nn.Module,
        feed_forward: nn.Module,
        make_residual: Callable[[], nn.Module],
        cross_attention: nn.Module | None = None,
    ) -> None:
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
        mask: Bool[Tensor, "*#b #T #L"] | None = None,
        memory_mask: Bool[Tensor, "*#c #T #S"] | None = None,
        caches: tuple[KVCache, KVCache] | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Return the target's tokens, shape (B, T, D), after all sub-layers.

        Args:
            x: the target's tokens, shape (B, T, D).
            memory: the encoder's output, shape (B, S, D), if there is a cross-attention.
            mask: boolean, True = may attend, broadcastable to (B, H, T, L), where L is the number
                of tokens in the cache and in `x`.
            memory_mask: the same for the memory, broadcastable to (B, H, T, S).
            caches: keys and values of earlier calls, for target and memory.

        Raises:
            TypeError, ValueError: as in :class:`MultiHeadAttention`; `memory` is missing, or
                the layer has no cross-attention to use it.
        """
        self.check_memory(memory)
        target_cache, memory_cache = caches or (None, None)
        x = self.self_attention_residual(
            x, lambda x: self.self_attention(x, mask=mask, cache=target_cache)
        )
        attend, residual = self.cross_attention, self.cross_attention_residual
        if attend is not None and residual is not None:
            x = residual(x, lambda x: attend(x, memory, memory_mask, memory_cache))
        return self.feed_forward_residual(x, self.feed_forward)

    def check_memory(self, memory: Tensor | None) -> None:
        """Require a memory exactly if the layer has a cross-attention."""
        if (memory is None) != (self.cross_attention is None):
            raise ValueError(
                "memory must be given exactly if the layer has a cross-attention, "
                f"got memory={'None' if memory is None else tuple(memory.shape)}, "
                f"cross_attention={type(self.cross_attention).__name__}"
            )


class Decoder(nn.Module):
    """A stack of decoder layers.

    Args:
        layers: the layers, first to last.
        norm: one more normalization at the end, which a stack of pre-norm layers needs; None
            for post-norm, whose layers end with one.

    Reference: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the last normalization.
    """

    def __init__(self, layers: Iterable[nn.Module], norm: nn.Module | None = None) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = nn.Identity() if norm is None else norm

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S D"] | None = None,
        mask: Bool[Tensor, "*#b #T #L"] | None = None,
        memory_mask: Bool[Tensor, "*#c #T #S"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Return the target's tokens, shape (B, T, D), after all layers.

        Args, Raises: as in one :class:`DecoderLayer`; `cache` holds the caches of all layers.
        """
        caches = [None] * len(self.layers) if cache is None else cache.layers()
        for layer, layer_caches in zip(self.layers, caches, strict=True):
            x = layer(x, memory, mask, memory_mask, layer_caches)
        return self.norm(x)

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for decoding one batch."""
        attentions = [getattr(layer, "self_attention", None) for layer in self.layers]
        caches = [getattr(attention, "new_target_cache", KVCache)() for attention in attentions]
        return DecoderCache(len(self.layers), caches)
