"""Find the bug: attention a few queries at a time, which cuts the keys as well."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("cost_and_order.attend_in_chunks")


def _cases() -> tuple[Case, ...]:
    def case(name: str, query: Tensor, key: Tensor, value: Tensor, size: int) -> Case:
        return Case(name, {"query": query, "key": key, "value": value, "size": size})

    def draw(t: int, s: int, k: int, v: int, size: int, dtype: torch.dtype = torch.float32) -> Case:
        name = f"T={t}, S={s}, K={k}, values {v} wide, {size} at a time"
        parts = _normal(t, k, dtype=dtype), _normal(s, k, dtype=dtype), _normal(s, v, dtype=dtype)
        return case(name + ", float64" * (dtype == torch.float64), *parts, size)

    large = (1e4 * _normal(5, 3).double(), _normal(4, 3).double(), _normal(4, 2).double())
    words = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]]).float()
    return (
        case("The, CAT, SAT, two queries at a time", words, words, words, 2),
        draw(7, 5, 4, 3, 3),
        draw(4, 9, 3, 2, 2, torch.float64),
        draw(5, 6, 2, 4, 8),
        draw(3, 4, 5, 1, 1),
        draw(1, 5, 3, 2, 2),
        case("large scores, T=5, S=4, two at a time", *large, 2),
    )


def _in_chunks(query: Tensor, key: Tensor, value: Tensor, size: int) -> Tensor:
    chunks = (attention_steps(part, key, value).output for part in query.split(size))
    return torch.cat(list(chunks))


def _plain(query: Tensor, key: Tensor, value: Tensor, size: int) -> Tensor:
    scores = query @ key.mT / key.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ value


def _cut_keys(query: Tensor, key: Tensor, value: Tensor, size: int) -> Tensor:
    outputs = []
    for start in range(0, len(query), size):
        rows = slice(start, start + size)
        outputs.append(_plain(query[rows], key[rows], value[rows], size))
    return torch.cat(outputs)


def _keys_so_far(query: Tensor, key: Tensor, value: Tensor, size: int) -> Tensor:
    starts = range(0, len(query), size)
    ends = ((start, start + size) for start in starts)
    return torch.cat([_plain(query[a:b], key[:b], value[:b], size) for a, b in ends])


def _softmax_in_each_chunk_of_keys(
    query: Tensor, key: Tensor, value: Tensor, size: int
) -> tuple[Tensor, int]:
    pairs = list(zip(key.split(size), value.split(size), strict=True))
    outputs = torch.stack([_plain(query, k, v, size) for k, v in pairs])
    return outputs.sum(dim=0), len(pairs)


def _mean_of_chunks(query: Tensor, key: Tensor, value: Tensor, size: int) -> Tensor:
    total, count = _softmax_in_each_chunk_of_keys(query, key, value, size)
    return total / count


def _down_the_queries(query: Tensor, key: Tensor, value: Tensor, size: int) -> Tensor:
    tables = (part @ key.mT / key.shape[-1] ** 0.5 for part in query.split(size))
    return torch.cat([table.softmax(dim=0) @ value for table in tables])


def _scaled_by(query: Tensor, key: Tensor, value: Tensor, scale: float) -> Tensor:
    return torch.softmax(query @ key.mT * scale, dim=-1) @ value


_MISTAKES = mistakes(
    _cut_keys,
    "Keys and values are cut along with the queries, so a token sees only the tokens of its "
    "own chunk. Chunks of queries save memory because rows do not need each other; every "
    "query still needs all keys.",
    _keys_so_far,
    "Each chunk sees the keys up to its own end, as under a mask. Here no key is hidden.",
    lambda *a: _softmax_in_each_chunk_of_keys(*a)[0],
    "Every chunk of keys has its own softmax, and the results are added, so the weights of a query "
    "sum to the number of chunks. Cut the queries instead.",
    _mean_of_chunks,
    "Every chunk of keys has its own softmax, and the results are averaged, so each chunk gets the "
    "same weight, even if its keys do not fit. Cut the queries instead.",
    _down_the_queries,
    "The softmax runs down the queries of a chunk. It belongs to the keys of one query: dim=-1.",
    lambda q, k, v, size: _scaled_by(q, k, v, 1.0),
    "The scores are not divided by the root of the keys' width.",
    lambda q, k, v, size: _in_chunks(q[: len(q) // size * size or len(q)], k, v, size),
    "The last queries are missing if T is not a multiple of the chunk size. A slice may end beyond "
    "the last row, so begin a chunk at every multiple of size below T.",
)


def _draw(draw: Draw) -> Inputs:
    t, s, k, v = draw.size(1, 9), draw.size(1, 9), draw.size(), draw.size()
    query = draw.normal(t, k, size=draw.scale())
    return query, draw.normal(s, k), draw.normal(s, v), draw.size(1, 10)


attend_in_chunks = Exercise(
    name="cost_and_order.attend_in_chunks",
    reference=_in_chunks,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _plain,
        lambda q, k, v, size: torch.stack([_plain(row[None], k, v, size)[0] for row in q]),
    ),
    draw=_draw,
    hint_texts=(
        "How many rows does the table of a chunk have, and how many columns should it have?",
        "A row of weights needs its own query and all the keys. Which of the three slices does "
        "not belong there?",
        "Slice the query only: scores = query[rows] @ key.T / key.shape[-1] ** 0.5, and mix with "
        "the whole of value.",
    ),
    starter='''\
def attend_in_chunks(query, key, value, size):
    """Attention, (T, K), (S, K), (S, V) -> (T, V), `size` queries at a time."""
    outputs = []
    for start in range(0, len(query), size):
        rows = slice(start, start + size)
        scores = query[rows] @ key[rows].T / key.shape[-1] ** 0.5
        outputs.append(scores.softmax(dim=-1) @ value[rows])
    return torch.cat(outputs)
''',
)
