"""What decoding remembers: the keys and values of the tokens so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from transformer_lite.checks import check_integers, check_rows


class KVCache:
    """The keys and values that one attention has already computed.

    Decoding asks with one new token at a time. All earlier keys and values are the same as the
    step before, so they are kept here, in a buffer with room for more.

    >>> cache = KVCache()
    >>> keys, values = cache.append(torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 4))
    >>> cache.length, keys.shape
    (3, torch.Size([1, 2, 3, 4]))
    """

    def __init__(self) -> None:
        self.length = 0
        self._buffers: list[Tensor] = []

    def append(
        self, key: Float[Tensor, "B H T K"], value: Float[Tensor, "B H T V"]
    ) -> tuple[Float[Tensor, "B H S K"], Float[Tensor, "B H S V"]]:
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

    def tensors(self) -> tuple[Float[Tensor, "B H S K"], Float[Tensor, "B H S V"]]:
        """Return all keys and values so far."""
        key, value = self._buffers
        return key.narrow(2, 0, self.length), value.narrow(2, 0, self.length)

    def cut(self, length: int) -> None:
        """Forget all tokens behind the first `length`."""
        self.length = length
        if length == 0:
            self._buffers = []

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i of the batch go on with what row `rows[i]` holds, as beam search needs."""
        self.hold(self.reordered(rows))

    def reordered(self, rows: Integer[Tensor, " N"]) -> list[Tensor]:
        """Return what :meth:`hold` takes to let row i go on with what row `rows[i]` holds."""
        stay = torch.arange(len(rows), device=rows.device)
        if not self._buffers or (len(rows) == len(self._buffers[0]) and torch.equal(rows, stay)):
            return self._buffers
        return [self._select(buffer, rows) for buffer in self._buffers]

    def hold(self, buffers: list[Tensor]) -> None:
        """Go on with these keys and values in place of those held."""
        self._buffers = buffers

    def _select(self, buffer: Tensor, rows: Tensor) -> Tensor:
        """Return a buffer with these rows; its empty room is not copied, unless for a gradient."""
        if buffer.requires_grad:
            return buffer.index_select(0, rows)
        chosen = buffer.new_empty(len(rows), *buffer.shape[1:])
        filled = (tensor.narrow(2, 0, self.length) for tensor in (buffer, chosen))
        torch.index_select(next(filled), 0, rows, out=next(filled))
        return chosen

    def _grow(self, key: Tensor, value: Tensor, room: int) -> None:
        grown = [new.new_empty(*new.shape[:2], room, new.shape[3]) for new in (key, value)]
        for fresh, old in zip(grown, self._buffers, strict=False):
            fresh[:, :, : self.length] = old[:, :, : self.length]
        self._buffers = grown


class DecoderCache:
    """What a decoder remembers between two steps of decoding.

    Every layer has two caches: `target` grows with each token, `memory` is filled once, from the
    encoder's output.

    Args:
        num_layers: the number of decoder layers.
    """

    def __init__(self, num_layers: int) -> None:
        self.target = [KVCache() for _ in range(num_layers)]
        self.memory = [KVCache() for _ in range(num_layers)]
        self.real: Tensor | None = None
        self.has_pads = False

    @property
    def length(self) -> int:
        """The number of tokens so far."""
        return 0 if self.real is None else self.real.shape[-1]

    def layers(self) -> Iterable[tuple[KVCache, KVCache]]:
        """Return the two caches of each layer, first to last."""
        return zip(self.target, self.memory, strict=True)

    @contextmanager
    def taking_in(self, real: Bool[Tensor, "B 1 1 T"]) -> Iterator[tuple[int, Tensor | None]]:
        """Take in T more tokens while a decoder runs; if that fails, all is as it was before.

        Args:
            real: which of the new tokens are not padding, shape (B, 1, 1, T).

        Yields:
            The number of tokens before, and which of all S tokens are not padding, shape
            (B, 1, 1, S), or None where there are not padding.

        Raises:
            ValueError: the batch is not the one that the cache began with.
        """
        before = (self.real, self.has_pads)
        lengths = [cache.length for cache in (*self.target, *self.memory)]
        start = self.length
        self._take_in(real)
        try:
            yield start, self.real if self.has_pads else None
        except BaseException:
            self.real, self.has_pads = before
            for cache, length in zip((*self.target, *self.memory), lengths, strict=True):
                cache.cut(length)
            raise

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i go on with all that row `rows[i]` holds, its source too.

        Args:
            rows: the rows to go on with, shape (N,); there may be more or fewer than before.

        Raises:
            TypeError: `rows` does not hold integers.
            ValueError: a row is not in the cache.
        """
        self._check_rows(rows)
        self._move([*self.target, *self.memory], rows)

    def reorder_targets(self, rows: Integer[Tensor, " N"]) -> None:
        """The same for as many rows as before, each of which keeps its source: beams of one text.

        Args, Raises: as in :meth:`reorder`; also ValueError for another number of rows.
        """
        self._check_rows(rows)
        if self.real is not None and len(rows) != len(self.real):
            raise ValueError(
                f"rows must be as many as in the cache, {len(self.real)}, got {len(rows)}"
            )
        self._move(self.target, rows)

    def _move(self, caches: list[KVCache], rows: Tensor) -> None:
        # All is made before anything is replaced: what fails on the way leaves all as it was.
        moved = [cache.reordered(rows) for cache in caches]
        real = None if self.real is None else self.real[rows]
        for cache, buffers in zip(caches, moved, strict=True):
            cache.hold(buffers)
        self.real = real

    def _check_rows(self, rows: Tensor) -> None:
        if self.real is None or not len(self.real):  # nothing came yet: any row will do
            check_integers("rows", rows)
        else:
            check_rows(rows, len(self.real))

    def _take_in(self, real: Tensor) -> None:
        if self.real is not None and len(real) != len(self.real):
            raise ValueError(
                f"the batch must be that of the cache, {len(self.real)} rows, got {len(real)}"
            )
        # Read before anything changes: on another device this is where an error would show.
        self.has_pads = self.has_pads or not bool(real.all())
        self.real = real if self.real is None else torch.cat([self.real, real], dim=-1)
