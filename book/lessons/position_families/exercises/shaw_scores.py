"""Shaw's scores: a vector for each clipped offset."""

import math
from typing import Any

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.position_families.exercises._shared import TOKENS, offsets

_normal = normal_numbers("position_families.shaw_scores")


def _shaw(query: Tensor, key: Tensor, vectors: Tensor) -> Tensor:
    limit = len(vectors) // 2
    return _shaw_with(query, key, vectors[offsets(query, limit) + limit])


def _shaw_with(query: Tensor, key: Tensor, chosen: Tensor) -> Tensor:
    """Scores with the vector chosen for each pair, shape (T, T, K)."""
    position = torch.einsum("tk,tsk->ts", query, chosen)
    return (query @ key.mT + position) / math.sqrt(query.shape[-1])


def _cases() -> tuple[Case, ...]:
    before, after = torch.tensor([0.0, 1, 0, 1]), torch.tensor([0.0, -1, 0, -1])
    worked = {
        "query": TOKENS,
        "key": TOKENS.clone(),
        "vectors": torch.stack([before, torch.zeros(4), after]),
    }

    def random(tokens: int, width: int, limit: int, **kind: Any) -> dict[str, Tensor]:
        shapes = {"query": (tokens, width), "key": (tokens, width)}
        inputs = {name: _normal(*shape, **kind) for name, shape in shapes.items()}
        return inputs | {"vectors": _normal(2 * limit + 1, width, **kind)}

    return (
        Case("The, CAT, SAT with a limit of 1", worked),
        Case("far offsets are clipped: T=6, K=4, limit 2", random(6, 4, 2)),
        Case("the same in float64: T=7, K=2, limit 1", random(7, 2, 1, dtype=torch.float64)),
        Case("fewer tokens than vectors: T=2, K=6, limit 3", random(2, 6, 3)),
        Case("one vector for all offsets: T=4, K=3, limit 0", random(4, 3, 0)),
        Case("one token: T=1, K=4, limit 2", random(1, 4, 2)),
    )


def _shaw_unclipped(query: Tensor, key: Tensor, vectors: Tensor) -> Tensor:
    limit = len(vectors) // 2
    return _shaw_with(query, key, vectors[(offsets(query) + limit) % len(vectors)])


def _shaw_asks_the_key(query: Tensor, key: Tensor, vectors: Tensor) -> Tensor:
    limit = len(vectors) // 2
    position = torch.einsum("sk,tsk->ts", key, vectors[offsets(query, limit) + limit])
    return (query @ key.mT + position) / math.sqrt(query.shape[-1])


_MISTAKES = mistakes(
    lambda q, k, a: _shaw(q, k, a.flip(0)),
    "The sign of the offset is turned round. An offset is key position minus query position, "
    "and row 0 of the vectors belongs to keys that stand before the query.",
    lambda q, k, a: _shaw(q, k, a) * math.sqrt(q.shape[-1]),
    "The division by √K is missing.",
    lambda q, k, a: _shaw(q, k, a * math.sqrt(q.shape[-1])),
    "Only the content is divided by √K. The vector is added to the key before the product, so "
    "its part is divided as well.",
    _shaw_unclipped,
    "Far offsets run around to the other end of the vectors. A negative index counts from the "
    "end, and a remainder wraps: clip the offset first.",
    lambda q, k, a: _shaw_with(q, k, a[offsets(q, len(a) // 2)]),
    "The offset itself serves as the row number, and a negative one counts from the end. Row 0 "
    "belongs to the offset −limit: add the limit.",
    lambda q, k, a: _shaw_with(q, k, a[offsets(q, len(a) // 2).abs() + len(a) // 2]),
    "The distance is taken without its sign: what comes before and what comes after share a "
    "vector.",
    _shaw_asks_the_key,
    "The position part is the product of key and vector. In Shaw's score the vector stands "
    "beside the key, and it is the query that meets both.",
)


def _shaw_pair_by_pair(query: Tensor, key: Tensor, vectors: Tensor) -> Tensor:
    limit, width = len(vectors) // 2, query.shape[1]
    rows = []
    for i, q in enumerate(query):
        chosen = [vectors[max(-limit, min(limit, j - i)) + limit] for j in range(len(key))]
        rows.append((key + torch.stack(chosen)) @ q / width**0.5)
    return torch.stack(rows)


def _shaw_by_gathering(query: Tensor, key: Tensor, vectors: Tensor) -> Tensor:
    """Score every query with every vector first, then pick by offset."""
    limit = len(vectors) // 2
    every = query @ vectors.mT
    return (query @ key.mT + every.gather(1, offsets(query, limit) + limit)) / math.sqrt(
        query.shape[1]
    )


def _draw(draw: Draw) -> Inputs:
    t, k, limit = draw.size(), draw.size(), draw.size(0, 3)
    return draw.normal(t, k), draw.normal(t, k), draw.normal(2 * limit + 1, k)


shaw_scores = Exercise(
    name="position_families.shaw_scores",
    reference=_shaw,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_shaw_pair_by_pair, _shaw_by_gathering),
    draw=_draw,
    hint_texts=(
        "Which offset does the pair of query 2 and key 0 have? Which row of the vectors belongs "
        "to it?",
        "Make the table of offsets, clip it to ±limit, add the limit to get row numbers, and look "
        "the vectors up: that gives a tensor of shape (T, T, K).",
        "With place = torch.arange(T), the offset is place[None, :] - place[:, None]. Use "
        "offset.clamp(-limit, limit) + limit as an index, and torch.einsum('tk,tsk->ts', query, "
        "chosen).",
    ),
    starter='''\
def shaw_scores(query, key, vectors):
    """Scores (T, T) with a vector for each clipped offset, over √K."""
    ...  # vectors (2 · limit + 1, K) belong to −limit, …, 0, …, limit
''',
    remarks=(GRADIENT,),
)
