"""Build a test that layer normalization passes and eight wrong versions fail."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from lessons.kit.exercises.outcome import Function
from lessons.kit.exercises.sample_layers import NORMS, STRETCHED, Norm
from transformer_lite.layers import norms

_UNEVEN = torch.tensor([2.0, -1.0, 3.5, -0.5, 4.2])
_ONES, _ZEROS = torch.ones(5), torch.zeros(5)
_GAIN, _SHIFT = torch.linspace(0.5, 2.5, 5), torch.linspace(-1.0, 0.5, 5)
_FAINT_PAIR = torch.stack([_UNEVEN, _UNEVEN.flip(0) / 1000])


def _tested_with(
    x: Tensor, weight: Tensor = _GAIN, bias: Tensor = _SHIFT, tolerance: float = 1e-4
) -> Function:
    """Return a test that compares a norm with the right one on these inputs."""

    def function(norm: Norm) -> bool:
        found = norm(x.clone(), weight.clone(), bias.clone())
        return torch.allclose(found, norms.layer_norm(x, weight, bias), atol=tolerance)

    return function


def _has_mean_and_variance(norm: Norm) -> bool:
    found = norm(_FAINT_PAIR[:1], _ONES, _ZEROS)
    variance = found.var(dim=-1, correction=0)
    return bool(found.mean().abs() < 1e-4 and (variance - 1).abs() < 0.01)


_MISTAKES = mistakes(
    _tested_with(torch.tensor([2.0, 4, 6, 8]), torch.ones(4), torch.zeros(4)),
    "Your test behaves like one on [2, 4, 6, 8]. Evenly spaced numbers hide several mistakes, "
    "because they all have the same normalized form. Use uneven steps.",
    _tested_with(_UNEVEN, _ONES, _ZEROS),
    "Your test behaves like one with a single ordinary token and γ = 1. One token cannot reveal a "
    "wrong axis, and its spread hides ε.",
    _tested_with(torch.stack([_UNEVEN, 3 * _UNEVEN.flip(0) - 7])),
    "The versions with a wrong ε pass. If the variance is large, ε has no visible effect: add a "
    "token whose variance is not much larger than ε.",
    _tested_with(_FAINT_PAIR, _ONES, _ZEROS),
    "The function without γ passes. Use a gain that is not 1.",
    _tested_with(torch.stack([_UNEVEN, _UNEVEN.flip(0)])),
    "Your test behaves like one on a single token of shape (1, D), or on tokens with the same "
    "numbers. There, one mean and one variance for all tokens are right by accident, and ε has no "
    "visible effect. Use two tokens of different size.",
    _tested_with(_FAINT_PAIR, tolerance=0.5),
    "Your tolerance is too large: a difference of several tenths passes.",
    _tested_with(_FAINT_PAIR, tolerance=-1.0),
    "Your test also rejects the right function. Use a small tolerance, because two right answers "
    "can differ in their last digits.",
    lambda norm: not _tested_with(_FAINT_PAIR)(norm),
    "You swapped True and False: return True for a right function.",
    _has_mean_and_variance,
    "A mean of 0 and a variance of 1 are not enough: several wrong versions have both. Compare the "
    "numbers with the right ones.",
)


def _by_hand(norm: Norm) -> bool:
    x = torch.tensor([[5.0, -1.0, 2.0, 0.0], [0.004, 0.001, -0.003, 0.002], [1.0, 1.0, 7.0, 3.0]])
    weight, bias = torch.tensor([0.5, 2.0, -1.0, 3.0]), torch.tensor([1.0, 0.0, -2.0, 0.5])
    gap = x - x.mean(dim=-1, keepdim=True)
    right = weight * gap / (gap.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt() + bias
    return bool((norm(x, weight, bias) - right).abs().max() < 1e-3)


def _by_torch(norm: Norm) -> bool:
    x = torch.randn(4, 6, generator=torch.Generator().manual_seed(1))
    x[1] *= 0.002
    weight, bias = torch.linspace(1, 3, 6), torch.linspace(0, 1, 6)
    right = torch.nn.functional.layer_norm(x, (6,), weight, bias)
    return torch.allclose(norm(x, weight, bias), right, atol=1e-4)


def _draw(draw: Draw) -> Inputs:
    stretched, known = draw.choice(*STRETCHED.values()), draw.choice(*NORMS.values())
    return (draw.choice(stretched, stretched, stretched, known),)


is_layer_norm = Exercise(
    name="layer_norm.is_layer_norm",
    reference=_tested_with(_FAINT_PAIR),
    cases=tuple(Case(name.replace("_", " "), {"norm": norm}) for name, norm in NORMS.items()),
    mistakes=_MISTAKES,
    right_answers=(_by_hand, _by_torch),
    draw=_draw,
    hint_texts=(
        "Which test in the chapter did every wrong version fail? What did it have that the other "
        "tests did not?",
        "Make two uneven tokens, one of them a thousand times smaller, a gain that is not 1, and a "
        "shift. Call norm on them, and compare the result with the right one.",
        "x = torch.stack([token, token.flip(0) / 1000]); compare norm(x, weight, bias) with "
        "torch.nn.functional.layer_norm(x, (5,), weight, bias) by torch.allclose.",
    ),
    starter='''\
def is_layer_norm(norm):
    """Whether norm(x, weight, bias) is layer normalization with ε = 1e-5."""
    raise NotImplementedError
''',
)
