"""Sanitize text that comes out of the sandbox: shorten it, quote it, and hide secrets.

A submission can put anything that its process knows into an error, a name or a line, including the
inputs of hidden cases. So such text is truncated and quoted, and an error in a hidden case is
reduced to its type.
"""

import builtins
import re
from dataclasses import replace

from lessons.kit.exercises import Case, Outcome, OutOfTime, describe_error, shorten
from lessons.kit.exercises.outcome import Measured

#: Characters of an error, and of a name.
LONGEST_ERROR, LONGEST_NAME = 200, 60
_MOST_NAMES = 5
_LONGEST_MESSAGE = 1_000
#: A longer limit for messages that contain no text from the sandbox.
LONGEST_KNOWN = 3_000
_RAISED = re.compile(r"^(?P<before>.*?raised )(?P<kind>\w+)(?:: (?P<text>.*))?", re.DOTALL)


def sanitize_output(outcome: Outcome, case: Case) -> Outcome:
    """Return the outcome of one call with its texts truncated and redacted."""
    return replace(
        outcome,
        error=_of_a_call(outcome, case),
        line="" if case.hidden else shorten(outcome.line, LONGEST_ERROR),
        answer=replace(outcome.answer, name=shorten(outcome.answer.name, LONGEST_NAME)),
        edited=tuple(shorten(name, LONGEST_NAME) for name in outcome.edited[:_MOST_NAMES]),
        measured={n: _measured(found, case.hidden) for n, found in outcome.measured.items()},
    )


def redact_error(error: str, hidden: bool = False) -> str:
    """Truncate and quote an error message; in a hidden case keep only a built-in type."""
    found = _RAISED.match(error)
    if not found:
        return "an error of its own" if hidden and error else shorten(error, LONGEST_ERROR)
    kind = shorten(found["kind"], LONGEST_NAME)
    if hidden:
        return f"raised {kind if hasattr(builtins, kind) else 'an error of its own'}"
    said = found["text"]
    return f"raised {kind}" + (f': "{shorten(said, LONGEST_ERROR)}"' if said else "")


def plain_message(text: str, known: bool = False) -> str:
    """Return printable text of bounded length, without control characters.

    Args:
        text: the message.
        known: whether it contains no text from the sandbox.
    """
    shown = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    room = LONGEST_KNOWN if known else _LONGEST_MESSAGE
    return shown if len(shown) <= room else shown[:room] + " …"


def _of_a_call(outcome: Outcome, case: Case) -> str:
    if outcome.out_of_time and outcome.error:
        return describe_error(OutOfTime())
    return redact_error(outcome.error, case.hidden)


def _measured(found: Measured, hidden: bool) -> Measured:
    return redact_error(found, hidden) if isinstance(found, str) else found
