"""Mix values by how well each key fits the query."""

import math

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("attention.soft_lookup")


def _lookup(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return attention_steps(query[None], keys, values, scale=1.0).output[0]


def _cases() -> tuple[Case, ...]:
    def draw(
        s: int, k: int, v: int, size: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> dict[str, Tensor]:
        query, keys = size * _normal(k, dtype=dtype), _normal(s, k, dtype=dtype)
        return {"query": query, "keys": keys, "values": _normal(s, v, dtype=dtype)}

    videos = {
        "query": torch.tensor([1.0, 1.0, 0.0]),
        "keys": torch.tensor([[1.0, 1, 0], [1, 0, 0], [0, 0, 1]]),
        "values": torch.tensor([[4.0, 1], [1, 0], [10, 0]]),
    }
    far_below = draw(3, 2, 4, dtype=torch.float64)
    far_below["query"] = torch.tensor([-2e4, 0], dtype=torch.float64)
    far_below["keys"][:, 0] = torch.tensor([1, 1.0001, 1.0002])
    return (
        Case("the three videos, values of minutes and music", videos),
        Case("random numbers, S=5, K=3, V=2", draw(5, 3, 2)),
        Case("random numbers in float64, S=3, K=4, V=6", draw(3, 4, 6, dtype=torch.float64)),
        Case("one key only, S=1, K=3, V=2", draw(1, 3, 2)),
        Case("large scores, S=6, K=2, V=3", draw(6, 2, 3, size=1e4, dtype=torch.float64)),
        Case("values of one number, S=4, K=2, V=1", draw(4, 2, 1)),
        Case("scores far below 0, S=3, K=2, V=4", far_below),
        Case("nearly even weights, S=5, K=3, V=2", draw(5, 3, 2, size=0.1)),
    )


def _divided(scores: Tensor) -> Tensor:
    return scores / scores.sum()


def _exponentials(scores: Tensor) -> Tensor:
    return scores.exp() / scores.exp().sum()


_MISTAKES = mistakes(
    lambda q, k, v: (k @ q) @ v,
    "The scores themselves are used as weights. They may be negative, and they need not sum to 1. "
    "Put a softmax between.",
    lambda q, k, v: _divided(k @ q) @ v,
    "The scores are divided by their sum. A negative score can become a negative weight that "
    "way. Make all of them positive first, with the exponential.",
    lambda q, k, v: v[(k @ q).argmax()],
    "This is the hard look-up: the best key gets all the weight. Give every key some weight.",
    lambda q, k, v: (k @ q / math.sqrt(len(q))).softmax(dim=0) @ v,
    "The scores are divided by √K. A later chapter does that; here they are not divided.",
    lambda q, k, v: (k @ q).softmax(dim=0),
    "These are the weights. One step is left: they have to mix the values.",
    lambda q, k, v: (k @ q).softmax(dim=0) @ k,
    "The keys are mixed, not the values. You search in the keys and receive the values.",
    lambda q, k, v: torch.cdist(q[None], k)[0].softmax(dim=0) @ v,
    "The distance to each key is used as its score, and the farthest key gets the most. Use "
    "the dot product: large means that the two fit.",
    lambda q, k, v: (-torch.cdist(q[None], k)[0]).softmax(dim=0) @ v,
    "The nearest key gets the most: the scores are distances with a minus sign. Here the dot "
    "product says how well two vectors fit.",
    lambda q, k, v: _exponentials(k @ q) @ v,
    "exp overflows for large scores: infinity divided by infinity is nan. Subtract the largest "
    "score first, which changes no weight, or let torch do the softmax.",
)


def _lookup_with_a_loop(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    scores = torch.stack([(query * key).sum() for key in keys])
    powers = (scores - scores.max()).exp()
    mixed = torch.zeros_like(values[0])
    for weight, value in zip(powers / powers.sum(), values, strict=True):
        mixed = mixed + weight * value
    return mixed


def _draw(draw: Draw) -> Inputs:
    s, k, v = draw.size(), draw.size(), draw.size()
    return draw.normal(k, size=draw.scale()), draw.normal(s, k), draw.normal(s, v)


soft_lookup = Exercise(
    name="attention.soft_lookup",
    reference=_lookup,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _lookup_with_a_loop,
        lambda q, k, v: torch.einsum("s,sv->v", torch.softmax(k.mv(q), dim=-1), v),
    ),
    draw=_draw,
    hint_texts=(
        "Which product compares the query with every key at once, and what shape does it have?",
        "Multiply keys and query to get S scores. Softmax makes S weights of them. A second "
        "product, weights times values, adds up the rows of values.",
        "scores is keys @ query, of shape (S,). Take scores.softmax(dim=0) and multiply it, from "
        "the left, with values.",
    ),
    starter='''\
def soft_lookup(query, keys, values):
    """Mix values (S, V) by how well query (K,) fits keys (S, K): (V,)."""
    ...
''',
    remarks=(GRADIENT,),
)
