"""Clip the gradient of all weights to a length, and keep its direction."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("training_a_translator.clipped_gradients")


def _cut(gradients: Tensor, length: Tensor | float, max_norm: float) -> Tensor:
    """Scale by max_norm / length where the length is larger than max_norm."""
    return gradients * (max_norm / torch.as_tensor(length).clamp(min=max_norm))


def _reference(gradients: Tensor, max_norm: float) -> Tensor:
    return _cut(gradients, gradients.norm(), max_norm)


def _cases() -> tuple[Case, ...]:
    plain = torch.tensor([[3.0, 0.0], [0.0, 4.0]])
    uneven = torch.stack([_normal(5) * 100, _normal(5) / 100])
    gradients = {
        "a gradient of length 5, at most 1": (plain, 1.0),
        "the same, at most 10": (plain, 10.0),
        "three weights, float64": (_normal(3, 4, dtype=torch.float64), 0.5),
        "one weight": (_normal(1, 6), 2.0),
        "weights of one number each": (_normal(4, 1) * 3, 2.0),
        "one long row and one short": (uneven, 3.0),
        "a length below 1, and a smaller limit": (torch.tensor([[0.3, 0.4]]), 0.25),
        "a gradient of zeros": (torch.zeros(2, 3), 1.0),
        "entries below 1, but a length above it": (torch.full((3, 3), -0.9), 1.0),
        "no row above the limit, but the whole gradient above it": (
            torch.tensor([[0.6, 0.8], [0.8, 0.6]]),
            1.2,
        ),
        "entries above 1, but a length below the limit": (torch.tensor([[2.0, -2.0]]), 3.0),
    }
    return tuple(
        Case(name, {"gradients": rows, "max_norm": most})
        for name, (rows, most) in gradients.items()
    )


def _if_a_row_is_long(gradients: Tensor, max_norm: float) -> Tensor:
    long = (gradients.norm(dim=1) > max_norm).any()
    return gradients * (max_norm / gradients.norm()) if long else gradients.clone()


_MISTAKES = mistakes(
    lambda g, m: _cut(g, g.norm(dim=1, keepdim=True), m),
    "You clip each row by itself, which can change the direction of the whole gradient. Compute "
    "one length over all rows, and use one factor.",
    lambda g, m: g.clamp(-m, m),
    "You clip the entries, not the length. That can change the direction, and a gradient of many "
    "small entries can stay too long.",
    lambda g, m: g * (m / g.norm().clamp(min=1e-12)),
    "You scale every gradient to the length max_norm, short ones too. Scale only a gradient that "
    "is longer.",
    lambda g, m: _cut(g, g.norm() ** 2, m),
    "You divided by the squared length. Take the square root of the sum of squares.",
    lambda g, m: _cut(g, g.norm(dim=1).sum(), m),
    "You added the lengths of the rows. Add all squares, and take the square root of the sum.",
    lambda g, m: g * (m / g.norm()).nan_to_num(nan=torch.nan, posinf=torch.nan).clamp(max=1),
    "A gradient of zeros has the length 0, and dividing by 0 gives nan. Leave such a gradient "
    "unchanged.",
    _if_a_row_is_long,
    "You clip only if a single row is too long. Compare the length of the whole gradient with "
    "max_norm.",
)


def _by_squares(gradients: Tensor, max_norm: float) -> Tensor:
    length = float(gradients.square().sum()) ** 0.5
    return gradients * (max_norm / length) if length > max_norm else gradients.clone()


def _draw(draw: Draw) -> Inputs:
    return draw.normal(draw.size(), draw.size(), size=draw.scale()), draw.choice(0.5, 1.0, 10.0)


clipped_gradients = Exercise(
    name="training_a_translator.clipped_gradients",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_squares, lambda g, m: _cut(g, g.flatten().dot(g.flatten()).sqrt(), m)),
    draw=_draw,
    hint_texts=(
        "All weights together have one gradient, a long vector. What is its length?",
        "Sum the squares of all entries of all rows and take the square root. If that is more than "
        "max_norm, multiply every row by the same number.",
        "length = (gradients**2).sum() ** 0.5; the factor is max_norm / length where "
        "length > max_norm, and 1 otherwise.",
    ),
    starter='''\
def clipped_gradients(gradients, max_norm):
    """Cut the gradient of W weights, a row for each: (W, N) -> (W, N)."""
    ...  # the direction stays
''',
)
