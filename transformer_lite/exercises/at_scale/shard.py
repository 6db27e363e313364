"""Find the bug: every worker trains on the same share of the samples."""

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_lite.exercises._kit import OWN_GENERATOR, Case, Exercise, Mistake
from transformer_lite.exercises.at_scale._shared import seeded

_Shard = Callable[[int, int, int, int, int], Tensor]


def _order(size: int, seed: int) -> Tensor:
    return torch.randperm(size, generator=seeded(seed))


def _reference(size: int, seed: int, epoch: int, rank: int, workers: int) -> Tensor:
    return _order(size, seed + epoch)[rank::workers]


def _cut(share: Callable[[Tensor, int, int], Tensor]) -> _Shard:
    """Return a shard that cuts the right order in another way: share(order, rank, workers)."""

    def shard(size: int, seed: int, epoch: int, rank: int, workers: int) -> Tensor:
        return share(_order(size, seed + epoch), rank, workers)

    return shard


def _seeded_with(own: Callable[[int, int, int, int], int]) -> _Shard:
    """Return a shard whose order has another seed: own(seed, epoch, rank, workers)."""

    def shard(size: int, seed: int, epoch: int, rank: int, workers: int) -> Tensor:
        return _order(size, own(seed, epoch, rank, workers))[rank::workers]

    return shard


def _case(name: str, size: int, seed: int, epoch: int, rank: int, workers: int) -> Case:
    share = {"size": size, "seed": seed, "epoch": epoch}
    return Case(name, share | {"rank": rank, "workers": workers})


_CASES = (
    _case("ten samples, worker 1 of 3, epoch 2", 10, 26, 2, 1, 3),
    _case("ten samples, worker 0 of 3, epoch 2", 10, 26, 2, 0, 3),
    _case("ten samples, worker 2 of 3, epoch 3", 10, 26, 3, 2, 3),
    _case("23 samples, the last of 4 workers", 23, 7, 5, 3, 4),
    _case("as many samples as workers", 5, 3, 1, 4, 5),
    _case("more workers than samples: none is left", 2, 4, 6, 4, 6),
    _case("one worker alone, epoch 0", 12, 0, 0, 0, 1),
    _case("a multiple of the workers, seed 0", 12, 0, 9, 1, 4),
    _case("40 samples, worker 2 of 7", 40, 11, 4, 2, 7),
)


def _per_worker(order: Tensor, workers: int) -> int:
    return -(-len(order) // workers)


def _padded(order: Tensor, rank: int, workers: int) -> Tensor:
    places = torch.arange(_per_worker(order, workers) * workers) % len(order)
    return order[places[rank::workers]]


def _one_after_the_other(order: Tensor, rank: int, workers: int) -> Tensor:
    count = _per_worker(order, workers)
    return order[rank * count : (rank + 1) * count]


def _own_samples(size: int, seed: int, epoch: int, rank: int, workers: int) -> Tensor:
    mine = torch.arange(size)[rank::workers]
    return mine[_order(len(mine), seed + epoch)]


_MISTAKES = (
    Mistake(
        _cut(lambda order, rank, workers: order[::workers]),
        "Every worker gets the same share, that of worker 0, and in this epoch nobody reads the "
        "other samples. Nothing fails. Begin at the worker's own rank.",
    ),
    Mistake(
        _cut(lambda order, rank, workers: order),
        "Every worker gets all samples: an epoch takes each of them as often as there are workers, "
        "and is no shorter than with one. Take every so-manyth place of the order.",
    ),
    Mistake(
        _seeded_with(lambda seed, epoch, rank, workers: seed),
        "The epoch is not in the seed, so every epoch has the same order. PyTorch's sampler has "
        "set_epoch for that.",
    ),
    Mistake(
        _seeded_with(lambda seed, epoch, rank, workers: seed + epoch + rank),
        "The rank is in the seed, so every worker cuts an order of its own. In one epoch some "
        "samples are then dealt twice and others to nobody. The order has to be the same on all "
        "workers.",
    ),
    Mistake(
        _cut(_padded),
        "The shares are made equally long: samples from the front of the order are dealt out once "
        "more. So they count twice. Here each index stands in one share only, and shares may "
        "differ in length.",
    ),
    Mistake(
        _cut(lambda order, rank, workers: order[: len(order) // workers * workers][rank::workers]),
        "The rest that does not go round is dropped, so that all shares are equally long. Each "
        "index has to be in one of them.",
    ),
    Mistake(
        _own_samples,
        "The samples are dealt out first and shuffled within the share. So a worker reads the same "
        "samples in every epoch. Shuffle all of them, and then cut.",
    ),
    Mistake(
        _cut(_one_after_the_other),
        "The order is cut into pieces that lie behind one another. That too gives each index once. "
        "But keep the step of the function that you repair: a worker takes the places rank, rank + "
        "workers, rank + 2·workers and so on.",
    ),
)


def _place_by_place(size: int, seed: int, epoch: int, rank: int, workers: int) -> Tensor:
    order = _order(size, epoch + seed)
    return order[torch.arange(size) % workers == rank]


def _by_index(size: int, seed: int, epoch: int, rank: int, workers: int) -> Tensor:
    return _order(size, seed + epoch)[[*range(rank, size, workers)]]


shard = Exercise(
    name="at_scale.shard",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_place_by_place, _by_index),
    hint_texts=(
        "Call the function for worker 0 and for worker 1, with all else equal. Which samples does "
        "nobody get?",
        "A slice is start:stop:step. The step is right. At which place does the share of each "
        "worker start?",
        "return order[rank::workers].",
    ),
    starter='''\
def shard(size, seed, epoch, rank, workers):
    """The samples of one worker in one epoch: indices, (M,)."""
    generator = torch.Generator().manual_seed(seed + epoch)
    order = torch.randperm(size, generator=generator)
    return order[::workers]
''',
    remarks=(OWN_GENERATOR,),
)
