"""The core of an exercise: call a function on every case and explain the first difference."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from transformer_lite.exercises import _report
from transformer_lite.exercises._outcome import Outcome, agree, call, copies

STAGES = ("error", "kind", "shape", "dtype", "edited", "values")


@dataclass(frozen=True, eq=False)
class Case:
    """Inputs to call a function with, in the order of its parameters."""

    name: str
    inputs: dict[str, Any]


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer, and what to say to someone who gives it."""

    function: Callable
    message: str


@dataclass(frozen=True)
class Property:
    """Something measured on a function, beyond its values, that must equal the reference's.

    Args:
        name: what is measured, such as "gradient".
        measure: takes the function and one case's inputs; returns {part: nested lists or None}.
    """

    name: str
    measure: Callable[[Callable, dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Result:
    """What a check found. It is already printed, so a notebook shows nothing for it."""

    passed: bool
    message: str = field(repr=False)

    def _ipython_display_(self) -> None:
        """Stay silent as the last line of a cell."""


@dataclass(frozen=True)
class Failure:
    """Where a function first leaves the reference, and all that it did until then."""

    stage: str
    case: int
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Exercise:
    """A function to write, and everything needed to answer a learner who wrote it.

    Args:
        name: module and name, such as "the_cat_sat.attend".
        reference: the right function. It runs once, when the exercise is made: what a notebook
            does to torch later changes no expected value.
        cases: the inputs to try; the chapter's worked example first.
        mistakes: known wrong answers.
        right_answers: right functions, written differently.
        hints: a question, an operation, nearly the code.
        starter: the source of the cell that the chapter gives the reader.
        properties: what to measure once all values are right.

    >>> from transformer_lite.exercises import the_cat_sat
    >>> the_cat_sat.attend.hint(1)
    Hint 1 of 3. How do you compare every query with every key in one product?
    """

    name: str
    reference: Callable
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    right_answers: tuple[Callable, ...]
    hints: tuple[str, ...]
    starter: str
    properties: tuple[Property, ...] = ()
    _expected: tuple[Outcome, ...] = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "_expected", self._run(self.reference, self.properties))

    def __repr__(self) -> str:
        return f"Exercise({self.name!r})"

    def check(self, function: Callable) -> Result:
        """Call `function` on every case, print what was found, and return it."""
        message = self._trouble(function)
        result = Result(not message, message or _report.success(self))
        print(result.message)
        return result

    def case(self, number: int) -> dict[str, Any]:
        """Return a fresh copy of the inputs of case `number`, counted from 1.

        Raises:
            ValueError: there is no such case.
        """
        return copies(_pick("number", number, self.cases).inputs)

    def hint(self, number: int) -> None:
        """Print hint `number`, from 1 (a question) to 3 (nearly the code).

        Raises:
            ValueError: there is no such hint.
        """
        hint = _pick("number", number, self.hints)
        print(_report.wrap(f"Hint {number} of {len(self.hints)}. {hint}"))

    def hints_all(self) -> None:
        """Print every hint."""
