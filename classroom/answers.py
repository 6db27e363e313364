"""Run a notebook in the sandbox and parse its output, which is never trusted.

If the process ends early, the cell or exercise that was running is blamed. It is left out, and the
rest runs again in a new process. So a bad answer does not affect the other answers.
"""

import io
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from classroom.marks import FAILED
from classroom.sandbox import Limits, NoSandboxError, RunResult, Sandbox

#: Processor seconds for one start; and for all starts of a notebook, including time asleep.
SECONDS, ALL_SECONDS = 30, 240
MEMORY = 2 << 30
_MOST_STARTS = 12
_MOST_TRIES = 3
_LONGEST_LINE = 3_000_000
_MOST_LINES = 20_000  # two for each of the largest allowed number of cells, with room to spare

_WHY = {
    "time": f"it was stopped: there are {SECONDS} seconds for it",
    "asleep": f"it was stopped: for {Limits.asleep} seconds it did nothing but wait",
    "clock": f"the machine was too busy to run it in {Limits.clock} seconds",
    "memory": f"it used more memory than the {MEMORY >> 30} GiB that there are",
    "output": "it wrote more than anybody can read",
    "killed": "its process was killed",
    "stopped": "its process ended before it had answered",
}
#: Garbage collection is off while torch loads: it would find nothing, and cost a tenth more time.
START = ["-P", "-c", "import gc; gc.disable(); import runner; runner.main()"]
_LIST_FONTS = """
import glob, os, matplotlib.font_manager
(path,) = glob.glob(os.environ["MPLCONFIGDIR"] + "/fontlist*")
print(os.path.basename(path), open(path).read(), sep="\\n")
"""
_FONTS = re.compile(r"fontlist-v[0-9.]+\.json")
#: What cells of a release may raise, because only their definitions run, except for the first cell.
_LACKS = re.compile(r"raised NameError\b")


@dataclass
class Answers:
    """The parsed output of the sandbox for a notebook.

    Args:
        found: what each exercise's function did, from its line of JSON.
        stopped: why an exercise has no result.
        cells: what each cell raised, by its number.
        failed: a failure that is no student's fault: the last error output if the runner itself did
            not start, or what a cell of the release raised. Only the teacher sees it.
    """

    found: dict[str, dict[str, Any]] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    cells: dict[int, str] = field(default_factory=dict)
    failed: str = ""


def answers_of(
    sandbox: Sandbox,
    cells: list[str],
    exercises: dict[str, Any],
    stop: threading.Event | None = None,
    ours: int = 0,
) -> Answers:
    """Run the cells of a notebook, and the functions that they define.

    Args:
        sandbox: the sandbox to use.
        cells: the sources of the cells, in running order.
        exercises: the cases of each exercise, as JSON, by its name.
        stop: an event that ends everything when it is set.
        ours: how many of the first cells belong to the release itself.
    """
    answers, left = Answers(), float(ALL_SECONDS)
    waiting, running = dict(exercises), dict(enumerate(cells))
    why = f"all answers together took more than {ALL_SECONDS} seconds"
    for _ in range(_MOST_STARTS):
        if not waiting or left <= 0 or answers.failed or (stop and stop.is_set()):
            break
        task = {"exercises": waiting, "cells": list(running.items())}
        ran, spoke = _run(sandbox, json.dumps(task).encode(), stop)
        left -= ran.seconds
        if not spoke or ran.cause == "clock":
            answers.failed = f"{_WHY[ran.cause or 'stopped']} {_last_words(ran)}".strip()
            break
        blamed = _read(_lines(ran.output), answers, waiting, running, ours)
        waiting = {n: c for n, c in waiting.items() if n not in answers.found}
        _drop_unfinished(blamed, ran, answers, waiting, running, ours)
    else:
        why = f"its notebook was stopped {_MOST_STARTS} times before"
    why = FAILED if answers.failed else why
    answers.stopped |= {n: why for n in waiting if n not in answers.stopped}
    return answers


