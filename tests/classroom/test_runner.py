"""What runs inside the sandbox: cells one by one, magics left out, and a function on every case."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from class_work import SECRET

from classroom import runner
from classroom.hidden import hidden_cases
from lessons.kit import exercises
from lessons.kit.exercises import outcomes_from_json

SOFT = exercises.attention.soft_lookup


def notebook():
    """The names that a notebook begins with."""
    return {"get_ipython": runner._Nothing}


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline\nx = 1",
        "!pip install x\nx = 1",
        "!pip install \\\n  x\nx = 1",
        "if True:\n    !ls\nx = 1",
        "files = !ls\nx = 1",
        "x = %time 3 - 2",
        "%time x = 1  # is this fast?",
        "%time y = 1; x = y",
        "%timeit x = 2\nx = 1",
        "x = 1\nprint?",
        "?print\nx = 1",
        "%%time\nx = 1",
        "\n%%capture out\n%matplotlib inline\nx = 1",
        "!ls\nx = (7\n     % 2)",
        "!ls\nx = sum([1])  # is this right?",
        '!ls\ndef f():\n    """Do it.\n\n    Why not?\n    !ls\n    """\n    return 1\nx = f()',
        "!ls\nmade = {\n    'a': 1,  # why?\n}\nx = made['a']",
    ],
)
def test_magics_do_nothing_and_the_rest_of_the_cell_runs(source):
    namespace = notebook()
    assert runner.run_cell(source, "<cell 1>", namespace) == ""
    assert namespace["x"] == 1


# The first releases of Python 3.11 raise ValueError for a null byte, later ones SyntaxError.
NULL_ERROR = "SyntaxError" if sys.version_info >= (3, 11, 4) else "ValueError"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("x = 1", ""),
        ("x = 1 / 0", "raised ZeroDivisionError: division by zero"),
        ("raise SystemExit(2)", "raised SystemExit: 2"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt"),
        ("def f(:", "raised SyntaxError: invalid syntax (line 1)"),
        ("x = '\0'", f"raised {NULL_ERROR}: source code string cannot contain null bytes"),
        ("!ls\nx = (", "raised SyntaxError: '(' was never closed (line 2)"),
    ],
)
def test_failing_cell_does_not_stop_the_others(source, error):
    assert runner.run_cell(source, "<cell 1>", {}) == error


def test_endless_cell_is_stopped_with_its_limit(monkeypatch):
    monkeypatch.setattr(runner, "CELL_SECONDS", 0.2)
    told = runner.run_cell("while True: pass", "<cell 1>", {})
    assert told.startswith("was stopped after 0.2 seconds")


def test_limits_count_processor_time():
    """A busy machine gives a cell little of itself."""
    timers = "[signal.getitimer(one)[0] for one in (signal.ITIMER_REAL, signal.ITIMER_PROF)]"
    cell = f"import signal\nraise ValueError({timers})"
    task = json.dumps({"exercises": {}, "cells": [[0, cell]]})
    command = [sys.executable, runner.__file__]
    root = Path(runner.__file__).parents[1]
    places = os.pathsep.join([str(root), str(root / "book")])
    done = subprocess.run(
        command, input=task, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": places}
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    clock, processor = json.loads(told[1]["error"].partition(": ")[2])
    assert clock == 0 < processor


def defined(source):
    namespace = notebook()
    assert runner.run_cell(source, "<cell 1>", namespace) == ""
    return runner.run_cases(SOFT.with_cases(SOFT.cases + hidden_cases(SOFT, SECRET)), namespace)


def test_a_function_is_tried_on_every_case():
    told = json.loads(
        json.dumps(defined("def soft_lookup(q, k, v): return (k @ q).softmax(-1) @ v"))
    )
    assert not told["idle"]
    assert SOFT.with_cases(SOFT.cases + hidden_cases(SOFT, SECRET)).judge(
        outcomes_from_json(told["outcomes"])
    )


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1", {"missing": True}),
        ("soft_lookup = 3", {"uncallable": "int"}),
        ("def soft_lookup(*_): return ['x' * 1000] * 300", {"too_large": True}),
    ],
)
def test_untestable_functions_are_reported(source, told):
    assert defined(source) == told


def test_wrong_line_is_quoted_as_written():
    told = defined("def soft_lookup(*_):\n    return 1 / 0")
    assert told["outcomes"][0]["line"] == "line 2 of soft_lookup: return 1 / 0"
