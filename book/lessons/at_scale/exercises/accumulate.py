"""One gradient from several small batches, and the one moment at which workers exchange it."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("at_scale.accumulate")

_Answer = tuple[Tensor, list[bool]]
_Accumulate = Callable[[Tensor, Tensor, Tensor, list[int]], _Answer]


def _with(
    joined: Callable[[Tensor, Tensor, int], Tensor] = lambda sums, sizes, rows: sums.sum(0) / rows,
    exchanges: Callable[[int, int], bool] = lambda i, n: i == n - 1,
) -> _Accumulate:
    """Return an answer in which one of the two parts may be another.

    `joined` makes one gradient of the micro-batches' sums (n, D), of their sizes (n, 1) and of the
    number of all rows; `exchanges` says whether micro-batch i of n ends in an exchange.
    """

    def accumulate(weight: Tensor, inputs: Tensor, targets: Tensor, sizes: list[int]) -> _Answer:
        gaps = inputs @ weight - targets
        summands = (2 * gaps[:, None] * inputs).split(sizes)
        sums = torch.stack([summand.sum(dim=0) for summand in summands])
        counts = torch.tensor(sizes, dtype=weight.dtype)[:, None]
        told = [exchanges(i, len(sizes)) for i in range(len(sizes))]
        return joined(sums, counts, len(inputs)), told

    return accumulate


def _case(name: str, sizes: list[int], width: int, dtype: torch.dtype = torch.float32) -> Case:
    rows = sum(sizes)
    inputs = {"weight": _normal(width, dtype=dtype), "inputs": _normal(rows, width, dtype=dtype)}
    return Case(name, inputs | {"targets": 3 * _normal(rows, dtype=dtype), "sizes": sizes})


def _cases() -> tuple[Case, ...]:
    by_hand = {
        "weight": torch.tensor([1.0, 0.0]),
        "inputs": torch.tensor([[1.0, 0], [2, 1], [3, 0]]),
        "targets": torch.tensor([0.0, 0, 1]),
        "sizes": [1, 2],
    }
    return (
        Case("three rows, cut into 1 and 2, by hand", by_hand),
        _case("sizes 5, 1 and 3", [5, 1, 3], 4),
        _case("sizes 2, 7, 1 and 4, in float64", [2, 7, 1, 4], 3, torch.float64),
        _case("a single micro-batch", [6], 2),
        _case("one weight, the last one is large", [1, 1, 9], 1),
        _case("equal sizes", [3, 3], 5),
        _case("one row", [1], 3),
    )


_MISTAKES = mistakes(
    _with(lambda sums, sizes, rows: (sums / sizes).mean(dim=0)),
    "This is the mean of the micro-batches' means: a micro-batch of one row counts as much as "
    "one of seven. Divide each sum by the rows of the whole batch.",
    _with(lambda sums, sizes, rows: (sums / sizes).sum(dim=0)),
    "The gradients of the micro-batches' means are added as they are. With n micro-batches of "
    "equal size the result is n times too long.",
    _with(lambda sums, sizes, rows: sums.sum(dim=0)),
    "This is the gradient of the sum of the squared errors. The exercise asks for the gradient of "
    "their mean over the rows of the batch.",
    _with(lambda sums, sizes, rows: sums[-1] / rows),
    "The gradient contains only the last micro-batch, as if it were set to zero before each one. "
    "Set it to zero only once, before the first.",
    _with(exchanges=lambda i, n: True),
    "The gradient is right, but the workers exchange after every micro-batch. Only the exchange "
    "after the last one is needed.",
    _with(exchanges=lambda i, n: False),
    "The gradient is right, but it is never exchanged: each worker would step with its own "
    "gradient, and the copies of the model would become different.",
    _with(exchanges=lambda i, n: i < n - 1),
    "The gradient is right, but the exchanges happen after all micro-batches except the last. What "
    "the last one adds stays on its worker.",
    _with(exchanges=lambda i, n: i == n - 2),
    "The gradient is right, but the exchange comes one micro-batch too early. What the last one "
    "adds stays on its worker. The last of n micro-batches has the number n − 1.",
)


def _by_autograd(weight: Tensor, inputs: Tensor, targets: Tensor, sizes: list[int]) -> _Answer:
    weight = weight.detach().requires_grad_()
    exchanges: list[bool] = []
    for x, y in zip(inputs.split(sizes), targets.split(sizes), strict=True):
        loss = (x @ weight - y).square().mean() * len(x) / len(inputs)
        loss.backward()  # adds to weight.grad
        exchanges.append(len(exchanges) == len(sizes) - 1)
    assert weight.grad is not None
    return weight.grad, exchanges


def _at_once(weight: Tensor, inputs: Tensor, targets: Tensor, sizes: list[int]) -> _Answer:
    gradient = 2 / len(targets) * inputs.T @ (inputs @ weight - targets)
    return gradient, [False] * (len(sizes) - 1) + [True]


def _draw(draw: Draw) -> Inputs:
    width, sizes = draw.size(), [draw.size(1, 7) for _ in range(draw.size(1, 5))]
    rows = sum(sizes)
    targets = draw.normal(rows, size=draw.choice(1, 5))
    return draw.normal(width), draw.normal(rows, width), targets, sizes


accumulate = Exercise(
    name="at_scale.accumulate",
    reference=_with(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_autograd, _at_once),
    draw=_draw,
    hint_texts=(
        "Each row of the batch must count the same. What do you divide the squared errors by in a "
        "micro-batch with 1 row, and what in one with 7 rows? And when is the gradient complete?",
        "Add up the gradients of the micro-batches' sums of squared errors, and divide by the rows "
        "of the batch. The workers exchange where i == len(sizes) - 1.",
        "gradient += 2 * x.T @ (x @ weight - y) / len(inputs) for x and y of "
        "zip(inputs.split(sizes), targets.split(sizes)); it begins as torch.zeros_like(weight).",
    ),
    starter='''\
def accumulate(weight, inputs, targets, sizes):
    """The batch's gradient (D,), and for each micro-batch whether
    the workers exchange after it: a tensor and a list of bools.

    weight (D,), inputs (B, D), targets (B,); sizes, a list of the
    micro-batches' rows, sums to B.
    """
    raise NotImplementedError
''',
)
