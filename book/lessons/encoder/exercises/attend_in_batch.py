"""Find the bug: a padding mask that lies along the queries."""

import torch
from torch import Tensor

from lessons.encoder.exercises._shared import draw_batch, padded
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("encoder.attend_in_batch")


def _attend(x: Tensor, real: Tensor) -> Tensor:
    return attention_steps(x, x, x, mask=real[:, None, :]).output


def _case(name: str, lengths: list[int], width: int, dtype: torch.dtype = torch.float32) -> Case:
    return Case(name, padded(_normal, lengths, width, dtype=dtype))


_CASES = (
    Case(
        "two words and a pad, by hand",
        {
            "x": torch.tensor([[[1.0, 0], [0, 2], [9, 9]]]),
            "real": torch.tensor([[True, True, False]]),
        },
    ),
    _case("lengths 4 and 2, D=3", [4, 2], 3),
    _case("lengths 1, 5 and 3, D=2, in float64", [1, 5, 3], 2, torch.float64),
    _case("no pads, B=2, S=3, D=4", [3, 3], 4),
    _case("one feature, lengths 2, 4 and 1", [2, 4, 1], 1),
    _case("one word", [1], 3),
    Case(
        "a pad in front, B=1, S=4",
        {
            "x": _normal(1, 4, 3) * torch.tensor([5.0, 1, 1, 1])[None, :, None],
            "real": torch.tensor([[False, True, True, True]]),
        },
    ),
    Case(
        "a pad whose scores for the words lie below −5000",
        {
            "x": torch.tensor([[[8500.0, 1], [8500.01, 0.99], [-1, 0]]], dtype=torch.float64),
            "real": torch.tensor([[True, True, False]]),
        },
    ),
)


def _scaled(x: Tensor) -> Tensor:
    return x @ x.mT / x.shape[-1] ** 0.5


def _filled(x: Tensor, mask: Tensor, low: float = -1e9) -> Tensor:
    return _scaled(x).masked_fill(~mask, low).softmax(dim=-1) @ x


_MISTAKES = mistakes(
    lambda x, real: _filled(x, real[:, :, None]),
    "The mask is applied along the queries, so real words still attend to the pads. Apply it along "
    "the last axis, the axis of the keys.",
    lambda x, real: _filled(x, real[:, :, None], -torch.inf),
    "The mask is applied along the queries: whole rows are −∞ and become NaN, while real words "
    "still attend to the pads. Apply it along the last axis, the axis of the keys.",
    lambda x, real: _filled(x, real[:, :, None] & real[:, None, :]),
    "The pads are hidden as keys, which is right, but also as queries. A pad may attend to words, "
    "because nothing reads its output. Hide keys only.",
    lambda x, real: _filled(x, real[:, :, None] & real[:, None, :], -torch.inf),
    "The rows of pads contain only −∞, and their softmax is NaN. A pad may attend to words, "
    "because nothing reads its output. Hide keys only.",
    lambda x, real: _scaled(x).softmax(dim=-1) @ x,
    "The pads are not hidden at all.",
    lambda x, real: _filled(x, ~real[:, None, :]),
    "The mask is inverted: real is True for words, and the words must be kept.",
    lambda x, real: (_scaled(x).softmax(dim=-1) * real[:, None, :]) @ x,
    "The pads lose their weights after the softmax, so the other weights no longer sum to 1. "
    "Mask the scores.",
    lambda x, real: (_scaled(x) * real[:, None, :]).softmax(dim=-1) @ x,
    "A score of 0 does not hide a key, because its exponential is 1. Use −∞ or a very low number.",
    lambda x, real: _scaled(x).masked_fill(~real[:, None, :], -1e9).softmax(dim=-2) @ x,
    "The softmax runs over the queries. The weights of one query, a row, sum to 1.",
    lambda x, real: _filled(x, real[:, None, :], -1000.0),
    "The number that hides a pad is not low enough: a row may have even lower scores. Use −∞.",
)


def _sentence_by_sentence(x: Tensor, real: Tensor) -> Tensor:
    rows = [
        (words @ words[kept].mT / x.shape[-1] ** 0.5).softmax(dim=-1) @ words[kept]
        for words, kept in zip(x, real, strict=True)
    ]
    return torch.stack(rows)


def _draw(draw: Draw) -> Inputs:
    return draw_batch(draw, 1)


attend_in_batch = Exercise(
    name="encoder.attend_in_batch",
    reference=_attend,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(
        lambda x, real: _filled(x, real[:, None, :], -torch.inf),
        _sentence_by_sentence,
    ),
    draw=_draw,
    hint_texts=(
        "Print the weights of the first case. Which rows attend to the pad, and which ones may?",
        "The scores have shape (B, queries, keys). Along which of these axes is the mask applied "
        "now?",
        "mask = real[:, None, :] is a mask along the keys; expand_as(scores) then repeats it for "
        "every query.",
    ),
    starter='''\
def attend_in_batch(x, real):
    """Self-attention of padded sentences: x (B, S, D), real (B, S)."""
    scores = x @ x.mT / x.shape[-1] ** 0.5
    mask = real[:, :, None].expand_as(scores)
    weights = scores.masked_fill(~mask, -1e9).softmax(dim=-1)
    return weights @ x
''',
    remarks=(GRADIENT,),
)
