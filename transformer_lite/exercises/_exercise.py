"""The core of an exercise: call a function on every case and explain the first difference."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from torch import Tensor

from transformer_lite._checks import check_size
from transformer_lite.exercises import _report
from transformer_lite.exercises._outcome import Outcome, alike, call, copies, measure

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

    `measure` takes the function and the inputs of one case, and returns the tensor measured for
    each part, or None for a part that has none.
    """

    name: str
    measure: Callable[[Callable, dict[str, Any]], dict[str, Tensor | None]]


@dataclass(frozen=True)
class Result:
    """What a check found. It is printed already, so a notebook shows nothing more."""

    passed: bool
    message: str = field(repr=False)

    def _ipython_display_(self) -> None:
        """Stay silent as the last line of a cell."""


@dataclass(frozen=True)
class Failure:
    """Where a function first leaves the reference, and all that it did."""

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
        cases: the inputs to try, the chapter's worked example first.
        mistakes: known wrong answers.
        right_answers: right functions, written differently.
        hint_texts: a question, an operation, nearly the code.
        starter: the source of the cell that the chapter gives the reader.
        properties: what to measure once all values are right.
    """

    name: str
    reference: Callable
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    right_answers: tuple[Callable, ...]
    hint_texts: tuple[str, ...]
    starter: str
    properties: tuple[Property, ...] = ()
    _expected: tuple[Outcome, ...] = field(init=False)

    def __post_init__(self):
        expected = self._measure(self.reference, self._run(self.reference))
        object.__setattr__(self, "_expected", expected)

    def __repr__(self) -> str:
        return f"Exercise({self.name!r})"

    def check(self, function: Callable) -> Result:
        """Call `function` on every case, print what was found, and return it."""
        trouble = self._trouble(function)
        praise = f"{self.name}: correct. Your function passes all {len(self.cases)} cases."
        result = Result(not trouble, trouble or _report.wrap(praise))
        print(result.message)
        return result

    def case(self, number: int) -> dict[str, Any]:
        """Return a fresh copy of the inputs of one case, counted from 1."""
        return copies(_pick("case", number, self.cases).inputs)

    def hint(self, number: int) -> None:
        """Print one hint, from 1 (a question) to 3 (nearly the code)."""
        text = _pick("hint", number, self.hint_texts)
        print(_report.wrap(f"Hint {number} of {len(self.hint_texts)}. {text}"))

    def hints(self) -> None:
        """Print every hint."""
        for number in range(1, len(self.hint_texts) + 1):
            self.hint(number)

    @property
    def _call(self) -> str:
        """How a chapter writes this exercise; its module alone may be hidden by another name."""
        return f"exercises.{self.name}"

    def _not_attempted(self, why: str) -> str:
        hint = f"For a first hint: {self._call}.hint(1)"
        return _report.wrap(f"{self.name}: not attempted yet.", why, hint)

    def _trouble(self, function: object) -> str:
        """Say what is wrong with `function`; an empty text means nothing is."""
        if function is None or function is ...:
            why = f"Give check the function that you wrote: {self._call}.check(your_function)"
            return self._not_attempted(why)
        if not callable(function):
            return _report.wrap(
                f"{self.name}: check takes the function itself, not what it returns, "
                f"and got {type(function).__name__}: {function!r:.60}"
            )
        failure = self._first_failure(function)
        if failure is None:
            return ""
        if failure.outcomes[0].is_stub:
            why = "Your function returns nothing: write its body, and end it with return."
            return self._not_attempted(why)
        return self._explain(failure)

    def _explain(self, failure: Failure) -> str:
        got, expected = failure.outcomes[failure.case], self._expected[failure.case]
        cause = self._likely_cause(failure)
        return _report.wrap(
            f"{self.name}: not right yet.",
            f"Case {failure.case + 1} of {len(self.cases)}: {self.cases[failure.case].name}",
            *_report.stage_lines(failure.stage, got, expected),
            *([f"Likely cause: {cause}"] if cause else []),
            f"For the inputs of this case: {self._call}.case({failure.case + 1})",
        )

    def _likely_cause(self, failure: Failure) -> str:
        """Return the message of the known mistake that does what the function did.

        A candidate fails at the same stage of the same case in the same way. Among candidates,
        the one that also does the same on most other cases is taken.
        """
        best, cause = 0, ""
        for message, known in self._known_failures:
            if (known.stage, known.case) != (failure.stage, failure.case):
                continue
            pairs = list(zip(failure.outcomes, known.outcomes, strict=False))
            score = 1 + sum(alike(got, other) for got, other in pairs)
            if score > best and alike(*pairs[failure.case], failure.stage):
                best, cause = score, message
        return cause

    @functools.cached_property
    def _known_failures(self) -> list[tuple[str, Failure]]:
        found = [
            (mistake.message, self._first_failure(mistake.function)) for mistake in self.mistakes
        ]
        return [(message, failure) for message, failure in found if failure is not None]

    def _first_failure(self, function: Callable) -> Failure | None:
        """Go through the stages, and in each stage through the cases."""
        outcomes = self._run(function)
        failure = self._compare(outcomes, STAGES)
        if failure is None:
            outcomes = self._measure(function, outcomes)
            failure = self._compare(outcomes, [p.name for p in self.properties])
        return failure

    def _compare(self, outcomes: tuple[Outcome, ...], stages: Iterable[str]) -> Failure | None:
        for stage in stages:
            for index, (got, expected) in enumerate(zip(outcomes, self._expected, strict=False)):
                if not alike(got, expected, stage):
                    return Failure(stage, index, outcomes)
        return None

    def _run(self, function: Callable) -> tuple[Outcome, ...]:
        outcomes = []
        for case in self.cases:
            outcomes.append(call(function, case.inputs))
            if outcomes[-1].error:
                break
        return tuple(outcomes)

    def _measure(self, function: Callable, outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
        return tuple(
            replace(
                outcome,
                measured={
                    p.name: measure(p.measure, function, case.inputs) for p in self.properties
                },
            )
            for case, outcome in zip(self.cases, outcomes, strict=True)
        )


def _pick(name: str, number: int, choices: tuple) -> Any:
    """Return choice `number`, counted from 1."""
    check_size(name, number)
    if number > len(choices):
        raise ValueError(f"{name} must be at most {len(choices)}, got {number}")
    return choices[number - 1]
