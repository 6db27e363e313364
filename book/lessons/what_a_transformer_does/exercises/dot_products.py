"""All dot products of two tables, in a batch: the matrix product."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("what_a_transformer_does.dot_products")


def _products(a: Tensor, b: Tensor) -> Tensor:
    return torch.matmul(a, b.transpose(-2, -1))


def _cases() -> tuple[Case, ...]:
    def draw(
        batch: int, t: int, s: int, k: int, dtype: torch.dtype = torch.float32
    ) -> dict[str, Tensor]:
        return {"a": _normal(batch, t, k, dtype=dtype), "b": _normal(batch, s, k, dtype=dtype)}

    small = {
        "a": torch.tensor([[[1.0, 2], [0, 1]]]),
        "b": torch.tensor([[[3.0, 0], [1, 1]]]),
    }
    return (
        Case("two rows with two rows, one table each", small),
        Case("random numbers, B=2, T=3, S=4, K=5", draw(2, 3, 4, 5)),
        Case("random numbers in float64, B=3, T=2, S=5, K=4", draw(3, 2, 5, 4, torch.float64)),
        Case("as many rows as columns, B=2, T=3, S=3, K=3", draw(2, 3, 3, 3)),
        Case("one row each, B=4, T=1, S=1, K=3", draw(4, 1, 1, 3)),
        Case("rows of one number, B=2, T=3, S=2, K=1", draw(2, 3, 2, 1)),
    )


_MISTAKES = mistakes(
    lambda a, b: a @ b,
    "The product takes rows of a and columns of b. You want rows of both: transpose b, with b.mT.",
    lambda a, b: b @ a.mT,
    "The rows belong to b. Entry [i, j] should be row i of a with row j of b.",
    lambda a, b: a @ b.reshape(b.shape[0], b.shape[2], b.shape[1]),
    "reshape keeps the numbers in their order and cuts them into new rows; it exchanges no "
    "axes. Use .mT.",
    lambda a, b: torch.einsum("btk,csk->ts", a, b),
    "The whole batch is added up. Each table of a meets only its own table of b.",
    lambda a, b: a[:, :, None] * b[:, None],
    "The entries are multiplied, but the products are not added up along the last axis.",
)


def _with_loops(a: Tensor, b: Tensor) -> Tensor:
    rows = [[[(p * q).sum() for q in two] for p in one] for one, two in zip(a, b, strict=True)]
    return torch.stack([torch.stack([torch.stack(row) for row in table]) for table in rows])


def _draw(draw: Draw) -> Inputs:
    b, t, s, k = draw.size(), draw.size(), draw.size(), draw.size()
    return draw.normal(b, t, k), draw.normal(b, s, k)


dot_products = Exercise(
    name="what_a_transformer_does.dot_products",
    reference=_products,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_with_loops, lambda a, b: torch.einsum("btk,bsk->bts", a, b)),
    draw=_draw,
    hint_texts=(
        "A matrix product pairs rows of the first table with columns of the second. How do the "
        "rows of b become columns?",
        "Exchange the last two axes of b, and leave the batch alone. Then multiply.",
        "b.mT has the shape (B, K, S). a @ b.mT has the shape (B, T, S).",
    ),
    starter='''\
def dot_products(a, b):
    """Every row of a (B, T, K) with every row of b (B, S, K): (B, T, S)."""
    ...
''',
    remarks=(GRADIENT,),
)
