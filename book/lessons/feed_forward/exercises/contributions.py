"""Compute what each hidden unit adds to each token."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.feed_forward.exercises._shared import SENTENCE, WEIGHTS, random_weights
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("feed_forward.contributions")


def _contributions(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor) -> Tensor:
    return torch.relu(x @ w1 + b1)[..., None] * w2


def _contribution_case(
    name: str, length: int, width: int, hidden: int, dtype: torch.dtype = torch.float32
) -> Case:
    weights = random_weights(_normal, width, hidden, dtype)
    del weights["b2"]
    return Case(name, {"x": _normal(length, width, dtype=dtype), **weights})


_CASES = (
    Case(
        "Je suis étudiant, by hand",
        {"x": SENTENCE, **{name: WEIGHTS[name] for name in ("w1", "b1", "w2")}},
    ),
    _contribution_case("T=4, D=3, M=5", 4, 3, 5),
    _contribution_case("T=2, D=5, M=7, in float64", 2, 5, 7, torch.float64),
    _contribution_case("one token, D=3, M=2", 1, 3, 2),
    _contribution_case("one unit and one feature, T=3, D=1, M=1", 3, 1, 1),
)


_MISTAKES = mistakes(
    lambda x, w1, b1, w2: (x @ w1 + b1)[..., None] * w2,
    "The ReLU is missing, so units with negative numbers add something too. A unit that is off "
    "adds nothing.",
    lambda x, w1, b1, w2: torch.relu((x @ w1 + b1)[..., None] * w2),
    "The ReLU comes after the second map. There it sets negative weights of active units to 0, and "
    "it lets a unit that is off pass when two minus signs cancel.",
    lambda x, w1, b1, w2: torch.relu(x @ w1)[..., None] * w2,
    "The bias b1 is not added. It sets the threshold of each unit.",
    lambda x, w1, b1, w2: (torch.relu(x @ w1) + b1)[..., None] * w2,
    "The bias b1 is added after the ReLU. Add it before: it sets the threshold of the unit.",
    lambda x, w1, b1, w2: torch.relu(x @ w1 + b1) @ w2,
    "You summed the contributions over the units. Keep one row for each unit: the shape is (T, M, "
    "D).",
    lambda x, w1, b1, w2: torch.relu(x @ w1 + b1)[:, None, :] * w2.mT,
    "The last two axes are swapped. Units come before features: (T, M, D).",
    lambda x, w1, b1, w2: (x @ w1 + b1 > 0)[..., None] * w2,
    "Each active unit adds its row of w2 once. Multiply the row by the value of the unit.",
)


def _contributions_by_einsum(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor) -> Tensor:
    return torch.einsum("tm,md->tmd", (x @ w1 + b1).clamp(min=0), w2)


def _contributions_unit_by_unit(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor) -> Tensor:
    units = [torch.outer(F.relu(x @ w1[:, m] + b1[m]), w2[m]) for m in range(len(w2))]
    return torch.stack(units, dim=1)


def _draw(draw: Draw) -> Inputs:
    t, d, m = draw.size(), draw.size(), draw.size()
    return draw.normal(t, d), draw.normal(d, m), draw.normal(m), draw.normal(m, d)


contributions = Exercise(
    name="feed_forward.contributions",
    reference=_contributions,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_contributions_by_einsum, _contributions_unit_by_unit),
    draw=_draw,
    hint_texts=(
        "What is the value of unit m for one token, after the ReLU? And which row of w2 belongs to "
        "it?",
        "Compute the hidden layer, shape (T, M). Add a last axis of size 1, so each number "
        "multiplies a whole row of w2.",
        "hidden = torch.relu(x @ w1 + b1). Then hidden[..., None] has shape (T, M, 1), and its "
        "product with w2, shape (M, D), has shape (T, M, D).",
    ),
    starter='''\
def contributions(x, w1, b1, w2):
    """What each hidden unit adds to each token: x (T, D) -> (T, M, D)."""
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
