"""Batches for many workers: one global order, from which each worker takes its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from torch import Tensor

from transformer_lite.text import Batch
from transformer_lite.training.distributed.workers import Workers
from transformer_lite.training.trainer import BatchSource


class Share(NamedTuple):
    """The rows of a batch that one worker computes."""

    #: Its rows. A worker without rows has the first one, which does not count.
    batch: Batch
    #: The number of its target tokens that count.
    tokens: int
    #: The number in the batch of all workers.
    all_tokens: int

    @property
    def labels(self) -> Tensor:
        """The labels, as in :class:`transformer_lite.text.Batch`."""
        return self.batch.labels


class WorkerBatches:
    """Endless batches, divided among the workers in an order that does not depend on their number.

    Every worker draws the same batch of all, and takes rows r, r + N, r + 2N, … of it. So a
    training run with four workers can be resumed with two, and no worker has to ask the others for
    their number of tokens. The order of an epoch is drawn from the seed and its number.

    Args:
        batches: the same on all workers, such as :class:`transformer_lite.text.Batches`.
        workers: this worker and the number of workers.
        pad_id: the id of the padding token, which does not count; None if there is none.

    >>> from transformer_lite.text import Batches, WordTokenizer
    >>> pairs, words = [("a", "b b"), ("b", "a b"), ("a", "b a")], WordTokenizer(["a", "b"])
    >>> share = next(WorkerBatches(Batches(pairs, words, max_tokens=99), Workers.current()))
    >>> len(share.batch.src), share.tokens, share.all_tokens
    (3, 9, 9)
    """

    def __init__(self, batches: BatchSource, workers: Workers, pad_id: int | None = 0) -> None:
        self.batches, self.workers, self.pad_id = batches, workers, pad_id

    def __iter__(self) -> Iterator[Share]:
        return self

    def __next__(self) -> Share:
        return share_of(next(self.batches), self.workers, self.pad_id)

    def state_dict(self) -> dict[str, Any]:
        """Return the position in the data, which is the same for all workers."""
        return self.batches.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state_dict`.

        Raises:
            TypeError, ValueError: as those of the batches.
        """
        self.batches.load_state_dict(state)


def share_of(batch: Batch, workers: Workers, pad_id: int | None = 0) -> Share:
    """Return the rows of a batch that this worker computes.

    All workers have to take part in each exchange of gradients. A worker without a row computes the
    first row too, but counts none of its tokens.

    Args:
        batch: the rows of all, at least one.
        workers: this worker and the number of workers.
        pad_id: as in :class:`WorkerBatches`.
    """
    mine = Batch(*(side[workers.rank :: workers.world_size] for side in batch))
    tokens = real_tokens(mine, pad_id)
    if len(mine.src) == 0:
        mine = Batch(*(side[:1] for side in batch))
    return Share(mine, tokens, real_tokens(batch, pad_id))


def real_tokens(batch: Batch, pad_id: int | None) -> int:
    """Count the target tokens of a batch that are not padding."""
    return batch.labels.numel() if pad_id is None else int((batch.labels != pad_id).sum())