def _drop_unfinished(
    blamed: str | int | None,
    ran: RunResult,
    answers: Answers,
    waiting: dict[str, Any],
    running: dict[int, str],
    ours: int,
) -> None:
    """Leave out what was running when the process ended; if nothing was, everything is complete."""
    why = _WHY[ran.cause or "stopped"]
    if blamed in waiting:
        answers.stopped[str(blamed)] = why
        del waiting[str(blamed)]
    elif blamed in running and int(blamed) < ours:
        answers.failed = f"a cell of the release did not come to its end: {why}"
    elif blamed in running:
        answers.cells[int(blamed)] = f"was left out: {why}"
        del running[int(blamed)]
    else:
        answers.stopped |= dict.fromkeys(waiting, f"{why} {_last_words(ran)}".strip())
        waiting.clear()


def _run(sandbox: Sandbox, task: bytes, stop: threading.Event | None) -> tuple[RunResult, bool]:
    """Run a task, retry if it printed nothing; return its output and whether there was any.

    The runner prints a line before any student's code runs, so no output means that the machine
    failed.
    """
    for _ in range(_MOST_TRIES):
        limits = Limits(SECONDS, memory=MEMORY)
        ran = sandbox.run(START, task, limits, stop)
        spoke = any(True for _ in _lines(ran.output))
        if spoke or (stop and stop.is_set()):
            break
    return ran, spoke


def check_start(sandbox: Sandbox) -> None:
    """Run an empty task, so that a problem of this machine is not blamed on students.

    Raises:
        NoSandboxError: it does not start; the message contains its last line of errors.
    """
    ran = sandbox.run(START, b'{"exercises": {}, "cells": []}')
    if {"done": True} not in _lines(ran.output):
        message = "Nothing was run: PyTorch or the students' package does not start in the sandbox."
        raise NoSandboxError(f"{message} {_WHY[ran.cause or 'stopped']} {_last_words(ran)}".strip())


def fonts_of(sandbox: Sandbox) -> tuple[str, str]:
    """Return the file name and text of matplotlib's font list for the sandbox.

    Otherwise every start would build this list again. No student's code runs here.
    """
    ran = sandbox.run(["-c", _LIST_FONTS])
    name, _, text = ran.output.decode(errors="replace").partition("\n")
    return (name, text) if _FONTS.fullmatch(name) else ("", "")


def _read(
    lines: Iterator[dict[str, Any]],
    answers: Answers,
    waiting: dict[str, Any],
    running: dict[int, str],
    ours: int,
) -> str | int | None:
    """Store the output of the process; return what it was running when it ended.

    Lines about cells of the release count only until the first cell of the student starts.
    """
    under_way: str | int | None = None
    first = 0
    for message in lines:
        if message.get("exercise") in waiting:
            answers.found.setdefault(message["exercise"], message)
        elif message.get("cell") in running and message["cell"] >= first:
            error = answers.cells[message["cell"]] = str(message.get("error"))[:400]
            if message["cell"] < ours and (message["cell"] == 0 or not _LACKS.match(error)):
                answers.failed = f"a cell of the release {error}"
        elif isinstance(message.get("at"), list) and len(message["at"]) == 2:
            at = message["at"][1]
            under_way = at if type(at) is str or (type(at) is int and at >= first) else None
            first = ours if type(at) is not int or at >= ours else first
        elif message.get("done") is True:
            return None
    return under_way


def _lines(output: bytes) -> Iterator[dict[str, Any]]:
    for line in islice(io.BytesIO(output), _MOST_LINES):
        try:
            parsed = json.loads(line) if len(line) <= _LONGEST_LINE else None
        except (ValueError, RecursionError):
            continue
        if isinstance(parsed, dict) and all(
            _hashable(parsed.get(key)) for key in ("exercise", "cell")
        ):
            yield parsed


def _hashable(value: object) -> bool:
    return value is None or type(value) in (str, int)


def _last_words(ran: RunResult) -> str:
    last = ran.errors.strip().rpartition("\n")[2][:200]
    return f"({last})" if last else ""
