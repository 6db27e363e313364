"""Find the bug: a schedule that is called once an epoch and counts from 0."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from lessons.kit.exercises.outcome import Function
from transformer_lite.training.schedule import inverse_root


def _rate(step: float, peak: float, warm_up: int) -> float:
    return peak * min(step / warm_up, math.sqrt(warm_up / step)) if step > 0 else 0.0


def _table(rates: list[list[float]]) -> Tensor:
    return torch.tensor(rates, dtype=torch.float64)


def _reference(epochs: int, batches: int, peak: float, warm_up: int) -> Tensor:
    steps = [[e * batches + b + 1 for b in range(batches)] for e in range(epochs)]
    return _table([[inverse_root(step, peak, warm_up) for step in row] for row in steps])


def _cases() -> tuple[Case, ...]:
    runs = {
        "two epochs of four batches, warm-up 4": (2, 4, 1.0, 4),
        "one epoch of ten batches": (1, 10, 0.003, 5),
        "three epochs of five, warm-up 2": (3, 5, 2.0, 2),
        "the warm-up is longer than the run": (2, 3, 0.5, 100),
        "a warm-up of one step": (2, 3, 1.0, 1),
        "four epochs of one batch": (4, 1, 0.1, 2),
    }
    names = ("epochs", "batches", "peak", "warm_up")
    return tuple(Case(name, dict(zip(names, run, strict=True))) for name, run in runs.items())


def _steps(rate_of: Callable[..., float]) -> Function:
    """Return an answer that computes the rate from (epoch, batch, batches), counted from 0."""

    def answer(epochs: int, batches: int, peak: float, warm_up: int) -> Tensor:
        places = [[(e, b) for b in range(batches)] for e in range(epochs)]
        return _table([[rate_of(e, b, batches, peak, warm_up) for e, b in row] for row in places])

    return answer


_MISTAKES = mistakes(
    _steps(lambda e, b, n, peak, w: _rate(e, peak, w)),
    "The schedule is called once an epoch and counts from 0. The first epoch trains with rate 0 "
    "and learns nothing, and the warm-up lasts as many epochs as it should last steps.",
    _steps(lambda e, b, n, peak, w: _rate(e + 1, peak, w)),
    "The count begins at 1 now, but it still counts epochs. Count steps.",
    _steps(lambda e, b, n, peak, w: _rate(b + 1, peak, w)),
    "The count restarts with every epoch, so every epoch has its own warm-up. Count the steps of "
    "all epochs.",
    _steps(lambda e, b, n, peak, w: _rate(e * n + b, peak, w)),
    "The steps are counted from 0, so the first one has rate 0 and every other rate comes one step "
    "late.",
    _steps(lambda e, b, n, peak, w: _rate((e + 1) * n, peak, w)),
    "All steps of an epoch get the rate of its last step.",
)


def _all_at_once(epochs: int, batches: int, peak: float, warm_up: int) -> Tensor:
    steps = torch.arange(1, epochs * batches + 1, dtype=torch.float64).view(epochs, batches)
    return peak * torch.minimum(steps / warm_up, (warm_up / steps).sqrt())


def _counting(epochs: int, batches: int, peak: float, warm_up: int) -> Tensor:
    rates, step = torch.zeros(epochs, batches, dtype=torch.float64), 0
    for epoch in range(epochs):
        for batch in range(batches):
            step += 1
            rates[epoch, batch] = _rate(step, peak, warm_up)
    return rates


def _draw(draw: Draw) -> Inputs:
    return draw.size(), draw.size(), draw.choice(1.0, 0.003, 0.5), draw.size(1, 12)


rates_of_run = Exercise(
    name="training_a_translator.rates_of_run",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_all_at_once, _counting),
    draw=_draw,
    hint_texts=(
        "Print the first row. Which rate does the whole first epoch use?",
        "The warm-up is given in steps. How many steps come before batch b of epoch e, and what is "
        "the number of its own step?",
        "Compute step = epoch * batches + batch + 1, and store the rate of this step in "
        "rates[epoch, batch].",
    ),
    starter='''\
def rates_of_run(epochs, batches, peak, warm_up):
    """The learning rate of every step: (epochs, batches), in float64."""
    rates = torch.zeros(epochs, batches, dtype=torch.float64)
    for epoch in range(epochs):
        step = epoch
        rate = peak * min(step / warm_up, (warm_up / max(step, 1)) ** 0.5)
        for batch in range(batches):
            rates[epoch, batch] = rate
    return rates
''',
)
