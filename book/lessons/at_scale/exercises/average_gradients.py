"""Find the bug: a mean of means, in which a worker with one token weighs as much as one with 60."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("at_scale.average_gradients")


def _weighted(gradients: Tensor, counts: Tensor) -> Tensor:
    """Return each worker's sum over its tokens; without a token it is 0, not nan."""
    return (gradients * counts[:, None]).masked_fill(counts[:, None] == 0, 0)


def _reference(gradients: Tensor, counts: Tensor) -> Tensor:
    return _weighted(gradients, counts).sum(dim=0) / counts.sum()


def _case(name: str, counts: list[int], width: int, dtype: torch.dtype = torch.float32) -> Case:
    """A worker without tokens has the mean over nothing, 0/0."""
    tokens = torch.tensor(counts)
    gradients = _normal(len(counts), width, dtype=dtype)
    gradients = gradients.masked_fill(tokens[:, None] == 0, torch.nan)
    return Case(name, {"gradients": gradients, "counts": tokens})


def _cases() -> tuple[Case, ...]:
    by_hand = {
        "gradients": torch.tensor([[1.5, 0.0], [6.0, 3.0]]),
        "counts": torch.tensor([2, 1]),
    }
    return (
        Case("two tokens here and one there, by hand", by_hand),
        _case("four workers, the third has no token", [5, 2, 0, 9], 3),
        _case("counts of 700, 1 and 60, in float64", [700, 1, 60], 5, torch.float64),
        _case("one worker alone", [4], 6),
        _case("one weight, only the last worker has tokens", [0, 0, 3], 1),
        _case("as many workers as weights, in float64", [1, 8, 0, 3], 4, torch.float64),
        _case("equal counts", [6, 6, 6], 2),
    )


_MISTAKES = mistakes(
    lambda g, counts: g.mean(dim=0),
    "This is the mean of the workers' means: every worker counts the same, even one with few "
    "tokens. Instead, every token must count the same. Also, one worker without tokens makes the "
    "whole result NaN.",
    lambda g, counts: g.nanmean(dim=0),
    "A worker without tokens is left out, but all the others count the same. A worker with three "
    "times as many tokens must count three times as much.",
    lambda g, counts: g.nan_to_num().mean(dim=0),
    "A worker without tokens now counts as a gradient of 0, and every worker counts the same. "
    "Weight each worker by its fraction of all tokens.",
    lambda g, counts: len(g) * _reference(g, counts),
    "The weights are right and then multiplied by the number of workers. That is needed only if an "
    "engine divides by the number of workers afterwards. Here nothing does.",
    lambda g, counts: (g * counts[:, None]).sum(dim=0) / counts.sum(),
    "The weights are right, but 0 · nan is nan. Leave out or replace the row of a worker without "
    "tokens instead of multiplying it by 0.",
    lambda g, counts: ((g * counts[:, None]).sum(dim=0) / counts.sum()).nan_to_num(),
    "The NaN is replaced after the sum. By then the sum of all workers is NaN. Replace it before.",
    lambda g, counts: _weighted(g, counts).sum(dim=0),
    "This is the gradient of the sum over all tokens. The exercise asks for the gradient of the "
    "mean: divide by the number of all tokens.",
)


def _of_those_with_tokens(gradients: Tensor, counts: Tensor) -> Tensor:
    busy = counts > 0
    shares = counts.to(gradients.dtype) / counts.sum()
    return shares[busy] @ gradients[busy]


def _token_by_token(gradients: Tensor, counts: Tensor) -> Tensor:
    return gradients.repeat_interleave(counts, dim=0).mean(dim=0)


def _draw(draw: Draw) -> Inputs:
    workers, width = draw.size(), draw.size()
    counts = torch.tensor([draw.choice(0, 1, draw.size(2, 9), 40) for _ in range(workers)])
    counts[draw.size(0, workers - 1)] = draw.size(1, 9)
    gradients = draw.normal(workers, width, size=draw.choice(1, 1, 30))
    return gradients.masked_fill(counts[:, None] == 0, torch.nan), counts


average_gradients = Exercise(
    name="at_scale.average_gradients",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_of_those_with_tokens, _token_by_token),
    draw=_draw,
    hint_texts=(
        "In the first case three tokens have the gradients 1, 2 and 6 for the first weight. What "
        "is their mean, and what does the function return?",
        "Turn each worker's mean back into a sum over its tokens. Add the sums of those that have "
        "tokens. What do you have to divide by?",
        "sums = (gradients * counts[:, None]).nan_to_num(). Return sums.sum(dim=0) / counts.sum().",
    ),
    starter='''\
def average_gradients(gradients, counts):
    """Gradient of the mean over all tokens: (N, D), (N,) -> (D,)."""
    return gradients.mean(dim=0)
''',
)
