"""Find the bugs: the wrong variance, and ε outside the square root."""

import torch

from lessons.kit.exercises import GRADIENT, Draw, Exercise, Inputs, mistakes
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
    layer_by(mean, lambda x, eps: x.std(dim=-1, keepdim=True) + eps),
    "There are two bugs: what does x.std divide by, and where does ε belong?",
    layer_by(mean, lambda x, eps: torch.sqrt(variance(x, correction=1) + eps)),
    "ε is right now, but the variance is not: by default torch divides by n − 1, and layer "
    "normalization divides by n.",
    layer_by(mean, lambda x, eps: variance(x).sqrt() + eps),
    "The variance is right, but ε is not: add it to the variance before you take the square root.",
    layer_by(mean, lambda x, eps: variance(x).sqrt()),
    "ε is missing. A constant row has variance 0, and 0 / 0 is nan.",
    layer_by(
        lambda x: x.mean(dim=0, keepdim=True),
        lambda x, eps: torch.sqrt(variance(x, dim=0) + eps),
    ),
    "You compute the statistics along the first axis. Layer normalization computes them within one "
    "token, along the last axis.",
    layer_by(mean, lambda x, eps: torch.sqrt(variance(x, correction=1).sqrt() + eps)),
    "x.std already includes the square root, so you take it twice. Add ε to the variance, then "
    "take one square root. And what does x.std divide by?",
    *SLIPS,
)


def _draw(draw: Draw) -> Inputs:
    return draw_layer(draw)


layer_norm = Exercise(
    name="layer_norm.layer_norm",
    reference=norms.layer_norm,
    cases=layer_cases("layer_norm.layer_norm"),
    mistakes=_MISTAKES,
    right_answers=RIGHT_ANSWERS,
    draw=_draw,
    hint_texts=(
        "What is √variance of [2, 4, 6, 8] in the chapter, and what does x.std return?",
        "Compute the variance yourself, or make torch divide by n. Then add eps, and take the "
        "square root last.",
        "variance = x.var(dim=-1, keepdim=True, correction=0), and the divisor is the square root "
        "of variance + eps.",
    ),
    starter='''\
def my_layer_norm(x, weight, bias, eps):
    """Normalize each token of x (..., D), then apply gain and shift."""
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True)
    return weight * (x - mean) / (std + eps) + bias
''',
    remarks=(GRADIENT,),
)
