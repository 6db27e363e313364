"""Which of many similar cases `make test` runs; `make nightly` runs all of them."""

import itertools
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest
from allpairspy import AllPairs


def sample(cases: Iterable[Any], count: int) -> list[Any]:
    """Return a parameter for each case, with all but `count` of them marked `nightly`.

    The cases that always run are spread evenly over the list. A tuple holds the values of several
    parameters.

    Raises:
        ValueError: count is less than 1.
    """
    if count < 1:
        raise ValueError(f"count must be at least 1, got {count}")
    listed = [*cases]
    always = {len(listed) * place // count for place in range(count)}
    return [parameter(case, place in always) for place, case in enumerate(listed)]


def first_of_each(cases: Iterable[Any], kind: Callable[[Any], Hashable]) -> list[Any]:
    """Return a parameter for each case, with all but the first of its kind marked `nightly`."""
    seen: set[Hashable] = set()
    found = []
    for case in cases:
        found.append(parameter(case, kind(case) not in seen))
        seen.add(kind(case))
    return found


def one_of_each_chapter(exercises: Iterable[Any]) -> list[Any]:
    """Return a parameter for each exercise, with all but the first of its chapter `nightly`."""
    return first_of_each(exercises, lambda exercise: exercise.name.partition(".")[0])


def each_value(*kinds: Iterable[Any]) -> list[Any]:
    """Return a parameter for each combination; those needed to see every value once always run.

    Combination i of these has value i of each kind, counted from the start again where the values
    end. The others are marked `nightly`.
    """
    values = [[*kind] for kind in kinds]
    sizes = [len(kind) for kind in values]
    return _combinations(values, {tuple(i % size for size in sizes) for i in range(max(sizes))})


def each_pair(*kinds: Iterable[Any]) -> list[Any]:
    """Return a parameter for each combination; those needed to see every two values always run.

    The others are marked `nightly`.
    """
    values = [[*kind] for kind in kinds]
    return _combinations(values, {*map(tuple, AllPairs([range(len(kind)) for kind in values]))})


def _combinations(values: list[list[Any]], always: set[tuple[int, ...]]) -> list[Any]:
    """Return a parameter for each combination, marked `nightly` unless its places always run."""
    places = itertools.product(*(range(len(kind)) for kind in values))
    combinations = zip(places, itertools.product(*values), strict=True)
    return [parameter(combination, place in always) for place, combination in combinations]


def parameter(case: Any, always: bool) -> Any:
    """Return a case as a parameter, marked `nightly` unless it always runs."""
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=() if always else pytest.mark.nightly)
