"""Check a learner's function on every case of an exercise, and explain the first difference."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import Any, TypeVar

from lessons.kit.exercises import messages
from lessons.kit.exercises.draw import Draw, Inputs
from lessons.kit.exercises.execution import is_stub
from lessons.kit.exercises.formatting import safe_repr
from lessons.kit.exercises.outcome import (
    Function,
    Measurement,
    Outcome,
    call,
    measure,
    returned_nothing,
    same_outcome,
)
from lessons.kit.exercises.pristine import pristine_torch
from lessons.kit.exercises.snapshot import copy_inputs, unsupported_type
from lessons.kit.exercises.starter import is_complete
from transformer_lite.checks import check_size

_Choice = TypeVar("_Choice")
_Outcomes = tuple[Outcome, ...]
STAGES = ("error", "kind", "shape", "dtype", "edited", "values")


@dataclass(frozen=True, eq=False)
class Case:
    """Inputs to call a function with, in the order of its parameters.

    A hidden case belongs to a grader: no message says how to look at its inputs.
    """

    name: str
    inputs: dict[str, Any]
    hidden: bool = False


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer, and what to say to someone who gives it."""

    function: Function
    message: str


def mistakes(*parts: Any) -> tuple[Mistake, ...]:
    """Return known wrong answers from functions that are each followed by their message.

    Raises:
        ValueError: the last function lacks its message.
    """
    return tuple(starmap(Mistake, zip(parts[::2], parts[1::2], strict=True)))


@dataclass(frozen=True)
class Property:
    """Something measured on a function, beyond its values, that must equal the reference's.

    `measure` takes the function and the inputs of one case, and returns a dict of measured parts:
    tensors or plain data, or None for a part that has none. `message` is printed when the result
    differs from the reference's; without it, the first difference is shown.
    """

    name: str
    measure: Measurement
    message: str = ""


@dataclass(frozen=True)
class Result:
    """The result of a check. The check has printed it, so a notebook shows nothing more.

    `causes` lists the messages of the known mistakes that behave in the same way.
    """

    passed: bool
    message: str = field(repr=False)
    causes: tuple[str, ...] = field(default=(), repr=False)

    def _ipython_display_(self) -> None:
        """Stay silent as the last line of a cell."""


