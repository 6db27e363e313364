"""A softmax at a temperature, for scores of any size."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows
from transformer_lite.layers.attention import masked_softmax

_normal = normal_numbers("scaling.tempered")


def _cases() -> tuple[Case, ...]:
    far = _normal(3, 4, dtype=torch.float64)
    far[1] += 9000
    far[2] -= 9000
    return (
        Case(
            "the scores 6 and 4 at temperature 2",
            {"scores": torch.tensor([[6.0, 4.0]]), "temperature": 2.0},
        ),
        Case("T=3, S=5, temperature 0.5", {"scores": _normal(3, 5), "temperature": 0.5}),
        Case(
            "float64, T=4, S=2, temperature 5",
            {"scores": 3 * _normal(4, 2, dtype=torch.float64), "temperature": 5.0},
        ),
        Case("rows far apart, T=3, S=4, temperature 3", {"scores": far, "temperature": 3.0}),
        Case(
            "a gap of 900 at temperature 300, T=2, S=3",
            {
                "scores": torch.tensor([[900, 0, 450], [-900, 0, -300]], dtype=torch.float64),
                "temperature": 300.0,
            },
        ),
        Case(
            "a score far above and one far below the others, temperature 1",
            {
                "scores": torch.tensor([[0.0, 3000, 0], [0, -3000, 0], [0, 0, 3000]]),
                "temperature": 1.0,
            },
        ),
        Case("one query, T=1, S=4", {"scores": _normal(1, 4), "temperature": 3.0}),
        Case("one key, T=3, S=1", {"scores": _normal(3, 1), "temperature": 2.0}),
    )


def _tempered(scores: Tensor, temperature: float) -> Tensor:
    return masked_softmax(scores / temperature)


def _tempered_less_its_mean(scores: Tensor, temperature: float) -> Tensor:
    divided = scores / temperature
    return normalize_rows(torch.exp(divided - divided.mean(dim=-1, keepdim=True)))


_MISTAKES = mistakes(
    lambda s, t: s.softmax(dim=-1),
    "The temperature has no effect: these are the weights at temperature 1.",
    lambda s, t: (s * t).softmax(dim=-1),
    "The scores are multiplied by the temperature. A high temperature should make the weights "
    "more even, so it has to make the gaps smaller.",
    lambda s, t: s.softmax(dim=-1) / t,
    "The division comes after the softmax. The rows no longer sum to 1, and the gaps are "
    "unchanged.",
    lambda s, t: (s / t).softmax(dim=0),
    "The columns sum to 1 instead of the rows. The weights of each query must sum to 1.",
    lambda s, t: normalize_rows(torch.exp(s / t)),
    "exp overflows for large scores, and for very low ones all results are 0. Both lead to NaN. "
    "Subtract each row's largest score first.",
    lambda s, t: normalize_rows(torch.exp((s - s.max()) / t)),
    "One maximum is subtracted from all rows. In a row far below it everything becomes 0, and 0 "
    "divided by 0 is NaN. Each row needs its own maximum.",
    _tempered_less_its_mean,
    "Each row's mean is subtracted. A score far above its row's mean still overflows: subtract "
    "the row's largest score.",
    lambda s, t: normalize_rows(s.softmax(dim=-1) ** (1 / t)),
    "The weights are raised to a power after the softmax. Mathematically that is the same. In "
    "floating point a small weight may have been rounded to 0 before that.",
)


def _tempered_with_logsumexp(scores: Tensor, temperature: float) -> Tensor:
    divided = scores / temperature
    return torch.exp(divided - torch.logsumexp(divided, dim=1, keepdim=True))


def _draw(draw: Draw) -> Inputs:
    precise = draw.dtype == torch.float64  # float32 would leave three digits of such scores
    scores = draw.normal(draw.size(), draw.size(), size=draw.choice(1, 10, 1000 if precise else 3))
    shift = draw.choice(0, 0, 9000, -9000) if precise else 0
    return scores + shift, draw.choice(0.5, 1.0, 2.0, 30.0)


tempered = Exercise(
    name="scaling.tempered",
    reference=_tempered,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda scores, temperature: torch.softmax(scores * (1 / temperature), dim=1),
        _tempered_with_logsumexp,
    ),
    draw=_draw,
    hint_texts=(
        "A high temperature makes the weights more even. Should the gaps between the scores grow "
        "or shrink?",
        "Divide the scores by the temperature first. Then softmax, along the axis of the keys.",
        "(scores / temperature).softmax over the last axis. If you take exponentials yourself, "
        "subtract the divided scores' amax(dim=-1, keepdim=True) first.",
    ),
    starter='''\
def tempered(scores, temperature):
    """Softmax of each row of scores (T, S) at a temperature: (T, S)."""
    ...  # the scores may be large: no weight may come out as nan
''',
    remarks=(GRADIENT,),
)
