"""Find the bug: a column meets a row, and broadcasting makes a table of it."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("what_a_transformer_does.squared_error")


def _error(predictions: Tensor, target: Tensor) -> Tensor:
    return (predictions.squeeze(-1) - target).square().mean(dim=-1)


def _cases() -> tuple[Case, ...]:
    def draw(m: int, n: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        return {"predictions": _normal(m, n, 1, dtype=dtype), "target": _normal(n, dtype=dtype)}

    right = torch.tensor([1.0, 2, 3])
    two = {"predictions": torch.stack([right, right + 1])[:, :, None], "target": right}
    return (
        Case("two models and one target, M=2, n=1", draw(2, 1)),
        Case("one model is right, the other too high by 1, M=2, n=3", two),
        Case("random numbers, M=3, n=4", draw(3, 4)),
        Case("random numbers in float64, M=2, n=6", draw(2, 6, torch.float64)),
        Case("a single model, M=1, n=5", draw(1, 5)),
    )


_MISTAKES = mistakes(
    lambda p, y: (p - y).square().mean(dim=(1, 2)),
    "A column (n, 1) minus a row (n,) is a table (n, n): every prediction is compared with "
    "every target. Give both the same last axes first.",
    lambda p, y: (p[..., 0] - y).square().sum(dim=1),
    "The squares are added. Return their mean.",
    lambda p, y: (p[..., 0] - y).abs().mean(dim=1),
    "This is the mean of the absolute errors. Square them.",
    lambda p, y: (p[..., 0] - y).mean(dim=1).square(),
    "The mean is taken before the square, so positive and negative errors cancel.",
    lambda p, y: (p[..., 0] - y).square(),
    "The squares are right. One step is left: their mean for each model.",
    lambda p, y: (p[..., 0] - y).square().mean(dim=0),
    "The mean runs over the models. It should run over the targets.",
)


def _draw(draw: Draw) -> Inputs:
    m, n = draw.size(), draw.size()
    return draw.normal(m, n, 1), draw.normal(n)


squared_error = Exercise(
    name="what_a_transformer_does.squared_error",
    reference=_error,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda p, y: (p - y[:, None]).pow(2).mean(dim=(1, 2)),
        lambda p, y: torch.stack([torch.nn.functional.mse_loss(row[:, 0], y) for row in p]),
    ),
    draw=_draw,
    hint_texts=(
        "Print the shape of predictions - target. How many numbers do you expect for each model?",
        "Remove the last axis of predictions, so that both end in the shape (n,). Then subtract.",
        "predictions[..., 0] has the shape (M, n). After that the mean runs over dim=1 alone.",
    ),
    starter='''\
def squared_error(predictions, target):
    """Mean squared error of M models: (M, n, 1) and targets (n,): (M,)."""
    return (predictions - target).square().mean(dim=(1, 2))
''',
    remarks=(GRADIENT,),
)
