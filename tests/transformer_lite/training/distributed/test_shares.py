"""The rows of each worker: together they are the batch, in the same order for any number."""

import pytest
import torch
from tiny_training import small_batches as batches

from transformer_lite.text import Batch
from transformer_lite.training.distributed import WorkerBatches, Workers

CPU = torch.device("cpu")


def all_of(count):
    """The batches of each of so many workers."""
    return [WorkerBatches(batches(), Workers(rank, count, CPU)) for rank in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_shares_are_the_batch_over_several_epochs(count):
    whole, workers, empty = batches(), all_of(count), 0
    order = []
    for _ in range(40):
        expected = next(whole)
        shares = [next(worker) for worker in workers]
        rows = [row for share in shares if share.tokens for row in share.batch.src.tolist()]
        assert sorted(rows) == sorted(expected.src.tolist()), "each row once"
        real = int((expected.labels != 0).sum())
        assert sum(share.tokens for share in shares) == real
        assert {share.all_tokens for share in shares} == {real}
        empty += sum(share.tokens == 0 for share in shares)
        order.append(expected.src.tolist())
    assert whole.epoch >= 2
    length = len(batches())
    assert order[:length] != order[length : 2 * length], "each epoch has an order of its own"
    assert (empty > 0) == (count == 4), "some batches have three rows"


def test_a_worker_without_rows_computes_the_first_but_counts_no_tokens():
    one = Batch(torch.tensor([[3, 2]]), torch.tensor([[1, 3, 2]]))

    class Same:
        def __next__(self):
            return one

    shares = [next(WorkerBatches(Same(), Workers(rank, 3, CPU))) for rank in range(3)]
    assert [share.tokens for share in shares] == [2, 0, 0]
    assert all(torch.equal(share.batch.src, one.src) for share in shares)


@pytest.mark.parametrize(("before", "behind"), [(4, 2), (2, 4), (1, 3)])
def test_another_number_of_workers_resumes_in_the_same_order(before, behind):
    first, whole = all_of(before), batches()
    for _ in range(23):  # into the second epoch
        for worker in first:
            next(worker)
        next(whole)
    assert first[0].state_dict() == whole.state_dict()
    assert whole.epoch >= 1, "a restart must not fall back to the first epoch"
    second = all_of(behind)
    for worker in second:
        worker.load_state_dict(first[0].state_dict())
    for _ in range(20):
        rows = [row for worker in second for row in _rows(next(worker))]
        assert sorted(rows) == sorted(next(whole).src.tolist())


def _rows(share):
    return share.batch.src.tolist() if share.tokens else []


def test_without_a_padding_token_all_count():
    shares = [WorkerBatches(batches(), Workers(rank, 2, CPU), pad_id=None) for rank in range(2)]
    drawn = [next(worker) for worker in shares]
    assert drawn[0].all_tokens == sum(share.batch.labels.numel() for share in drawn)
