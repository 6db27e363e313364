"""From a share of the weight to the gap between two scores."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _shares(*numbers: float, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
    return {"share": torch.tensor(numbers, dtype=dtype)}


_MISTAKES = mistakes(
    lambda share: torch.log(share),
    "This is the logarithm of the weight alone. The gap compares the weight with that of the other "
    "key.",
    lambda share: share / (1 - share),
    "This is the ratio of the two weights. The exponential turned the gap into this ratio: "
    "undo it.",
    lambda share: torch.log((1 - share) / share),
    "The sign is wrong: this is the second score minus the first.",
    lambda share: torch.sigmoid(share),
    "This computes a weight from a gap. The exercise asks for the gap that belongs to a weight.",
    lambda share: torch.log10(share / (1 - share)),
    "The logarithm has the base 10. Softmax raises e to the scores, so it takes the natural "
    "logarithm to undo it.",
    lambda share: 2 * share - 1,
    "This is the difference of the two weights. The gap is the difference of the two scores.",
)


def _draw(draw: Draw) -> Inputs:
    shares = torch.sigmoid(draw.normal(draw.size(), size=draw.choice(1, 3)).double())
    if draw.size() == 1:
        shares = shares**3 * 1e-8
    return (shares.to(draw.dtype),)


gap_for = Exercise(
    name="scaling.gap_for",
    reference=torch.logit,
    cases=(
        Case("a share of 0.99, and one of a half", _shares(0.99, 0.5)),
        Case("five shares", _shares(0.731, 0.881, 0.999, 0.269, 0.119)),
        Case("four shares in float64", _shares(0.6, 1e-6, 0.025, 0.75, dtype=torch.float64)),
        Case("next to nothing and nearly all", _shares(1e-9, 1 - 2**-20, dtype=torch.float64)),
        Case("one share", _shares(0.8)),
    ),
    mistakes=_MISTAKES,
    right_answers=(
        lambda share: torch.log(share) - torch.log(1 - share),
        lambda share: -torch.log(1 / share - 1),
    ),
    draw=_draw,
    hint_texts=(
        "The weights of two keys add up to 1. If one is 0.99, how many times the other is it?",
        "The ratio of two weights is e to the power of the gap. Which function undoes e to a "
        "power?",
        "The other key has the weight 1 - share. Divide share by that, and take torch.log.",
    ),
    starter='''\
def gap_for(share):
    """Which gap gives the first of two keys this share? (N,) -> (N,)."""
    ...  # every share lies between 0 and 1
''',
)
