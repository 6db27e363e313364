"""The base class of the three kinds of model: padding masks, the cache, and the config."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from jaxtyping import Bool, Integer
from torch import Tensor, nn

from transformer_lite.checks import check_size
from transformer_lite.layers.cache import DecoderCache
from transformer_lite.layers.masks import look_ahead_mask, padding_mask
from transformer_lite.models.config import TransformerConfig


class BaseTransformer(nn.Module):
    """The base of encoder–decoder, decoder-only and encoder-only models.

    Args:
        pad_id: the id of the padding token; None if the model has none.

    Attributes:
        config: what :func:`build` made the model from and :func:`save` writes; None if the model
            was put together by hand.

    Raises:
        TypeError: `pad_id` is neither an int nor None.
        ValueError: `pad_id` is negative.
    """

    def __init__(self, pad_id: int | None) -> None:
        super().__init__()
        if pad_id is not None:
            check_size("pad_id", pad_id, minimum=0)
        self.pad_id = pad_id
        self.config: TransformerConfig | None = None

    @property
    def target_pad_id(self) -> int | None:
        """The id that is hidden in what a decoder reads; None if no id is."""
        return self.pad_id

    def padding_mask(self, ids: Integer[Tensor, "B T"]) -> Bool[Tensor, "B 1 1 T"]:
        """Return the mask that hides padding as keys: False for padding, shape (B, 1, 1, T)."""
        return _visible(ids, self.pad_id)

    def target_padding_mask(self, ids: Integer[Tensor, "B T"]) -> Bool[Tensor, "B 1 1 T"]:
        """Return the padding mask of what a decoder reads, shape (B, 1, 1, T)."""
        return _visible(ids, self.target_pad_id)

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for decoding one batch.

        Raises:
            ValueError: the model has no decoder that offers one.
        """
        for module in self.modules():  # the decoder may be wrapped
            if hasattr(module, "new_cache") and module is not self:
                return module.new_cache()  # type: ignore[operator] # a method, not a Tensor
        raise ValueError(f"decoder must offer new_cache(), got {type(self).__name__} without one")


def _visible(ids: Tensor, pad_id: int | None) -> Tensor:
    """Return the mask of the ids that are not `pad_id`, shape (B, 1, 1, T)."""
    if pad_id is None:
        return torch.ones_like(ids, dtype=torch.bool)[:, None, None, :]
    return padding_mask(ids, pad_id)


def extend_cache(
    mask: Tensor, cache: DecoderCache | None
) -> AbstractContextManager[tuple[int, Tensor | None]]:
    """Add tokens to the cache, if there is one, while a decoder runs.

    Args:
        mask: the padding mask of the new tokens, shape (B, 1, 1, T).
        cache: the tokens before; None if there are none.

    Yields:
        The number of tokens before, and the padding mask of all tokens, as
        :meth:`DecoderCache.extend` does.
    """
    return nullcontext((0, mask)) if cache is None else cache.extend(mask)


def causal_mask(ids: Tensor, start: int, padding: Tensor | None) -> Tensor | None:
    """Return the mask that hides the future of each new token, and the padding.

    Args:
        ids: the new tokens, shape (B, T).
        start: the position of the first of them.
        padding: the padding mask of all tokens so far, shape (B, 1, 1, S), or None.
    """
    if ids.shape[1] == 1:  # a single token has no future
        return padding
    past = look_ahead_mask(ids.shape[1], ids.device, start)
    return past if padding is None else past & padding
