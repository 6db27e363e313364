"""The encoder: a stack of layers in which every token attends to every other."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jaxtyping import Bool, Float
from torch import Tensor, nn


class EncoderLayer(nn.Module):
    """Two sub-layers, each inside a residual connection: self-attention, then feed-forward.

    Args:
        self_attention: lets the tokens attend to each other; called with the tokens and `mask`, as
            :class:`MultiHeadAttention`.
        feed_forward: transforms every token by itself.
        make_residual: returns a new residual connection; called once for each sub-layer.

    Reference: Vaswani et al. 2017, section 3.1.

    >>> import torch
    >>> from transformer_lite.layers import FeedForward, MultiHeadAttention, PostNorm
    >>> parts = MultiHeadAttention(8, 2), FeedForward(8, 32), lambda: PostNorm(nn.LayerNorm(8))
    >>> EncoderLayer(*parts)(torch.zeros(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        self_attention: nn.Module,
        feed_forward: nn.Module,
        make_residual: Callable[[], nn.Module],
    ) -> None:
        super().__init__()
        self.self_attention = self_attention
        self.self_attention_residual = make_residual()
        self.feed_forward = feed_forward
        self.feed_forward_residual = make_residual()

    def forward(
        self, x: Float[Tensor, "B S D"], mask: Bool[Tensor, "*#b #S #S"] | None = None
    ) -> Float[Tensor, "B S D"]:
        """Return the tokens, shape (B, S, D), after both sub-layers.

        Args:
            x: tokens, shape (B, S, D).
            mask: boolean, True = may attend, broadcastable to (B, H, S, S).

        Raises:
            TypeError, ValueError: as in :class:`MultiHeadAttention`.
        """
        x = self.self_attention_residual(x, lambda x: self.self_attention(x, mask=mask))
        return self.feed_forward_residual(x, self.feed_forward)


class Encoder(nn.Module):
    """A stack of encoder layers.

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
        self, x: Float[Tensor, "B S D"], mask: Bool[Tensor, "*#b #S #S"] | None = None
    ) -> Float[Tensor, "B S D"]:
        """Return the tokens, shape (B, S, D), after all layers; arguments as in one layer."""
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
