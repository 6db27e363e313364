"""Find the bug: a softmax that runs down the columns."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows
from lessons.the_cat_sat.exercises._shared import WORDS, scaled
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("the_cat_sat.weights_of_words")


def _cases() -> tuple[Case, ...]:
    def draw(
        t: int, s: int, k: int, size: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> dict[str, Tensor]:
        return {"query": size * _normal(t, k, dtype=dtype), "key": _normal(s, k, dtype=dtype)}

    return (
        Case("The and CAT alone", {"query": WORDS[:2], "key": WORDS[:2]}),
        Case("The, CAT and SAT", {"query": WORDS, "key": WORDS}),
        Case("random numbers, T=2, S=5, K=3", draw(2, 5, 3)),
        Case("random numbers in float64, T=6, S=4, K=5", draw(6, 4, 5, dtype=torch.float64)),
        Case("large scores, T=3, S=4, K=2", draw(3, 4, 2, size=1e4, dtype=torch.float64)),
        Case("one query, T=1, S=3, K=2", draw(1, 3, 2)),
        Case("one key, T=4, S=1, K=3", draw(4, 1, 3)),
    )


_MISTAKES = mistakes(
    lambda q, k: scaled(q, k).softmax(dim=0),
    "The columns sum to 1 instead of the rows. One query divides its weight among the keys: "
    "which axis has the keys?",
    lambda q, k: scaled(q, k).softmax(dim=0).mT,
    "Here the weights of each key sum to 1. Transposing the result "
    "repairs The, CAT and SAT only because their scores are symmetric.",
    lambda query, key: normalize_rows(scaled(query, key).softmax(dim=0)),
    "The rows sum to 1 now, but the softmax before still ran down the columns, so the "
    "numbers are wrong. Change its axis instead of its result.",
    lambda q, k: scaled(q, k).flatten().softmax(dim=0).view(len(q), len(k)),
    "All the weights together sum to 1. The weights of each query must sum to 1.",
    lambda q, k: (q @ k.mT).softmax(dim=-1),
    "The axis is right, but the division by √K is missing.",
    lambda query, key: normalize_rows(scaled(query, key).exp()),
    "exp overflows for large scores, and infinity divided by infinity is nan. torch's own "
    "softmax subtracts each row's largest score first.",
)


def _columns_with_logsumexp(query: Tensor, key: Tensor) -> Tensor:
    scores = scaled(query, key)
    return torch.exp(scores - torch.logsumexp(scores, dim=1, keepdim=True))


def _draw(draw: Draw) -> Inputs:
    t, s, k = draw.size(), draw.size(), draw.size()
    return draw.normal(t, k, size=draw.scale()), draw.normal(s, k)


weights_of_words = Exercise(
    name="the_cat_sat.weights_of_words",
    reference=lambda query, key: attention_steps(query, key, key).weights,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(lambda q, k: scaled(q, k).softmax(dim=-1), _columns_with_logsumexp),
    draw=_draw,
    hint_texts=(
        "In a table of weights, which sums have to be 1: those of the rows or of the columns?",
        "Print weights.sum(dim=0) and weights.sum(dim=1) for The, CAT and SAT, and compare.",
        "The scores have shape (T, S). softmax(dim=0) runs over the T queries; it has to "
        "run over the S keys.",
    ),
    starter='''\
def attention_weights(query, key):
    """How much each query attends to each key: (T, K), (S, K) -> (T, S)."""
    scores = query @ key.T / key.shape[-1] ** 0.5
    return scores.softmax(dim=0)
''',
    remarks=(GRADIENT,),
)
