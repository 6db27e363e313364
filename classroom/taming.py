"""Let what comes from inside the sandbox say little, and never in the grader's own voice.

Whoever wrote a submission may put into an error, a name or a line whatever the process knows, the
inputs of the hidden cases included. So such texts are cut and quoted, and of an error in a hidden
case only its kind is left.
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
#: What a known mistake does too tells nothing that is not known.
LONGEST_KNOWN = 3_000
_RAISED = re.compile(r"^(?P<before>.*?raised )(?P<kind>\w+)(?:: (?P<text>.*))?", re.DOTALL)


def tamed(outcome: Outcome, case: Case) -> Outcome:
    """Return what one call did, with little of its texts left."""
    return replace(
        outcome,
        error=_of_a_call(outcome, case),
        line="" if case.hidden else shorten(outcome.line, LONGEST_ERROR),
        answer=replace(outcome.answer, name=shorten(outcome.answer.name, LONGEST_NAME)),
        edited=tuple(shorten(name, LONGEST_NAME) for name in outcome.edited[:_MOST_NAMES]),
        measured={n: _measured(found, case.hidden) for n, found in outcome.measured.items()},
    )


def told_inside(error: str, hidden: bool = False) -> str:
    """Cut and quote what an error says; in a hidden case keep its kind, if Python itself has it."""
    found = _RAISED.match(error)
    if not found:
        return "an error of its own" if hidden and error else shorten(error, LONGEST_ERROR)
    kind = shorten(found["kind"], LONGEST_NAME)
    if hidden:
        return f"raised {kind if hasattr(builtins, kind) else 'an error of its own'}"
    said = found["text"]
    return f"raised {kind}" + (f': "{shorten(said, LONGEST_ERROR)}"' if said else "")


def message_of(text: str, known: bool = False) -> str:
    """Return plain text of a bounded length: nothing that a terminal or a page could obey.

    Args:
        text: what is to be said.
        known: whether nothing in it comes from inside.
    """
    shown = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    room = LONGEST_KNOWN if known else _LONGEST_MESSAGE
    return shown if len(shown) <= room else shown[:room] + " …"


def _of_a_call(outcome: Outcome, case: Case) -> str:
    if outcome.out_of_time and outcome.error:
        return describe_error(OutOfTime())
    return told_inside(outcome.error, case.hidden)


def _measured(found: Measured, hidden: bool) -> Measured:
    return told_inside(found, hidden) if isinstance(found, str) else found
