"""A few rows in place of a full product: whatever two choices do to each other is still seen."""

import itertools


def pairwise(*columns) -> list[tuple]:
    """Choose rows such that any two values of different columns stand together in one of them.

    The same columns give the same rows, and each row is the one that brings most new pairs.
    """
    rows = list(itertools.product(*columns))
    missing = set().union(*map(pairs, rows))
    chosen = []
    while missing:
        chosen.append(max(rows, key=lambda row: len(pairs(row) & missing)))
        missing -= pairs(chosen[-1])
    return chosen


def pairs(row: tuple) -> set[tuple]:
    """Return the pairs of values of a row, each value with its column."""
    return set(itertools.combinations(enumerate(row), 2))