@dataclass(frozen=True)
class Trial:
    """The outcomes of a function, with the stage and the case of its first difference.

    The stage is empty where the function agrees with the reference.
    """

    outcomes: _Outcomes
    stage: str = ""
    case: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Exercise:
    """A function to write, and everything needed to answer a learner who wrote it.

    Args:
        name: module and name, such as "the_cat_sat.attend".
        reference: the right function. It returns tensors or plain data: numbers, texts, lists,
            tuples, dicts and sets, nested as you like. It runs once, at the first check, with
            torch as it was when the exercises were loaded: whatever a notebook has replaced
            since, the expected values are the same.
        cases: the inputs to try, the chapter's worked example first.
        mistakes: known wrong answers, as the function `mistakes` makes them.
        right_answers: other right functions, written differently.
        hint_texts: three hints: a question, an operation, and nearly the code.
        starter: the source of the cell that the chapter gives the reader.
        properties: what to measure once all values are right. The statement has to ask for it.
        remarks: what to measure where the statement does not ask for it: a right answer passes,
            with a remark.
        draw: a function that draws random inputs from all that the statement allows, in the
            order of the parameters. A grader makes hidden cases of them.
    """

    name: str
    reference: Function
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    right_answers: tuple[Function, ...]
    hint_texts: tuple[str, ...]
    starter: str
    properties: tuple[Property, ...] = ()
    remarks: tuple[Property, ...] = ()
    draw: Callable[[Draw], Inputs] | None = None

    def __repr__(self) -> str:
        return f"Exercise({self.name!r})"

    def check(self, function: Function) -> Result:
        """Call `function` on every case, then print and return the result.

        In a bug hunt the message says where the function goes wrong; `cause` says why.
        """
        found = self._examine(function)
        result = found if isinstance(found, Result) else self._explain_failure(found)
        print(result.message)
        return result

    def cause(self, function: Function) -> None:
        """Print what probably went wrong, if a known mistake behaves exactly like `function`."""
        found = self._examine(function)
        if isinstance(found, Result):
            print(found.message)
        elif causes := self._likely_causes(found):
            print(messages.wrap(f"{self.name}: the likely cause.", *causes))
        else:
            hint = f"For a hint: {self._expression}.hint(1)"
            unknown = "This does not match any known mistake in every case."
            print(messages.wrap(f"{self.name}: {unknown}", hint))

    def case(self, number: int) -> dict[str, Any]:
        """Return a fresh copy of the inputs of one case, counted from 1."""
        return copy_inputs(_pick("case", number, self.cases).inputs)

    def hint(self, number: int) -> None:
        """Print one hint, from 1 (a question) to 3 (nearly the code)."""
        text = _pick("hint", number, self.hint_texts)
        print(messages.wrap(f"Hint {number} of {len(self.hint_texts)}. {text}"))

    def hints(self) -> None:
        """Print every hint."""
        for number in range(1, len(self.hint_texts) + 1):
            self.hint(number)

    def with_cases(self, cases: tuple[Case, ...]) -> "Exercise":
        """Return the same exercise with other inputs to try."""
        return replace(self, cases=cases)

    def record(self, function: Function) -> tuple[Outcome, ...]:
        """Return the outcome of `function` on each case. Only `judge` needs the reference."""
        outcomes = self._run(function)
        if any(outcome.error for outcome in outcomes):
            return outcomes
        return self._measured(function, outcomes, self.properties + self.remarks)

    def judge(self, outcomes: tuple[Outcome, ...]) -> Result:
        """Return the result that `check` would give, from recorded outcomes. Print nothing.

        Raises:
            ValueError: `outcomes` is not what `record` returns for these cases.
        """
        self._check_recorded(outcomes)
        trial = self._compare(_keep_measured(outcomes, ()), STAGES)
        if not trial.stage and self.properties:
            trial = self._compare(_keep_measured(outcomes, self.properties), self.properties)
        return self._explain_failure(trial) if trial.stage else self._praise(outcomes)

    def passed_cases(self, outcomes: tuple[Outcome, ...]) -> tuple[bool, ...]:
        """Return for each case whether it passes everything that `judge` compares.

        If a function fails in any case, no property is measured. So in an exercise that has
        properties no case passes then.
        """
        stages = (*STAGES, *(p.name for p in self.properties))
        return tuple(
            all(p.name in got.measured for p in self.properties)
            and all(same_outcome(got, expected, stage) for stage in stages)
            for got, expected in zip(outcomes, self._expected, strict=False)
        )

    def _check_recorded(self, outcomes: tuple[Outcome, ...]) -> None:
        stopped = bool(outcomes) and outcomes[-1].out_of_time and bool(outcomes[-1].error)
        if len(outcomes) != len(self.cases) and not (stopped and len(outcomes) < len(self.cases)):
            raise ValueError(
                f"outcomes must be one for each of the {len(self.cases)} cases, got {len(outcomes)}"
            )
        failed = any(outcome.error for outcome in outcomes)
        names = [] if failed else sorted(p.name for p in self.properties + self.remarks)
        for outcome in outcomes:
            if sorted(outcome.measured) != names:
                raise ValueError(f"outcomes must measure {names}, got {sorted(outcome.measured)}")

    @property
    def _expression(self) -> str:
        """The expression for this exercise in a notebook, such as `exercises.masks.batch_mask`."""
        return f"exercises.{self.name}"

    @property
    def is_bug_hunt(self) -> bool:
        """Whether the starter is a whole function, with a bug to find."""
        return is_complete(self.starter)

    def _examine(self, function: object) -> Result | Trial:
        """Try `function`; return a result, or a failed trial that has to be explained."""
        if function is None or function is ...:
            why = f"Give check the function that you wrote: {self._expression}.check(your_function)"
            return self._not_attempted(why)
        if not callable(function):
            return Result(
                False,
                messages.wrap(
                    f"{self.name}: check takes the function itself, not what it returns, "
                    f"and got {type(function).__name__}: {safe_repr(function)}"
                ),
            )
        trial = self._run_trial(function)
        if not trial.stage:
            return self._praise(self._measured(function, trial.outcomes, self.remarks))
        if returned_nothing(trial.outcomes[0]) and is_stub(function):
            why = "Your function returns nothing: write its body, and end it with return."
            return self._not_attempted(why)
        return trial

    def _not_attempted(self, why: str) -> Result:
        hint = f"For a first hint: {self._expression}.hint(1)"
        return Result(False, messages.wrap(f"{self.name}: not attempted yet.", why, hint))

    def _praise(self, outcomes: _Outcomes) -> Result:
        """Return the result for a right answer, with remarks on what was not asked for."""
        found = f"{self.name}: correct. Your function passes all {len(self.cases)} cases."
        more = self._compare(outcomes, self.remarks)
        got, expected = more.outcomes[more.case], self._expected[more.case]
        return Result(
            True,
            messages.wrap(
                found,
                *messages.precision_remark(outcomes, self._expected),
                *(messages.remark(more.stage, got, expected) if more.stage else []),
            ),
        )

    def _explain_failure(self, failure: Trial) -> Result:
        """Return a result that says where a function fails, why if known, and what to do."""
        case, number = self.cases[failure.case], failure.case + 1
        causes = tuple(self._likely_causes(failure))
        withheld = bool(causes) and self.is_bug_hunt and not case.hidden
        inputs = f"For the inputs of this case: {self._expression}.case({number})"
        closer = [inputs] * (not case.hidden)
        message = messages.wrap(
            f"{self.name}: not right yet.",
            f"Case {number} of {len(self.cases)}: {case.name}",
            *self._failure_lines(failure),
            *([] if withheld else [f"Likely cause: {cause}" for cause in causes]),
            *closer,
            *[f"For the likely cause: {self._expression}.cause(your_function)"] * withheld,
        )
        return Result(False, message, causes)

    def _failure_lines(self, failure: Trial) -> list[str]:
        stage, got = failure.stage, failure.outcomes[failure.case]
        message = [p.message for p in self.properties if p.name == stage and p.message]
        if message and "was stopped" not in str(got.measured.get(stage)):
            return message
        return messages.explain_stage(stage, got, self._expected[failure.case])

    def _likely_causes(self, failure: Trial) -> list[str]:
        """Return the messages of the known mistakes that do the same as the function.

        A cause is certain enough to print only if both behave alike in every case.
        """
        return [
            message
            for message, known in self._known_failures
            if (known.stage, known.case) == (failure.stage, failure.case)
            and all(map(same_outcome, failure.outcomes, known.outcomes))
        ]

    @functools.cached_property
    def _expected(self) -> _Outcomes:
        """The outcomes of the reference, case by case."""
        with pristine_torch():
            outcomes = self._run(self.reference)
            self._check_reference(outcomes)
            found = self._measured(self.reference, outcomes, self.properties + self.remarks)
            self._check_measured(found)
            return found

    def _check_reference(self, outcomes: _Outcomes) -> None:
        for number, outcome in enumerate(outcomes, start=1):
            whose = f"the reference of {self.name}"
            if outcome.error:
                raise ValueError(f"{whose} must pass case {number}, but it {outcome.error}")
            if kind := unsupported_type(outcome.answer):
                raise TypeError(
                    f"{whose} must return tensors or plain data, got {kind} in case {number}"
                )

    def _check_measured(self, outcomes: _Outcomes) -> None:
        """Refuse a property that fails on the reference: answers that fail too would pass."""
        for number, outcome in enumerate(outcomes, start=1):
            for name, found in outcome.measured.items():
                if isinstance(found, str):
                    raise ValueError(
                        f"the {name} of the reference of {self.name} must be measured in case "
                        f"{number}, but it {found}"
                    )

    @functools.cached_property
    def _known_failures(self) -> list[tuple[str, Trial]]:
        with pristine_torch():
            return [(known.message, self._run_trial(known.function)) for known in self.mistakes]

    def _run_trial(self, function: Function) -> Trial:
        """Go through the stages, and in each stage through the cases."""
        trial = self._compare(self._run(function), STAGES)
        if trial.stage:
            return trial
        outcomes = self._measured(function, trial.outcomes, self.properties)
        return self._compare(outcomes, self.properties)

    def _compare(self, outcomes: _Outcomes, stages: Iterable[str | Property]) -> Trial:
        for stage in stages:
            name = stage if isinstance(stage, str) else stage.name
            for index, (got, expected) in enumerate(zip(outcomes, self._expected, strict=False)):
                if not same_outcome(got, expected, name):
                    return Trial(outcomes, name, index)
        return Trial(outcomes)

    def _run(self, function: Function) -> _Outcomes:
        outcomes = []
        for case in self.cases:
            outcomes.append(call(function, case.inputs))
            if outcomes[-1].out_of_time:  # do not wait for it again
                break
        return tuple(outcomes)

    def _measured(
        self, function: Function, outcomes: _Outcomes, properties: tuple[Property, ...]
    ) -> _Outcomes:
        return tuple(
            replace(
                outcome,
                measured={p.name: measure(p.measure, function, case.inputs) for p in properties},
            )
            for case, outcome in zip(self.cases, outcomes, strict=True)
        )


def _keep_measured(outcomes: _Outcomes, properties: tuple[Property, ...]) -> _Outcomes:
    """Return the outcomes with only these properties among their measurements."""
    names = [p.name for p in properties]
    return tuple(
        replace(outcome, measured={name: outcome.measured[name] for name in names})
        for outcome in outcomes
    )


def _pick(name: str, number: int, choices: tuple[_Choice, ...]) -> _Choice:
    """Return choice `number`, counted from 1."""
    check_size(name, number)
    if number > len(choices):
        raise ValueError(f"{name} must be at most {len(choices)}, got {number}")
    return choices[number - 1]
