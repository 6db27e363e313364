"""Build three matrices: who asks, what is found, and what is passed on."""

import math

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from lessons.attention.exercises._shared import BANK
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("attention.roles")


def _column(x: Tensor, feature: int) -> Tensor:
    """Return the matrix of width 1 that reads one feature."""
    return one_hot(torch.tensor([feature]), x.shape[1]).mT.to(x.dtype)


def _roles(x: Tensor, asks: int, found_by: int, passes: int, strength: float) -> Tensor:
    query, key, value = (x @ _column(x, feature) for feature in (asks, found_by, passes))
    return attention_steps(strength * query, key, value, scale=1.0).output


def _cases() -> tuple[Case, ...]:
    ambiguous = torch.tensor([[0.0], [0], [0], [1]])
    words = torch.cat([BANK, ambiguous], dim=1)

    def case(name: str, x: Tensor, asks: int, found_by: int, passes: int, strength: float) -> Case:
        return Case(
            name,
            {
                "x": x,
                "asks": asks,
                "found_by": found_by,
                "passes": passes,
                "strength": strength,
            },
        )

    return (
        case("swam river the bank: ambiguity asks, water is found, passed on", words, 2, 0, 0, 2),
        case("swam river the bank: ambiguity asks, water is found, money passed on",
             words, 2, 0, 1, 2),
        case("random numbers, T=5, D=4", _normal(5, 4), 3, 1, 0, 1.5),
        case("random numbers in float64, T=3, D=6", _normal(3, 6, dtype=torch.float64), 0, 5, 2, 3),
        case("asking for what one has, T=4, D=3", _normal(4, 3), 1, 1, 2, 2),
        case("asking for the opposite, T=4, D=3", _normal(4, 3), 0, 2, 1, -2),
        case("large scores, T=4, D=3", 100 * _normal(4, 3, dtype=torch.float64), 2, 0, 1, 1),
        case("one word, T=1, D=3", _normal(1, 3), 0, 1, 2, 1),
    )  # fmt: skip


def _steps(x: Tensor, asks: int, found_by: int, strength: float) -> Tensor:
    return strength * x[:, [asks]] @ x[:, [found_by]].mT


_MISTAKES = mistakes(
    lambda x, a, f, p, s: _roles(x, f, a, p, s),
    "Two roles are exchanged: the feature of the query is in the keys, and the feature of the key "
    "is in the queries.",
    lambda x, a, f, p, s: _roles(x, a, a, p, s),
    "The same feature makes queries and keys. A key has to contain the feature found_by.",
    lambda x, a, f, p, s: _roles(x, a, f, f, s),
    "The words pass on the feature by which they are found. The value has to contain the feature "
    "passes.",
    lambda x, a, f, p, s: _roles(x, a, f, p, 1.0),
    "The strength is not used. Put it into the query matrix, at the feature of the query.",
    lambda x, a, f, p, s: _roles(x, a, f, p, s * s),
    "The strength is in two matrices, so each score contains its square. Put it into one of them.",
    lambda x, a, f, p, s: s * _roles(x, a, f, p, 1.0),
    "The strength multiplies the output. It belongs to the scores, before the softmax.",
    lambda x, a, f, p, s: _steps(x, a, f, s).softmax(dim=0) @ x[:, [p]],
    "The softmax runs down the columns. Each row of weights belongs to one query and must sum to "
    "1.",
    lambda x, a, f, p, s: (_steps(x, a, f, s) / math.sqrt(x.shape[1])).softmax(-1) @ x[:, [p]],
    "The scores are divided by a root. A later chapter does that; here they are not divided.",
    lambda x, a, f, p, s: _steps(x, a, f, s) @ x[:, [p]],
    "The softmax is missing: raw scores mix the values.",
    lambda x, a, f, p, s: _roles(x, a, f, p, s) + x[:, [p]],
    "The output is added to the row of the word. Here only the output is asked for.",
)


def _without_matrices(x: Tensor, asks: int, found_by: int, passes: int, strength: float) -> Tensor:
    weights = torch.softmax(strength * torch.outer(x[:, asks], x[:, found_by]), dim=1)
    return (weights @ x[:, passes])[:, None]


def _in_wide_matrices(x: Tensor, asks: int, found_by: int, passes: int, strength: float) -> Tensor:
    w_query, w_key, w_value = (x.new_zeros(x.shape[1], width) for width in (3, 3, 1))
    w_query[asks, 1] = 1
    w_key[found_by, 1] = strength
    w_value[passes, 0] = 1
    return ((x @ w_query) @ (x @ w_key).mT).softmax(dim=-1) @ (x @ w_value)


def _draw(draw: Draw) -> Inputs:
    t, d = draw.size(), draw.size(3)
    x = draw.normal(t, d, size=math.sqrt(draw.scale()))
    asks, found_by, passes = (draw.size(0, d - 1) for _ in range(3))
    return x, asks, found_by, passes, draw.choice(0.5, 2.0, 3.0, -1.5)


roles = Exercise(
    name="attention.roles",
    reference=_roles,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_without_matrices, _in_wide_matrices),
    draw=_draw,
    hint_texts=(
        "One number per word is enough for a query, a key and a value. How many columns does each "
        "matrix need, and how many rows?",
        "Begin with three matrices of zeros, of shape (D, 1). Row n of a matrix belongs to feature "
        "n: which row of each must not be zero?",
        "w_query[asks, 0] is strength, w_key[found_by, 0] is 1, w_value[passes, 0] is 1. Then "
        "make queries, keys and values, scores, a softmax over the keys, and the mixture.",
    ),
    starter='''\
def roles(x, asks, found_by, passes, strength):
    """Attend with three matrices that you build: x (T, D) -> (T, 1)."""
    ...  # asks, found_by and passes are the numbers of features
''',
    remarks=(GRADIENT,),
)
