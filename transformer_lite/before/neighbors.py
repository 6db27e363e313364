"""Nearest neighbours by cosine, and analogies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_shape, check_size


class Neighbors(NamedTuple):
    """The nearest rows of a table and their cosines, largest first."""

    rows: list[int]
    cosines: list[float]


def nearest(
    vectors: Float[Tensor, "V D"],
    query: Float[Tensor, "D"],
    count: int = 1,
    exclude: Iterable[int] = (),
) -> Neighbors:
    """Return the rows whose vectors have the largest cosine with `query`.

        cosine(a, b) = a · b / (‖a‖ ‖b‖)

    Args:
        vectors: one row for each word, shape (V, D). A row of zeros has the cosine 0.
        query: shape (D,).
        count: how many rows to return.
        exclude: rows that are left out.

    Returns:
        The rows and their cosines, the largest first; of equal cosines the first row first.

    Raises:
        TypeError: an argument is of the wrong kind.
        ValueError: the shapes do not fit, a row is out of range, or fewer than `count` are left.

    >>> import torch
    >>> nearest(torch.tensor([[3.0, 0], [0, 9], [1, 1]]), torch.tensor([2.0, 1]), count=2).rows
    [2, 0]
    """
    check_shape("vectors", vectors, "V", "D")
    check_shape("query", query, vectors.shape[1])
    check_size("count", count)
    left_out = sorted(set(exclude))
    for row in left_out:
        _check_row("exclude", row, len(vectors))
    if count > len(vectors) - len(left_out):
        raise ValueError(
            f"count must be at most {len(vectors) - len(left_out)}, the rows left, got {count}"
        )
    cosines = F.normalize(vectors, dim=1) @ F.normalize(query, dim=0)
    cosines[left_out] = -2  # below every cosine
    order = cosines.argsort(descending=True, stable=True)[:count]
    return Neighbors(order.tolist(), cosines[order].tolist())


def analogy(
    vectors: Float[Tensor, "V D"], a: int, b: int, c: int, exclude: bool = True, count: int = 1
) -> Neighbors:
    """Return the rows nearest to a − b + c, as in *paris − france + italy*.

    All vectors are scaled to length 1 before they are added.

    Args:
        vectors: one row for each word, shape (V, D).
        a, b, c: rows.
        exclude: leave out a, b and c themselves. Tests of analogies usually do so silently.
        count: how many rows to return.

    Raises:
        TypeError, ValueError: as in :func:`nearest`; `exclude` is not a bool.

    Reference: Mikolov, Yih and Zweig 2013, section 4.

    >>> import torch
    >>> table = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 1, 1]])
    >>> analogy(table, 0, 1, 2).rows
    [3]
    """
    check_shape("vectors", vectors, "V", "D")
    for name, row in (("a", a), ("b", b), ("c", c)):
        _check_row(name, row, len(vectors))
    if not isinstance(exclude, bool):
        raise TypeError(f"exclude must be a bool, got {type(exclude).__name__}: {exclude!r:.60}")
    unit = F.normalize(vectors, dim=1)
    return nearest(unit, unit[a] - unit[b] + unit[c], count, (a, b, c) if exclude else ())


def _check_row(name: str, row: int, size: int) -> None:
    check_size(name, row, minimum=0)
    if row >= size:
        raise ValueError(f"{name} must lie between 0 and {size - 1}, got {row}")
