"""The KV cache: the keys and values of the tokens so far, which decoding uses again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from transformer_lite.checks import check_integers, check_rows, check_same, check_size


class KVCache:
    """The keys and values that one attention has already computed.

    Decoding adds one token at a time. The keys and values of all earlier tokens are the same as in
    the step before, so they are kept here, in a buffer with room for more.

    >>> cache = KVCache()
    >>> keys, values = cache.append(torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 4))
    >>> cache.length, keys.shape
    (3, torch.Size([1, 2, 3, 4]))
    """

    def __init__(self) -> None:
        self.length = 0
        self._buffers: list[Tensor] = []

    @property
    def num_kept(self) -> int:
        """The number of tokens whose keys and values are kept, which is all of them here."""
        return self.length

    def append(
        self, key: Float[Tensor, "B H T K"], value: Float[Tensor, "B H T V"]
    ) -> tuple[Float[Tensor, "B H S K"], Float[Tensor, "B H S V"]]:
        """Keep the keys and values of T more tokens and return those of all S so far.

        Raises:
            TypeError: they have another dtype or device than those of the cache.
            ValueError: they differ from those of the cache in more than the number of tokens.
        """
        self._check_new(key, value)
        end = self.length + key.shape[2]
        if not self._buffers or end > self._buffers[0].shape[2]:
            # The first buffer fits exactly, because a memory never grows. Later buffers are a
            # quarter larger than needed: small enough to read fast, and copying stays rare.
            self._grow(key, value, room=end + self.length // 4)
        for buffer, new in zip(self._buffers, (key, value), strict=True):
            buffer.narrow(2, self.length, key.shape[2]).copy_(new)
        self.length = end
        return self.tensors()

    def tensors(self) -> tuple[Float[Tensor, "B H S K"], Float[Tensor, "B H S V"]]:
        """Return all keys and values so far.

        Raises:
            ValueError: there are none yet.
        """
        if not self._buffers:
            raise ValueError("the cache must hold keys and values, got an empty one; append first")
        key, value = self._buffers
        return key.narrow(2, 0, self.num_kept), value.narrow(2, 0, self.num_kept)

    def truncate(self, length: int) -> None:
        """Forget all tokens after the first `length`.

        Raises:
            ValueError: the cache holds fewer.
        """
        check_size("length", length, minimum=0)
        if length > self.length:
            raise ValueError(f"length must be at most the cache's, {self.length}, got {length}")
        self.length = length
        if length == 0:
            self._buffers = []

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i of the batch continue row `rows[i]`, as beam search needs.

        Raises:
            TypeError: `rows` does not hold integers.
            ValueError: a row is not in the cache.
        """
        if self._buffers:
            check_rows(rows, len(self._buffers[0]))
        self.set_buffers(self.select_rows(rows))

    def select_rows(self, rows: Integer[Tensor, " N"]) -> list[Tensor]:
        """Return the buffers of :meth:`reorder`, without changing the cache."""
        same = torch.arange(len(rows), device=rows.device)
        if not self._buffers or (len(rows) == len(self._buffers[0]) and torch.equal(rows, same)):
            return self._buffers
        return [self._select(buffer, rows) for buffer in self._buffers]

    def set_buffers(self, buffers: list[Tensor]) -> None:
        """Replace the buffers by those of :meth:`select_rows`."""
        self._buffers = buffers

    def _select(self, buffer: Tensor, rows: Tensor) -> Tensor:
        """Return these rows of a buffer. Its unused room is copied only if gradients need it."""
        if buffer.requires_grad:
            return buffer.index_select(0, rows)
        chosen = buffer.new_empty(len(rows), *buffer.shape[1:])
        filled = (tensor.narrow(2, 0, self.num_kept) for tensor in (buffer, chosen))
        torch.index_select(next(filled), 0, rows, out=next(filled))
        return chosen

    def _check_new(self, key: Tensor, value: Tensor) -> None:
        """Require keys and values of the same tokens, and of the sizes that the cache holds."""
        if key.shape[:3] != value.shape[:3]:
            raise ValueError(
                "key and value must have the same batch, heads and length, "
                f"got key {tuple(key.shape)}, value {tuple(value.shape)}"
            )
        pairs = zip(("key", "value"), (key, value), self._buffers, strict=False)
        for name, new, old in pairs:
            check_same(f"{name} and cache", **{name: new, "cache": old})
            if (new.shape[:2], new.shape[3:]) != (old.shape[:2], old.shape[3:]):
                batch, heads, _, width = old.shape
                raise ValueError(
                    f"{name} must have the cache's shape ({batch}, {heads}, T, {width}), "
                    f"got {tuple(new.shape)}; begin another batch with a new cache"
                )

    def _grow(self, key: Tensor, value: Tensor, room: int) -> None:
        grown = [new.new_empty(*new.shape[:2], room, new.shape[3]) for new in (key, value)]
        for fresh, old in zip(grown, self._buffers, strict=False):
            fresh[:, :, : self.length] = old[:, :, : self.length]
        self._buffers = grown


