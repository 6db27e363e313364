"""Find the bug: a worker drops the places that its neighbor drops one step later."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.at_scale.exercises._shared import seeded
from lessons.kit.exercises import OWN_GENERATOR, Case, Draw, Exercise, Inputs, mistakes

_Masks = Callable[[int, int, int, int, int, float], Tensor]


def _draws(seeds: list[int], rows: int, width: int) -> Tensor:
    return torch.stack([torch.rand(rows, width, generator=seeded(seed)) for seed in seeds])


def _seeded_with(own: Callable[[int, int, int, int], int]) -> _Masks:
    """Return masks whose seeds are own(seed, step, rank, workers)."""

    def masks(seed: int, step: int, workers: int, rows: int, width: int, p: float) -> Tensor:
        seeds = [own(seed, step, rank, workers) for rank in range(workers)]
        return _draws(seeds, rows, width) >= p

    return masks


_reference = _seeded_with(lambda seed, step, rank, workers: seed + step * workers + rank)


def _from(read: Callable[[Tensor, float], Tensor]) -> _Masks:
    """Return what is read from the right draws: read(draws, p)."""

    def masks(seed: int, step: int, workers: int, rows: int, width: int, p: float) -> Tensor:
        seeds = [seed + step * workers + rank for rank in range(workers)]
        return read(_draws(seeds, rows, width), p)

    return masks


def _case(
    name: str, seed: int, step: int, workers: int, sizes: tuple[int, int], p: float = 0.5
) -> Case:
    inputs = {"seed": seed, "step": step, "workers": workers}
    return Case(name, inputs | {"rows": sizes[0], "width": sizes[1], "p": p})


_CASES = (
    _case("two workers, two rows of six, step 3", 26, 3, 2, (2, 6)),
    _case("the same workers one step later", 26, 4, 2, (2, 6)),
    _case("four workers, p=0.1", 5, 7, 4, (3, 20), 0.1),
    _case("three workers, p=0.8, seed 0", 0, 11, 3, (6, 9), 0.8),
    _case("one row, the first step", 13, 0, 5, (1, 17), 0.3),
    _case("one worker alone", 2, 9, 1, (5, 8), 0.25),
    _case("rows of one number", 40, 2, 3, (31, 1)),
    _case("nothing is dropped", 1, 6, 2, (3, 4), 0.0),
)


def _one_generator(seed: int, step: int, workers: int, rows: int, width: int, p: float) -> Tensor:
    generator = seeded(seed + step * workers)
    return torch.rand(workers, rows, width, generator=generator) >= p


def _one_row_for_all(seed: int, step: int, workers: int, rows: int, width: int, p: float) -> Tensor:
    return _reference(seed, step, workers, 1, width, p).expand(-1, rows, -1)


_MISTAKES = mistakes(
    _seeded_with(lambda seed, step, rank, workers: seed + step + rank),
    "Each worker has its own seed, but worker 1 has the seed that worker 0 gets one step later, so "
    "masks repeat. Every step needs as many new seeds as there are workers.",
    _seeded_with(lambda seed, step, rank, workers: seed + step * workers),
    "All workers have the same seed, so all drop the same positions, and there is no error. The "
    "seed must depend on the rank.",
    _seeded_with(lambda seed, step, rank, workers: seed),
    "All workers have the same seed at every step, so the same positions are always dropped.",
    _seeded_with(lambda seed, step, rank, workers: seed + rank),
    "The seed does not depend on the step, so a worker drops the same positions at every step.",
    _one_generator,
    "One generator draws for all workers, so a worker would have to draw the masks of the workers "
    "before it first. Give each worker its own generator with its own seed.",
    _from(lambda draws, p: draws < p),
    "This is True where a number is dropped. The exercise asks where it is kept: draws ≥ p.",
    _one_row_for_all,
    "All rows of a worker share one mask. Each row needs its own draws.",
)


def _one_by_one(seed: int, step: int, workers: int, rows: int, width: int, p: float) -> Tensor:
    masks = torch.empty(workers, rows, width, dtype=torch.bool)
    for rank, mask in enumerate(masks):
        draws = torch.rand(rows * width, generator=seeded(seed + rank + workers * step))
        mask.copy_(~(draws < p).view(rows, width))
    return masks


def _draw(draw: Draw) -> Inputs:
    sizes = draw.size(1, 4), draw.size(), draw.size(1, 9)
    return draw.size(0, 50), draw.size(0, 20), *sizes, draw.choice(0.0, 0.1, 0.3, 0.5, 0.9)


worker_seed = Exercise(
    name="at_scale.worker_seed",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_one_by_one, _from(lambda draws, p: (draws < p).logical_not())),
    draw=_draw,
    hint_texts=(
        "Write down the seeds of two workers in the steps 0, 1 and 2, as the function has them. "
        "Which of them occurs twice?",
        "Write them down again as they should be: 0, 1, then 2, 3, then 4, 5. With which seed does "
        "step 1 begin, and with which one step 2?",
        "manual_seed(seed + step * workers + rank).",
    ),
    starter='''\
def keep_masks(seed, step, workers, rows, width, p):
    """Where dropout keeps a number: (workers, rows, width), bool."""
    masks = []
    for rank in range(workers):
        own_seed = seed + step + rank
        generator = torch.Generator().manual_seed(own_seed)
        draws = torch.rand(rows, width, generator=generator)
        masks.append(draws >= p)
    return torch.stack(masks)
''',
    remarks=(OWN_GENERATOR,),
)
