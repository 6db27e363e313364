"""Dot-product self-attention, sentence by sentence in a batch."""

import math

import torch
from torch import Tensor

from lessons.attention.exercises._shared import BANK
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows
from transformer_lite.layers.attention import dot_product_self_attention

_normal = normal_numbers("attention.contextual")


_CASH = torch.tensor([[0, 0], [0, 0], [0, 3], [1, 1]], dtype=torch.float32)  # walked road cash bank


def _cases() -> tuple[Case, ...]:
    return (
        Case("swam river the bank; walked road cash bank", {"x": torch.stack([BANK, _CASH])}),
        Case("random numbers, B=2, T=5, D=3", {"x": _normal(2, 5, 3)}),
        Case(
            "random numbers in float64, B=4, T=3, D=6", {"x": _normal(4, 3, 6, dtype=torch.float64)}
        ),
        Case("large scores, B=3, T=4, D=2", {"x": 100 * _normal(3, 4, 2, dtype=torch.float64)}),
        Case("one sentence, B=1, T=3, D=4", {"x": _normal(1, 3, 4)}),
        Case("sentences of one word, B=3, T=1, D=2", {"x": _normal(3, 1, 2)}),
        Case("one feature, B=2, T=4, D=1", {"x": _normal(2, 4, 1)}),
    )


def _contextual_across_sentences(x: Tensor) -> Tensor:
    rows = x.flatten(0, 1)
    return dot_product_self_attention(rows).view_as(x)


def _over_the_whole_table(x: Tensor) -> Tensor:
    scores = x @ x.mT
    return scores.flatten(1).softmax(dim=-1).view_as(scores) @ x


_MISTAKES = mistakes(
    lambda x: (x @ x.mT).softmax(dim=1) @ x,
    "The columns of the weights sum to 1, but the rows have to. In the table of one "
    "sentence, (T, T), dim=1 is the last axis; in those of a batch, (B, T, T), it is not. "
    "Count from the end: dim=-1.",
    _over_the_whole_table,
    "The softmax runs over all scores of a sentence at once, so the whole table sums to 1. Each "
    "row must sum to 1, because a row belongs to one query.",
    _contextual_across_sentences,
    "All sentences are laid end to end, so words attend to other sentences. Keep the batch axis.",
    lambda x: x @ x.permute(2, 1, 0) @ x,  # what x.T does, without its warning
    "x.T reverses all three axes. In a batch, swap only the last two: x.mT.",
    lambda x: x @ x.mT @ x,
    "The softmax is missing: raw scores mix the tokens.",
    lambda x: (x @ x.mT / math.sqrt(x.shape[-1])).softmax(dim=-1) @ x,
    "The scores are divided by the root of the width. A later chapter does that; here they are not "
    "divided.",
    lambda x: (x @ x.mT).softmax(dim=-1),
    "These are the weights. One step is left: they have to mix the rows of x.",
    lambda x: (x.mT @ x).softmax(dim=-1) @ x.mT,
    "This compares features instead of words: xᵀx compares columns. Compare rows.",
    lambda x: normalize_rows((x @ x.mT).exp()) @ x,
    "exp overflows for large scores: infinity divided by infinity is nan. Let torch do the "
    "softmax: it subtracts each row's largest score first.",
)


def _draw(draw: Draw) -> Inputs:
    return (draw.normal(draw.size(), draw.size(), draw.size(), size=math.sqrt(draw.scale())),)


contextual = Exercise(
    name="attention.contextual",
    reference=dot_product_self_attention,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda x: torch.softmax(torch.bmm(x, x.transpose(1, 2)), dim=2).bmm(x),
        lambda x: torch.stack([torch.softmax(s @ s.T, dim=1) @ s for s in x]),
    ),
    draw=_draw,
    hint_texts=(
        "For one sentence it is two products with a softmax between them. Which of the three axes "
        "must each step leave alone?",
        "Swap the last two axes for the first product, take the softmax over the last axis, and "
        "multiply with x again. @ works on every sentence of a batch by itself.",
        "x.mT swaps the last two axes. So: scores is x @ (that), the weights are the softmax of "
        "the scores over dim=-1, and the result is weights @ x.",
    ),
    starter='''\
def contextual(x):
    """Dot-product self-attention in each sentence of x (B, T, D)."""
    ...  # -> (B, T, D)
''',
    remarks=(GRADIENT,),
)