class WindowCache(KVCache):
    """A cache that drops the keys and values that no later query may attend to.

    A query attends to `window` keys, itself included. So the next query needs only the last
    window − 1 of the earlier ones: the memory does not grow with the length of the text. Old
    tokens are dropped when new ones arrive, so the newest call can still be undone.

    Args:
        window: the number of keys that a query may attend to, itself included, at least 1.

    Raises:
        TypeError: `window` is not an int.
        ValueError: `window` is smaller than 1.

    Reference: Jiang et al. 2023, section 2.

    >>> cache = WindowCache(window=3)
    >>> for token in range(9):
    ...     keys, values = cache.append(torch.zeros(1, 2, 1, 4), torch.zeros(1, 2, 1, 4))
    >>> cache.length, keys.shape
    (9, torch.Size([1, 2, 3, 4]))
    """

    def __init__(self, window: int) -> None:
        super().__init__()
        check_size("window", window)
        self.window, self._num_dropped = window, 0

    @property
    def num_kept(self) -> int:
        """The number of tokens whose keys and values are kept."""
        return self.length - self._num_dropped

    def append(
        self, key: Float[Tensor, "B H T K"], value: Float[Tensor, "B H T V"]
    ) -> tuple[Float[Tensor, "B H S K"], Float[Tensor, "B H S V"]]:
        """Keep T more tokens and return at most window − 1 earlier ones together with them.

        Raises:
            TypeError, ValueError: as in :meth:`KVCache.append`.
        """
        self._check_new(key, value)
        old = self.tensors() if self._buffers else (key[:, :, :0], value[:, :, :0])
        drop = max(0, self.num_kept - (self.window - 1))
        pairs = zip(old, (key, value), strict=True)
        self._buffers = [torch.cat([kept[:, :, drop:], new], dim=2) for kept, new in pairs]
        self._num_dropped += drop
        self.length += key.shape[2]
        return self.tensors()

    def truncate(self, length: int) -> None:
        """Forget all tokens after the first `length`, as far as the window before them is kept.

        Raises:
            ValueError: the cache holds fewer, or has dropped tokens that the next query needs.
        """
        check_size("length", length, minimum=0)
        if length - self._num_dropped < min(length, self.window - 1):
            raise ValueError(
                f"length must be at least {self._num_dropped + self.window - 1}, because earlier "
                f"tokens of the window are dropped, got {length}; begin again with a new cache"
            )
        super().truncate(length)


class DecoderCache:
    """The caches of all layers of a decoder.

    Every layer has two: `target` grows with each token, `memory` is filled once, from the
    encoder's output.

    Args:
        num_layers: the number of decoder layers.
        target: the empty caches of the self-attentions; None means one :class:`KVCache` each.
    """

    def __init__(self, num_layers: int, target: Iterable[KVCache] | None = None) -> None:
        self.target = [KVCache() for _ in range(num_layers)] if target is None else list(target)
        self.memory = [KVCache() for _ in range(num_layers)]
        self.padding_mask: Tensor | None = None  # of all tokens so far; False for padding
        self.has_padding = False

    @property
    def length(self) -> int:
        """The number of tokens so far."""
        return 0 if self.padding_mask is None else self.padding_mask.shape[-1]

    def layers(self) -> Iterable[tuple[KVCache, KVCache]]:
        """Return the two caches of each layer, first to last."""
        return zip(self.target, self.memory, strict=True)

    @contextmanager
    def extend(self, mask: Bool[Tensor, "B 1 1 T"]) -> Iterator[tuple[int, Tensor | None]]:
        """Add T tokens while a decoder runs. If it fails, restore the cache.

        Args:
            mask: the padding mask of the new tokens, shape (B, 1, 1, T).

        Yields:
            The number of tokens before, and the padding mask of all S tokens, shape (B, 1, 1, S),
            or None if there is no padding.

        Raises:
            ValueError: the batch is not the one that the cache began with.
        """
        before = (self.padding_mask, self.has_padding)
        lengths = [cache.length for cache in (*self.target, *self.memory)]
        start = self.length
        self._extend_mask(mask)
        try:
            yield start, self.padding_mask if self.has_padding else None
        except BaseException:
            self.padding_mask, self.has_padding = before
            for cache, length in zip((*self.target, *self.memory), lengths, strict=True):
                cache.truncate(length)
            raise

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i continue row `rows[i]`, with its target and its source.

        Args:
            rows: the rows to continue, shape (N,); N may differ from the number of rows before.

        Raises:
            TypeError: `rows` does not hold integers.
            ValueError: a row is not in the cache.
        """
        self._check_rows(rows)
        self._reorder([*self.target, *self.memory], rows)

    def reorder_targets(self, rows: Integer[Tensor, " N"]) -> None:
        """Reorder the targets only: every row keeps its source, as the beams of one text do.

        Args, Raises: as in :meth:`reorder`; also ValueError if N is not the number of rows.
        """
        self._check_rows(rows)
        if self.padding_mask is not None and len(rows) != len(self.padding_mask):
            raise ValueError(
                f"rows must be as many as in the cache, {len(self.padding_mask)}, got {len(rows)}"
            )
        self._reorder(self.target, rows)

    def _reorder(self, caches: list[KVCache], rows: Tensor) -> None:
        # Select everything before replacing anything, so that a failure changes nothing.
        selected = [cache.select_rows(rows) for cache in caches]
        mask = None if self.padding_mask is None else self.padding_mask[rows]
        for cache, buffers in zip(caches, selected, strict=True):
            cache.set_buffers(buffers)
        self.padding_mask = mask

    def _check_rows(self, rows: Tensor) -> None:
        if self.padding_mask is None or not len(self.padding_mask):  # an empty cache: any row
            check_integers("rows", rows)
        else:
            check_rows(rows, len(self.padding_mask))

    def _extend_mask(self, mask: Tensor) -> None:
        before = self.padding_mask
        if before is not None and len(mask) != len(before):
            raise ValueError(
                f"the batch must be that of the cache, {len(before)} rows, got {len(mask)}"
            )
        # Read the values before changing anything: on a GPU, an earlier error shows up here.
        self.has_padding = self.has_padding or not bool(mask.all())
        self.padding_mask = mask if before is None else torch.cat([before, mask], dim=-1)
