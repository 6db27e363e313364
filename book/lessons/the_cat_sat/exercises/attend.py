"""Write attention: scores, scaling, softmax, mixture."""

import math

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows
from lessons.the_cat_sat.exercises._shared import WORDS, scaled
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("the_cat_sat.attend")


def _cases() -> tuple[Case, ...]:
    def draw(
        t: int, s: int, k: int, v: int, size: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> dict[str, Tensor]:
        query, key = size * _normal(t, k, dtype=dtype), _normal(s, k, dtype=dtype)
        return {"query": query, "key": key, "value": _normal(s, v, dtype=dtype)}

    return (
        Case("The, CAT and SAT", {"query": WORDS, "key": WORDS, "value": WORDS}),
        Case("random numbers, T=2, S=5, K=3, V=4", draw(2, 5, 3, 4)),
        Case(
            "random numbers in float64, T=4, S=6, K=3, V=5", draw(4, 6, 3, 5, dtype=torch.float64)
        ),
        Case("large scores, T=3, S=4, K=2, V=5", draw(3, 4, 2, 5, size=1e4, dtype=torch.float64)),
        Case("one query, T=1, S=3, K=5, V=2", draw(1, 3, 5, 2)),
        Case("one key and values of one number, T=4, S=1, K=2, V=1", draw(4, 1, 2, 1)),
    )


_MISTAKES = mistakes(
    lambda q, k, v: scaled(q, k).softmax(dim=0) @ v,
    "The softmax runs down the columns. Each row of weights belongs to one query and must sum to "
    "1.",
    lambda q, k, v: (q @ k.mT).softmax(dim=-1) @ v,
    "The scores are not scaled. Divide them by √K, the root of the width of a key.",
    lambda q, k, v: (q @ k.mT / k.shape[-1]).softmax(dim=-1) @ v,
    "The scores are divided by K itself. Divide by its root: the standard deviation of a dot "
    "product of random entries with mean 0 grows with the root of K.",
    lambda q, k, v: (q @ k.mT).softmax(dim=-1) / math.sqrt(k.shape[-1]) @ v,
    "The division by √K comes after the softmax, so it only shrinks the output. The weights are as "
    "sharp as without it.",
    lambda q, k, v: scaled(q, k) @ v,
    "The scores themselves are used as weights. They may be negative, and they need not sum to 1. "
    "Put a softmax between.",
    lambda q, k, v: scaled(q, k).softmax(dim=-1),
    "These are the attention weights. One step is left: they have to mix the values.",
    lambda q, k, v: q @ k / math.sqrt(k.shape[-1]),
    "The product compares rows of the query with columns of the key. To compare rows with "
    "rows, one of the two has to be transposed.",
    lambda q, k, v: scaled(q, k).softmax(dim=-1).mT @ v,
    "The weights are transposed before they meet the values. That runs only where there are "
    "as many queries as keys, and even there a row gets the weights of a column.",
    lambda q, k, v: normalize_rows(scaled(q, k).exp()) @ v,
    "exp overflows for large scores: infinity divided by infinity is nan. Subtract each row's "
    "largest score first, which changes no weight, or let torch do the softmax.",
)


def _attend_with_einsum(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    scores = torch.einsum("tk,sk->ts", query, key) * key.shape[-1] ** -0.5
    return torch.einsum("ts,sv->tv", torch.softmax(scores, dim=1), value)


def _attend_token_by_token(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    rows = []
    for q in query:
        scores = key @ q / math.sqrt(len(q))
        exponentials = torch.exp(scores - scores.max())
        rows.append((exponentials / exponentials.sum()) @ value)
    return torch.stack(rows)


def _draw(draw: Draw) -> Inputs:
    t, s, k, v = draw.size(), draw.size(), draw.size(), draw.size()
    return draw.normal(t, k, size=draw.scale()), draw.normal(s, k), draw.normal(s, v)


attend = Exercise(
    name="the_cat_sat.attend",
    reference=lambda query, key, value: attention_steps(query, key, value).output,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_attend_with_einsum, _attend_token_by_token),
    draw=_draw,
    hint_texts=(
        "How do you compare every query with every key in one product?",
        "Multiply the query by the transposed key and divide by √K. Softmax turns each row into "
        "weights, and one more product mixes the values.",
        "scores is query @ (key, transposed) / K ** 0.5, with K = key.shape[-1]. Take "
        "scores.softmax over the axis of the keys, which is the last one, then multiply by value.",
    ),
    starter='''\
def attend(query, key, value):
    """Mix the rows of value by how well each query fits each key."""
    ...  # query (T, K), key (S, K), value (S, V) -> (T, V)
''',
    remarks=(GRADIENT,),
)
