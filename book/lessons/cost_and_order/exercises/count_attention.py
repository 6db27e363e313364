"""Count what attention multiplies, and how many numbers its tables hold."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from transformer_lite.layers.complexity import attention_cost

Column = Callable[[Tensor, Tensor, int, int], Tensor]


def _cases() -> tuple[Case, ...]:
    def case(name: str, sizes: list[list[int]], width: int, num_heads: int) -> Case:
        inputs = {"sizes": torch.tensor(sizes), "width": width, "num_heads": num_heads}
        return Case(name, inputs)

    return (
        case("the chapter's, and one query over 512 tokens", [[512, 512], [1, 512]], 512, 8),
        case("width 6, 3 heads", [[4, 4], [4, 7], [9, 2]], 6, 3),
        case("width 64, 4 heads", [[1, 700], [700, 1], [30, 20], [11, 11]], 64, 4),
        case("width 32, one head", [[300, 20]], 32, 1),
    )


def _count(sizes: Tensor, width: int, num_heads: int) -> Tensor:
    def row(t: int, s: int) -> list[int]:
        cost = attention_cost(1, t, s, width, num_heads, bytes_per_number=1)
        pairs = cost.score_multiply_adds + cost.mixing_multiply_adds
        return [cost.projection_multiply_adds, pairs, cost.table_bytes]

    return torch.tensor([row(t, s) for t, s in sizes.tolist()])


def _count_head_by_head(sizes: Tensor, width: int, num_heads: int) -> Tensor:
    t, s = sizes.unbind(dim=1)
    d_head = width // num_heads
    inputs = num_heads * (t + s + s) * width * d_head
    columns = inputs + t * width**2, 2 * num_heads * t * s * d_head, num_heads * t * s
    return torch.stack(columns, dim=1)


def _count_at_once(sizes: Tensor, width: int, num_heads: int) -> Tensor:
    pairs = sizes.prod(dim=1, keepdim=True)
    projections = 2 * sizes.sum(dim=1, keepdim=True) * width**2
    return torch.cat([projections, 2 * width * pairs, num_heads * pairs], dim=1)


def _with(
    projections: Column | None = None, pairs: Column | None = None, tables: Column | None = None
) -> Callable[[Tensor, int, int], Tensor]:
    """Return a count with another formula in one of its columns."""

    def count(sizes: Tensor, width: int, num_heads: int) -> Tensor:
        t, s = sizes.unbind(dim=1)
        right = _count_at_once(sizes, width, num_heads).unbind(dim=1)
        formulas = zip((projections, pairs, tables), right, strict=True)
        columns = [f(t, s, width, num_heads) if f else column for f, column in formulas]
        return torch.stack(columns, dim=1)

    return count


_MISTAKES = mistakes(
    lambda sizes, d, h: _count_at_once(sizes[:, :1].expand(-1, 2), d, h),
    "S is not used: keys and values are made from S tokens, and every query has S scores.",
    _with(projections=lambda t, s, d, h: 4 * t * d**2),
    "All four projections are counted over the T queries. Keys and values are made from the "
    "S tokens that are attended to.",
    _with(projections=lambda t, s, d, h: 3 * t * d**2),
    "Three projections of the T queries are counted. Keys and values are made from the S tokens "
    "that are attended to, and the output has its own projection.",
    _with(projections=lambda t, s, d, h: (t + 2 * s) * d**2),
    "A projection is missing: after those of queries, keys and values there is one for the output, "
    "T·D·D more.",
    _with(projections=lambda t, s, d, h: 2 * (t + s) * d**2 * h),
    "The projections are counted once for each head, with the full width. A head's matrices "
    "are only D / H wide.",
    _with(pairs=lambda t, s, d, h: t * s * d),
    "Only one of the two products over pairs is counted. The scores cost T·S·D, and mixing "
    "the values costs T·S·D again.",
    _with(pairs=lambda t, s, d, h: 2 * t * s * (d // h)),
    "The pairs are counted for one head. There are H of them, each of width D / H.",
    lambda *a: _count_at_once(*a) * torch.tensor([2, 2, 1]),
    "That is twice as much: a product and the sum that it goes into count as one multiply–add.",
    _with(tables=lambda t, s, d, h: t * s),
    "The multiply–adds are right. The number of tables is not: every head has its own.",
)


def _draw(draw: Draw) -> Inputs:
    heads = draw.size(1, 5)
    sizes = [[draw.size(1, 40), draw.size(1, 40)] for _ in range(draw.size())]
    return torch.tensor(sizes), heads * draw.size(1, 9), heads


count_attention = Exercise(
    name="cost_and_order.count_attention",
    reference=_count,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_count_at_once, _count_head_by_head),
    draw=_draw,
    hint_texts=(
        "Attention is six matrix products. Which ones, and what are the two shapes of each?",
        "A product takes rows · shared size · columns multiply–adds. Queries and output have T "
        "rows, keys and values S rows; scores and mixture run over T·S pairs.",
        "With T, S = sizes.unbind(dim=1) the columns are 2 * (T + S) * width**2, 2 * T * S * width "
        "and num_heads * T * S; torch.stack([...], dim=1) puts them side by side.",
    ),
    starter='''\
def count_attention(sizes, width, num_heads):
    """Count for each row (T queries, S keys) of sizes, ints (N, 2).

    Returns ints (N, 3): the multiply–adds of the four projections, those
    of scores and mixing, and how many scores the tables hold.
    """
    raise NotImplementedError
''',
)
