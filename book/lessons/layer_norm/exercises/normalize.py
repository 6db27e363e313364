"""Write layer normalization, for tokens in any number of axes."""

import torch

from lessons.kit.exercises import GRADIENT, NO_BUILTIN_NORM, Draw, Exercise, Inputs, mistakes
from lessons.layer_norm.exercises._shared import (
    RIGHT_ANSWERS,
    SLIPS,
    draw_layer,
    layer_by,
    layer_cases,
    mean,
    variance,
)
from transformer_lite.layers import norms

_MISTAKES = mistakes(
    layer_by(mean, lambda x, eps: torch.sqrt(variance(x, correction=1) + eps)),
    "The variance divides by n − 1, the default of torch. Layer normalization divides by n.",
    layer_by(mean, lambda x, eps: variance(x).sqrt() + eps),
    "You add ε to the standard deviation. Add it to the variance, inside the square root.",
    layer_by(mean, lambda x, eps: variance(x, correction=1).sqrt() + eps),
    "x.std() + eps has two mistakes: std divides by n − 1 by default, and ε must be added to the "
    "variance, inside the square root.",
    layer_by(mean, lambda x, eps: variance(x).sqrt()),
    "ε is not used. A constant row has variance 0, and 0 / 0 is nan.",
    lambda x, weight, bias, eps: weight * norms.rms_norm(x, eps=eps) + bias,
    "The mean is not subtracted. That is RMS normalization with a shift.",
    layer_by(
        lambda x: x.mean(dim=0, keepdim=True),
        lambda x, eps: torch.sqrt(variance(x, dim=0) + eps),
    ),
    "You compute the statistics along the first axis. The numbers of a token are along the last "
    "axis.",
    layer_by(torch.mean, lambda x, eps: torch.sqrt(x.var(correction=0) + eps)),
    "You use one mean and one variance for all tokens. Each token has its own: dim=-1, "
    "keepdim=True.",
    layer_by(mean, lambda x, eps: ((x - mean(x)).square().sum(-1, keepdim=True) + eps).sqrt()),
    "You sum the squares, so the divisor grows with the number of features. Take their mean.",
    *SLIPS,
    lambda x, weight, bias, eps: torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, eps),
    "You call PyTorch's layer_norm. Compute mean, variance and square root yourself.",
)


def _draw(draw: Draw) -> Inputs:
    return draw_layer(draw)


normalize = Exercise(
    name="layer_norm.normalize",
    reference=layer_by(mean, lambda x, eps: torch.sqrt(variance(x) + eps)),
    cases=layer_cases("layer_norm.normalize"),
    mistakes=_MISTAKES,
    right_answers=RIGHT_ANSWERS,
    draw=_draw,
    hint_texts=(
        "You did this for one token in the first section. Along which axis are the numbers of a "
        "token if there are many tokens?",
        "Mean and variance along the last axis, kept as an axis of size 1. Subtract the mean, "
        "divide by the square root of variance plus eps, multiply by weight, add bias.",
        "centered = x - x.mean(dim=-1, keepdim=True), and the variance is "
        "centered.square().mean(dim=-1, keepdim=True).",
    ),
    starter='''\
def normalize(x, weight, bias, eps):
    """Layer-normalize each token of x (..., D); weight is γ, bias is β."""
    raise NotImplementedError
''',
    properties=(NO_BUILTIN_NORM,),
    remarks=(GRADIENT,),
)
