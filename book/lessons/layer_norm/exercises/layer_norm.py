"""Find the bugs: the wrong variance, and ε outside the root."""

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
    "There are two slips in it: by what does x.std divide, and where does ε belong?",
    layer_by(mean, lambda x, eps: torch.sqrt(variance(x, correction=1) + eps)),
    "ε is in its place. The variance is not yet: torch divides by n − 1 unless you tell it "
    "otherwise, and layer normalization divides by n.",
    layer_by(mean, lambda x, eps: variance(x).sqrt() + eps),
    "The variance is right. ε is not yet: it is added to the variance, before the root is taken.",
    layer_by(mean, lambda x, eps: variance(x).sqrt()),
    "ε is gone. A constant row has variance 0, and 0 / 0 is nan.",
    layer_by(
        lambda x: x.mean(dim=0, keepdim=True),
        lambda x, eps: torch.sqrt(variance(x, dim=0) + eps),
    ),
    "The statistics run down the first axis. Layer normalization works within one token, over "
    "the last axis.",
    layer_by(mean, lambda x, eps: torch.sqrt(variance(x, correction=1).sqrt() + eps)),
    "x.std has taken the root already, so this takes it twice. Add ε to the variance and then "
    "take one root. And by what does x.std divide?",
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
        "What does the chapter get for √variance of [2, 4, 6, 8], and what does x.std give?",
        "Compute the variance yourself, or tell torch to divide by n. Then add eps, and take the "
        "root last.",
        "variance = x.var(dim=-1, keepdim=True, correction=0), and the divisor is the root of "
        "variance + eps.",
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
