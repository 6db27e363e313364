"""Turn the output of a sandbox into marks. The references are here; no submitted code runs here."""

import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

from classroom.answers import Answers
from classroom.hidden import hidden_cases
from classroom.marks import Mark
from classroom.plan import ClassPlan
from classroom.released import Chapter, defines, required_function
from classroom.sanitize import (
    LONGEST_NAME,
    plain_message,
    redact_error,
    sanitize_output,
)
from lessons.kit import exercises
from lessons.kit.exercises import (
    Exercise,
    Outcome,
    OutOfTime,
    Result,
    cases_to_json,
    outcomes_from_json,
    shorten,
    time_limit,
)

#: Seconds for the comparison of one answer, which usually takes less than one.
COMPARING = 20.0
_MOST_FAILED = 3  # failed cells to list with a NameError
_WORD = re.compile(r"\w+")
_DEFINED = re.compile(r"^[ \t]*(?:async )?(?:def|class) +(\w+)", re.MULTILINE)


class Marker:
    """Compute the marks for the exercises of one class.

    Args:
        plan: the plan of the class.
    """

    def __init__(self, plan: ClassPlan):
        self._points = plan.points
        self._exercises = {name: _with_hidden_cases(name, plan.secret) for name in plan.exercises}
        #: The inputs of each exercise, as they are sent to the sandbox.
        self.cases = {name: cases_to_json(e.cases) for name, e in self._exercises.items()}

    def marks(self, chapter: Chapter, cells: list[str], answers: Answers) -> dict[str, Mark]:
        """Return a mark for each exercise of a chapter.

        Args:
            chapter: the released chapter.
            cells: the cells that the student wrote.
            answers: the output of the sandbox, with cells counted after the chapter's prelude.
        """
        errors = {n - len(chapter.prelude): error for n, error in answers.cells.items()}
        return {name: self._mark(name, cells, errors, answers) for name in chapter.exercises}

    def _mark(self, name: str, cells: list[str], errors: dict[int, str], answers: Answers) -> Mark:
        function = required_function(name)
        own = [number for number, cell in enumerate(cells) if defines(cell, function)]
        mark = Mark(
            points=0,
            of=self._points[name],
            status="stopped",
            answer="\n\n\n".join(cells[number] for number in _needed_cells(cells, own)),
        )
        if name in answers.stopped:
            why = f"{name}: there is no result, because {answers.stopped[name]}."
            spoken_of = any(function in _WORD.findall(cell) for cell in cells)
            return replace(mark, message=plain_message(why), answer=mark.answer * spoken_of)
        output = answers.found.get(name, {})
        if output.get("missing") is True:
            raised = [
                f"The cell that defines it {redact_error(errors[n])}" for n in own if n in errors
            ]
            if not own:
                return _unattempted(mark, name)
            why = "\n".join([f"{name}: there is no function {function} to try.", *raised])
            return replace(mark, status="missing", message=plain_message(why))
        judged = self._judged(mark, name, output)
        if judged.status == "right" or "NameError" not in judged.message:
            return judged
        failed = []  # cells that may have failed to define the name
        for number, error in sorted(errors.items()):
            if 0 <= number < len(cells):
                first = shorten(cells[number].strip().partition("\n")[0], LONGEST_NAME)
                failed.append(f'The cell that begins "{first}" {redact_error(error)}.')
        message = "\n".join([judged.message, *failed[:_MOST_FAILED]])
        return replace(judged, message=plain_message(message, known=bool(judged.causes)))

    def _judged(self, mark: Mark, name: str, output: dict[str, Any]) -> Mark:
        if output.get("idle") is True:
            return _unattempted(mark, name)
        if isinstance(output.get("uncallable"), str):
            kind = shorten(output["uncallable"], LONGEST_NAME)
            why = f'{name}: it must be a function, and is of the type "{kind}"'
            return replace(mark, status="wrong", message=plain_message(why))
        exercise = self._exercises[name]
        try:
            with time_limit(COMPARING):  # a set of numbers with equal hashes would take hours
                outcomes = outcomes_from_json(output.get("outcomes"))
                result, held = _judge(exercise, outcomes), _count_passed(exercise, outcomes)
        except (Exception, OutOfTime):  # an attack may get past all other checks
            why = "too large to be compared" if output.get("too_large") is True else "unreadable"
            text = output["failed"] if isinstance(output.get("failed"), str) else ""
            failed = f" It {redact_error(text, hidden=True)}." if text else ""
            return replace(mark, message=plain_message(f"{name}: what came back is {why}.{failed}"))
        message = plain_message(result.message, known=result.passed or bool(result.causes))
        if result.passed:
            return replace(mark, points=mark.of, status="right", message=message)
        return replace(mark, status="wrong", message=message, causes=result.causes, held=held)


def _unattempted(mark: Mark, name: str) -> Mark:
    """Mark an exercise as not attempted, which similarity checks ignore."""
    return replace(mark, status="idle", message=f"{name}: not attempted.", answer="")


def _needed_cells(cells: list[str], own: list[int]) -> list[int]:
    """Return the cells of an answer and those that define what it uses; all if it has no cells."""
    places = defaultdict[str, list[int]](list)
    for number, cell in enumerate(cells):
        for name in _DEFINED.findall(cell):
            places[name].append(number)
    taken, waiting = set[int](), set(own or range(len(cells)))
    while waiting:
        taken |= waiting
        words = {word for number in waiting for word in _WORD.findall(cells[number])}
        waiting = {n for word in words for n in places.pop(word, ())} - taken
    return sorted(taken)


def _with_hidden_cases(name: str, secret: str) -> Exercise:
    exercise = exercises.get_exercise(name)
    return exercise.with_cases(exercise.cases + hidden_cases(exercise, secret))


def _count_passed(exercise: Exercise, outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Count the passed and all visible cases, then the same for hidden ones.

    A bug hunt has no partial points, because its starter passes many cases unchanged.
    """
    if exercise.is_bug_hunt:
        return ()
    open_cases = sum(not case.hidden for case in exercise.cases)
    held = exercise.passed_cases(outcomes)
    here, hidden = sum(held[:open_cases]), sum(held[open_cases:])
    return (here, open_cases, hidden, len(exercise.cases) - open_cases)


def _judge(exercise: Exercise, outcomes: tuple[Outcome, ...]) -> Result:
    """Check the outcomes, without letting a function reveal a hidden case through its own texts.

    A function that behaves like a known mistake reveals nothing new.
    """
    result = exercise.judge(outcomes)
    if result.causes:
        return result
    pairs = zip(outcomes, exercise.cases, strict=False)
    spoken = exercise.judge(tuple(sanitize_output(outcome, case) for outcome, case in pairs))
    return replace(spoken, passed=result.passed)
