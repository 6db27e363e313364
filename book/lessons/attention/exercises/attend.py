"""Find the bug: keys that ask, in self-attention with three projections."""

import math

import torch
from torch import Tensor

from lessons.attention.exercises._shared import BANK
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("attention.attend")


def _attend(x: Tensor, w_query: Tensor, w_key: Tensor, w_value: Tensor) -> Tensor:
    return attention_steps(x @ w_query, x @ w_key, x @ w_value, scale=1.0).output


def _cases() -> tuple[Case, ...]:
    def draw(
        t: int, d: int, k: int, v: int, dtype: torch.dtype = torch.float32
    ) -> dict[str, Tensor]:
        shapes = {"x": (t, d), "w_query": (d, k), "w_key": (d, k), "w_value": (d, v)}
        return {name: _normal(*shape, dtype=dtype) for name, shape in shapes.items()}

    letters = torch.tensor([[4.0], [5], [3], [4]])
    words = {
        "x": torch.cat([BANK, letters], dim=1),
        "w_query": torch.tensor([[1.0, 0], [1, 0], [0, 0]]),
        "w_key": torch.tensor([[1.0, 0], [0, 1], [0, 0]]),
        "w_value": torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]),
    }
    large = draw(4, 3, 2, 5, dtype=torch.float64)
    large["x"] *= 100
    return (
        Case("swam river the bank, and a query matrix that asks for water", words),
        Case("random numbers, T=5, D=4, K=3, V=2", draw(5, 4, 3, 2)),
        Case(
            "random numbers in float64, T=2, D=6, K=5, V=3", draw(2, 6, 5, 3, dtype=torch.float64)
        ),
        Case("large scores, T=4, D=3, K=2, V=5", large),
        Case("one word, T=1, D=3, K=2, V=4", draw(1, 3, 2, 4)),
        Case("values of one number, T=3, D=2, K=4, V=1", draw(3, 2, 4, 1)),
    )


_MISTAKES = mistakes(
    lambda x, q, k, v: _attend(x, k, q, v),
    "Keys and queries are exchanged: row n of the scores belongs to key n. The rows must belong to "
    "the queries.",
    lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=0) @ (x @ v),
    "The softmax runs down the columns. Each row of weights belongs to one query and must sum to "
    "1.",
    lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=-1).mT @ (x @ v),
    "The weights are transposed before they meet the values, so each token receives from "
    "those that attend to it, not from those that it attends to.",
    lambda x, q, k, v: _attend(x, q, q, v),
    "Queries and keys come from the same matrix, so the scores are symmetric.",
    lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=-1) @ x,
    "The tokens themselves are mixed. The value matrix says what a token passes on.",
    lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=-1) @ (x @ k),
    "The keys are mixed, not the values. You search in the keys and receive the values.",
    lambda x, q, k, v: ((x @ q) @ (x @ k).mT / math.sqrt(q.shape[1])).softmax(-1) @ (x @ v),
    "The scores are divided by √K. A later chapter does that; here they are not divided.",
    lambda x, q, k, v: (x @ q) @ (x @ k).mT @ (x @ v),
    "The softmax is missing: raw scores mix the values.",
)


def _attend_word_by_word(x: Tensor, w_query: Tensor, w_key: Tensor, w_value: Tensor) -> Tensor:
    keys, values = x @ w_key, x @ w_value
    return torch.stack([(keys @ (token @ w_query)).softmax(dim=0) @ values for token in x])


def _attend_with_one_matrix(x: Tensor, w_query: Tensor, w_key: Tensor, w_value: Tensor) -> Tensor:
    scores = x @ (w_query @ w_key.mT) @ x.mT
    return torch.softmax(scores, dim=1) @ x @ w_value


def _draw(draw: Draw) -> Inputs:
    t, d, k, v = draw.size(), draw.size(), draw.size(), draw.size()
    x = draw.normal(t, d, size=math.sqrt(draw.scale()))
    return x, draw.normal(d, k), draw.normal(d, k), draw.normal(d, v)


attend = Exercise(
    name="attention.attend",
    reference=_attend,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_attend_word_by_word, _attend_with_one_matrix),
    draw=_draw,
    hint_texts=(
        "Does row n of the scores belong to the word of the query or to the word of the key? Why "
        "did it not matter while all matrices were the identity?",
        "Row n must contain the scores of query n with every key. Swap the two factors.",
        "In a @ b.mT the rows of the result belong to a. So a has to be the queries, and b the "
        "keys. Nothing else changes.",
    ),
    starter='''\
def attend(x, w_query, w_key, w_value):
    """Self-attention with three projections: x (T, D) -> (T, V)."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = key @ query.mT
    return scores.softmax(dim=-1) @ value
''',
    remarks=(GRADIENT,),
)
