"""A softmax over what the mask allows, with zeros where it allows nothing."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.masks.exercises._shared import combined_mask
from transformer_lite.layers.attention import masked_softmax
from transformer_lite.layers.masks import additive_mask

_normal = normal_numbers("masks.masked_weights")


_EMBEDDINGS = torch.tensor(
    [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2], [0, 0, 0, 0]],
    dtype=torch.float32,
)


def _cases() -> tuple[Case, ...]:
    def hide_largest(name: str, scores: Tensor, count: int = 1) -> Case:
        """Hide the `count` largest scores of each row, where a leak shows most."""
        hidden = scores.argsort(dim=-1, descending=True)[:, :count]
        mask = torch.ones(scores.shape, dtype=torch.bool).scatter(-1, hidden, False)
        return Case(name, {"scores": scores, "mask": mask})

    far = _normal(2, 4, dtype=torch.float64)
    far[:, 1] += 2000
    large = torch.tensor([[9000, 9001, 8999], [-9000, -9002, -9001]], dtype=torch.float64)
    worked = {
        "scores": _EMBEDDINGS @ _EMBEDDINGS.mT / 2,
        "mask": combined_mask(torch.tensor([1, 2, 3, 0])),
    }
    low = torch.tensor([[-20000, -20001, 5], [3, -20002, -20003]], dtype=torch.float64)
    open_mask = torch.tensor([[True, True, False], [False, True, True]])
    peak = torch.tensor([[1, 2, 90000], [90000, 0, -1]], dtype=torch.float64)
    spread = torch.tensor([[0.0, 3000, 0, 9], [9, 0, -3000, 0]])
    ends = torch.tensor([[True, True, True, False], [False, True, True, True]])
    with_empty_row = hide_largest("a fully masked row, T=5, S=3", _normal(5, 3))
    with_empty_row.inputs["mask"][2] = False
    return (
        Case("the padded sequence [1, 2, 3, 0], scaled scores, both masks", worked),
        hide_largest("the largest scores hidden, T=3, S=5", _normal(3, 5), count=2),
        hide_largest("the same in float64, T=4, S=6", _normal(4, 6, dtype=torch.float64), count=2),
        hide_largest("a hidden score far above the others, T=2, S=4", far),
        hide_largest("large scores, positive and negative, T=2, S=3", large),
        with_empty_row,
        Case("scores near −20000, T=2, S=3", {"scores": low, "mask": open_mask}),
        Case("a score far above the others, T=2, S=4", {"scores": spread, "mask": ends}),
        Case("a hidden score of 90000, T=2, S=3", {"scores": peak, "mask": open_mask}),
        Case("one key, T=3, S=1", {"scores": _normal(3, 1), "mask": open_mask[1:].mT}),
        hide_largest("one query, T=1, S=4", _normal(1, 4)),
    )


def _weights_renormalized(scores: Tensor, mask: Tensor) -> Tensor:
    weights = scores.softmax(dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-12)


def _weights_without_subtracting_the_maximum(scores: Tensor, mask: Tensor) -> Tensor:
    exponentials = scores.exp() * mask
    return exponentials / exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-12)


_MISTAKES = mistakes(
    lambda s, m: s.softmax(dim=-1),
    "The mask is not used: hidden positions still get weight.",
    lambda s, m: masked_softmax(s, ~m),
    "The mask is the wrong way round. Here True means may attend, so it is the False "
    "positions that must vanish.",
    lambda s, m: s.softmax(dim=-1) * m,
    "The mask is multiplied in after the softmax. By then the hidden positions have received "
    "weight, and the remaining weights no longer sum to 1.",
    _weights_renormalized,
    "The softmax runs over all positions, and the allowed ones are scaled up again afterwards. "
    "When a hidden score is by far the largest, all the others have already been rounded to 0.",
    lambda s, m: s.masked_fill(~m, 0.0).softmax(dim=-1),
    "Hidden scores are set to 0 before the softmax. exp(0) is 1, so 0 is a score like any "
    "other. Which score has the exponential 0?",
    lambda s, m: s.masked_fill(~m, -100.0).softmax(dim=-1) * m,
    "Hidden scores get a fixed low number, but not low enough: in a row whose allowed scores are "
    "even lower, the hidden positions get the weight.",
    lambda s, m: (s + ~m * -torch.inf).softmax(dim=-1),
    "The mask is multiplied by −∞. That gives 0 · −∞ = nan wherever nothing is hidden. Fill "
    "the hidden positions instead.",
    lambda s, m: masked_softmax(s.mT, m.mT).mT,
    "The softmax runs down the columns. The weights of each query, a row, must sum to 1.",
    lambda s, m: s.masked_fill(~m, -torch.inf).softmax(dim=-1),
    "A row that contains only −∞ has no softmax: it is 0 divided by 0. A query that may attend to "
    "nothing should get weights of 0.",
    lambda s, m: s.masked_fill(~m, torch.finfo(s.dtype).min).softmax(dim=-1),
    "A fully masked row gets equal weights. Nothing in that row is allowed, so its weights should "
    "be 0.",
    lambda s, m: (s + additive_mask(m, s.dtype)).softmax(dim=-1).nan_to_num(0.0),
    "The nan of the fully masked row is replaced after the softmax. The output looks right, but "
    "the gradient still passes through the nan. Prevent the nan instead.",
    _weights_without_subtracting_the_maximum,
    "exp overflows for large scores, and underflows to 0 for very negative ones. Let softmax "
    "do the exponentials: it subtracts each row's largest score first.",
)


def _weights_row_by_row(scores: Tensor, mask: Tensor) -> Tensor:
    rows = [torch.zeros_like(row) for row in scores]
    for row, row_scores, allowed in zip(rows, scores, mask, strict=True):
        if allowed.any():
            row[allowed] = row_scores[allowed].softmax(dim=0)
    return torch.stack(rows)


def _weights_with_open_rows(scores: Tensor, mask: Tensor) -> Tensor:
    alive = mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~mask & alive, -torch.inf).softmax(dim=-1)
    return torch.where(alive, weights, 0.0)


def _draw(draw: Draw) -> Inputs:
    t, s = draw.size(), draw.size()
    scores = draw.normal(t, s, size=draw.scale())
    if draw.dtype == torch.float64:
        scores = scores + draw.choice(0, 0, 20000, -20000)
    return scores, draw.mask(t, s)


masked_weights = Exercise(
    name="masks.masked_weights",
    reference=masked_softmax,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_weights_row_by_row, _weights_with_open_rows),
    draw=_draw,
    hint_texts=(
        "Which score gives a weight of exactly 0? And what is the softmax of a row in which every "
        "score is that number?",
        "Fill the hidden scores with a very low number that is still finite, take the softmax, "
        "then set the hidden weights to 0.",
        "low = torch.finfo(scores.dtype).min is the lowest finite number. Use "
        "scores.masked_fill(~mask, low), then softmax over the last axis, then masked_fill once "
        "more with 0.",
    ),
    starter='''\
def masked_weights(scores, mask):
    """Softmax of each row of scores (T, S) where mask (T, S) is True."""
    ...  # a row without any True: weights of 0, and no nan in the gradient
''',
    properties=(GRADIENT,),
)
