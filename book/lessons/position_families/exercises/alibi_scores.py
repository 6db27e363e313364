"""Compute ALiBi's scores in a decoder, with a slope for each head."""

import math

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.position_families.exercises._shared import TOKENS, offsets
from transformer_lite.layers.positions import alibi_slopes

_normal = normal_numbers("position_families.alibi_scores")


def _alibi(scores: Tensor, slopes: Tensor) -> Tensor:
    distance = -offsets(scores[0])
    return (scores - slopes[:, None, None] * distance).masked_fill(distance < 0, -torch.inf)


def _cases() -> tuple[Case, ...]:
    worked = (TOKENS @ TOKENS.mT / 2).repeat(2, 1, 1)
    return (
        Case("The, CAT, SAT in 2 heads", {"scores": worked, "slopes": alibi_slopes(2)}),
        Case("3 heads, T=5", {"scores": _normal(3, 5, 5), "slopes": alibi_slopes(3)}),
        Case(
            "4 heads, T=4: as many heads as tokens",
            {"scores": _normal(4, 4, 4), "slopes": alibi_slopes(4)},
        ),
        Case(
            "steep slopes in float64, 2 heads, T=6",
            {
                "scores": _normal(2, 6, 6, dtype=torch.float64),
                "slopes": torch.tensor([3.0, 0.7], dtype=torch.float64),
            },
        ),
        Case("1 head, T=3", {"scores": _normal(1, 3, 3), "slopes": alibi_slopes(1)}),
        Case("3 heads, one token", {"scores": _normal(3, 1, 1), "slopes": alibi_slopes(3)}),
    )


def _hide(scores: Tensor) -> Tensor:
    return scores.masked_fill(offsets(scores[0]) > 0, -torch.inf)


_MISTAKES = mistakes(
    lambda s, m: _hide(s - m[:, None, None] * offsets(s[0])),
    "The sign is wrong: a key gains more the further back it is. Subtract the penalty.",
    lambda s, m: s + m[:, None, None] * offsets(s[0]),
    "The future is not masked. It even gets a bonus, because its offset has the other sign.",
    lambda s, m: s - m[:, None, None] * offsets(s[0]).abs(),
    "The future is not masked: this is the form for an encoder.",
    lambda s, m: _alibi(s, m).tril(),
    "The future has a score of 0, which still gets a weight after the softmax. Fill with −∞.",
    lambda s, m: _hide(s - m.mean() * offsets(s[0]).abs()),
    "All heads get the same slope. Each head has its own.",
    lambda s, m: _alibi(s, m / math.sqrt(s.shape[-1])),
    "You divide the penalty by √K. Only the scores are divided by √K, and that is already done.",
    lambda s, m: _hide(s * (1 - m[:, None, None] * offsets(s[0]).abs())),
    "You multiply the score. That would help a key with a negative score. Subtract the penalty.",
    lambda s, m: _hide(s - m[:, None, None] * torch.arange(s.shape[-1])),
    "The penalty is slope times position, not slope times distance.",
)


def _alibi_head_by_head(scores: Tensor, slopes: Tensor) -> Tensor:
    size = scores.shape[-1]
    out = torch.full_like(scores, -torch.inf)
    for head, slope in enumerate(slopes):
        for i in range(size):
            for j in range(i + 1):
                out[head, i, j] = scores[head, i, j] - slope * (i - j)
    return out


def _alibi_by_mask(scores: Tensor, slopes: Tensor) -> Tensor:
    place = torch.arange(scores.shape[-1], dtype=scores.dtype)
    bias = torch.einsum("h,ts->hts", slopes, place[None, :] - place[:, None])
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return torch.where(hidden, -torch.inf, scores + bias)


def _draw(draw: Draw) -> Inputs:
    h, t = draw.size(), draw.size()
    return draw.normal(h, t, t), draw.normal(h).abs() + 0.1


alibi_scores = Exercise(
    name="position_families.alibi_scores",
    reference=_alibi,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_alibi_head_by_head, _alibi_by_mask),
    draw=_draw,
    hint_texts=(
        "What must be subtracted from the score of query 2 and key 0, in the first head?",
        "Make the table of distances, query position minus key position. Add two axes to the "
        "slopes, so that each multiplies the whole table of its head.",
        "With place = torch.arange(T), distance = place[:, None] - place[None, :]. Subtract "
        "slopes[:, None, None] * distance and fill where distance < 0.",
    ),
    starter='''\
def alibi_scores(scores, slopes):
    """Scores (H, T, T) after the penalty of each head; the future is -inf."""
    ...  # slopes (H,) are positive
''',
    remarks=(GRADIENT,),
)
