"""Find the bug: a bias whose queries start at the wrong position."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("position_families.cached_bias")


def _offsets(scores: Tensor, first: int) -> Tensor:
    """Return key position minus query position; the first query is at `first`."""
    queries, keys = scores.shape
    return torch.arange(keys) - (torch.arange(queries) + first)[:, None]


def _with(scores: Tensor, numbers: Tensor, offset: Tensor) -> Tensor:
    limit = len(numbers) // 2
    return scores + numbers[offset.clamp(-limit, limit) + limit]


def _last(scores: Tensor) -> int:
    """Return the position of the first query, if the queries are the last tokens."""
    return scores.shape[1] - scores.shape[0]


def _cached_bias(scores: Tensor, numbers: Tensor) -> Tensor:
    return _with(scores, numbers, _offsets(scores, _last(scores)))


def _cases() -> tuple[Case, ...]:
    def case(name: str, shape: tuple[int, int], limit: int, dtype: torch.dtype) -> Case:
        numbers = _normal(2 * limit + 1, dtype=dtype)
        return Case(name, {"scores": _normal(*shape, dtype=dtype), "numbers": numbers})

    tens = {"scores": torch.zeros(2, 5), "numbers": torch.tensor([-2.0, -1, 0, 1, 2])}
    return (
        Case("two new tokens after three, each number equals its offset", tens),
        case("one new token after six: T=1, S=7", (1, 7), 2, torch.float32),
        case("three new tokens after one: T=3, S=4", (3, 4), 2, torch.float32),
        case("in float64, a limit of 1: T=2, S=6", (2, 6), 1, torch.float64),
        case("no cache: T=S=5", (5, 5), 3, torch.float32),
        case("a single number: T=2, S=3", (2, 3), 0, torch.float32),
        case("only one token: T=S=1", (1, 1), 1, torch.float32),
    )


_MISTAKES = mistakes(
    lambda s, n: _with(s, n, _offsets(s, 0)),
    "You count the queries from 0, as if no tokens came before them. They are the last T of S "
    "tokens, so the first query is at position S − T.",
    lambda s, n: _with(s, n, -_offsets(s, _last(s))),
    "The sign of the offset is reversed. An offset is key position minus query position.",
    lambda s, n: _with(s, n, _offsets(s, s.shape[1])),
    "You count the queries from S, after the last key. The last query is at the position of the "
    "last key, S − 1.",
    lambda s, n: _with(s, n, _offsets(s, _last(s)).abs()),
    "You use the distance without its sign, so keys before and after the query get the same "
    "number.",
    lambda s, n: s + n[(_offsets(s, _last(s)) + len(n) // 2) % len(n)],
    "Large offsets wrap around to the other end of the numbers. Clip the offset first.",
)


def _pair_by_pair(scores: Tensor, numbers: Tensor) -> Tensor:
    limit, first = len(numbers) // 2, _last(scores)
    rows = []
    for t, row in enumerate(scores):
        chosen = [max(-limit, min(limit, j - first - t)) + limit for j in range(len(row))]
        rows.append(row + numbers[chosen])
    return torch.stack(rows)


def _last_rows_of_the_square(scores: Tensor, numbers: Tensor) -> Tensor:
    limit, place = len(numbers) // 2, torch.arange(scores.shape[1])
    square = (place - place[:, None]).clamp(-limit, limit) + limit
    return scores + numbers[square[_last(scores) :]]


def _draw(draw: Draw) -> Inputs:
    t, before, limit = draw.size(), draw.size(0, 4), draw.size(0, 3)
    return draw.normal(t, t + before), draw.normal(2 * limit + 1)


cached_bias = Exercise(
    name="position_families.cached_bias",
    reference=_cached_bias,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_pair_by_pair, _last_rows_of_the_square),
    draw=_draw,
    hint_texts=(
        "There are S keys and T queries, and the queries are the last T tokens. What is the "
        "position of the first query? Why is the mistake invisible when T equals S?",
        "Print the table of offsets. In the row of the last query, the last entry must be 0.",
        "Let the positions of the queries run from S − T: "
        "torch.arange(scores.shape[1] - scores.shape[0], scores.shape[1]).",
    ),
    starter='''\
def cached_bias(scores, numbers):
    """Add numbers (2 · limit + 1,) by clipped offset to the scores (T, S)."""
    limit = len(numbers) // 2
    query = torch.arange(scores.shape[0])
    key = torch.arange(scores.shape[1])
    offset = (key[None, :] - query[:, None]).clamp(-limit, limit)
    return scores + numbers[offset + limit]
''',
    remarks=(GRADIENT,),
)
