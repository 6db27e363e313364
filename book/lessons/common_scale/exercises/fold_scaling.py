"""Fold the scaling of the data into the weights of a linear model."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction

_normal = normal_numbers("common_scale.fold_scaling")


def _cases() -> tuple[Case, ...]:
    def draw(name: str, d: int, dtype: torch.dtype = torch.float32) -> Case:
        return Case(
            name,
            {
                "weight": _normal(d, dtype=dtype),
                "bias": _normal(dtype=dtype),
                "mean": 3 * _normal(d, dtype=dtype),
                "std": 0.5 + _normal(d, dtype=dtype).abs(),
            },
        )

    houses = {"weight": [12, 8], "bias": 60, "mean": [1500, 3], "std": [400, 1.25]}
    worked = {name: torch.tensor(value, dtype=torch.float32) for name, value in houses.items()}
    return (
        Case("size and rooms: weights [12, 8], bias 60", worked),
        draw("D=3", 3),
        draw("float64, D=5", 5, torch.float64),
        draw("one feature, D=1", 1),
    )


def _folded(weight_of: TensorFunction, bias_of: TensorFunction) -> TensorFunction:
    """Return a folding with this weight of (weight, mean, std) and this bias of all four."""

    def function(weight: Tensor, bias: Tensor, mean: Tensor, std: Tensor) -> Tensor:
        raw_bias = bias_of(weight, bias, mean, std)
        return torch.cat([weight_of(weight, mean, std), raw_bias.view(1)])

    return function


def _folded_weight(weight: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    return weight / std


def _folded_bias(weight: Tensor, bias: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    return bias - (weight / std * mean).sum()


_MISTAKES = mistakes(
    _folded(_folded_weight, lambda weight, bias, mean, std: bias),
    "The weights are right, but the bias must change too. What does the model predict for a house "
    "with exactly the mean values?",
    _folded(_folded_weight, lambda w, bias, mean, std: bias + (w / std * mean).sum()),
    "The correction of the bias has the wrong sign. The mean is subtracted from x.",
    _folded(_folded_weight, lambda weight, bias, mean, std: bias - (weight * mean).sum()),
    "You correct the bias with the old weights. The mean must be divided by σ too.",
    _folded(lambda weight, mean, std: weight * std, _folded_bias),
    "You multiply the weights by σ. A step of σ in the feature is a step of 1 in its z-score, so "
    "divide by σ.",
    lambda weight, bias, mean, std: torch.cat([weight, bias.view(1)]),
    "These are the old weights. Write out w (x − μ) / σ + b and collect the factors of x.",
    lambda weight, bias, mean, std: torch.cat(
        [_folded_bias(weight, bias, mean, std).view(1), weight / std]
    ),
    "The bias comes first here. Return the weights first, then the bias.",
)


def _folded_by_asking(weight: Tensor, bias: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    """Fold by the values at 0 and at each unit vector, which determine an affine model."""
    points = torch.cat(
        [torch.eye(len(weight), dtype=weight.dtype), weight.new_zeros(1, len(weight))]
    )
    predictions = (points - mean) / std @ weight + bias
    return torch.cat([predictions[:-1] - predictions[-1], predictions[-1:]])


def _draw(draw: Draw) -> Inputs:
    d = draw.size()
    return draw.normal(d), draw.normal(), draw.normal(d, size=3), 0.5 + draw.normal(d).abs()


fold_scaling = Exercise(
    name="common_scale.fold_scaling",
    reference=_folded(_folded_weight, _folded_bias),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _folded(
            _folded_weight, lambda weight, bias, mean, std: bias - torch.dot(weight / std, mean)
        ),
        _folded_by_asking,
    ),
    draw=_draw,
    hint_texts=(
        "Multiply out w (x − μ) / σ + b. Which part multiplies x, and which part does not depend "
        "on x?",
        "The raw weight is the old one divided by σ. Subtract from the bias the sum of the raw "
        "weights times the means.",
        "raw_weight = weight / std, raw_bias = bias - raw_weight @ mean, then torch.cat of the "
        "two, with raw_bias.view(1).",
    ),
    starter='''\
def fold_scaling(weight, bias, mean, std):
    """Weights (D,), bias (), means (D,), stds (D,) -> (D + 1,), for raw x."""
    raise NotImplementedError
''',
)
