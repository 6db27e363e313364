"""Run a student's cells inside the sandbox, and then the functions that they define.

It knows the inputs of all cases and no answer to any. It reads its task as JSON from standard input
and writes a line of JSON for each thing that it does, so that whoever reads them knows how far it
came, whatever happens to it. Nothing that it says is trusted.

It is copied beside the students' package and imports nothing else of this floor.
"""

import ast
import gc
import json
import linecache
import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from lessons.kit import exercises
from lessons.kit.exercises import (
    Exercise,
    Result,
    cases_from_json,
    cpu_time_limits,
    describe_error,
    function_name,
    is_stub,
    outcomes_to_json,
    returned_nothing,
    time_limit,
)

CELL_SECONDS = 20.0
LONGEST_ANSWER = 2_000_000  # characters of JSON

_KEPT_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")

WriteResult = Callable[[dict[str, Any]], None]


def main() -> None:
    """Do the task of standard input."""
    gc.freeze()  # what torch has made stays
    gc.enable()
    for fonts in Path(__file__).parent.glob("fontlist*"):  # found once for all starts
        shutil.copy(fonts, os.environ["MPLCONFIGDIR"])
    write_result = _result_writer()
    task = json.load(sys.stdin)
    known = [
        exercises.get_exercise(name).with_cases(cases_from_json(cases))
        for name, cases in task["exercises"].items()
    ]
    namespace = _namespace()
    with cpu_time_limits():
        for number, source in task["cells"]:
            write_result({"at": ["cell", number]})
            if error := run_cell(source, f"<cell {number}>", namespace):
                write_result({"cell": number, "error": error})
        for exercise in known:
            write_result({"at": ["exercise", exercise.name]})
            write_result({"exercise": exercise.name, **run_cases(exercise, namespace)})
    write_result({"done": True})
    os._exit(0)  # what a student has left for the end does not run


def run_cell(source: str, name: str, namespace: dict[str, Any]) -> str:
    """Run one cell; return the error that it raised, or an empty text."""
    try:
        with time_limit(CELL_SECONDS):
            code = without_magics(source)
            linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
            exec(compile(code, name, "exec"), namespace)
    except BaseException as error:  # SystemExit and KeyboardInterrupt too: the next cell follows
        raised = describe_error(error)
        return raised.replace(f"({name}, line", "(line")  # a number that only we know
    return ""


def without_magics(source: str) -> str:
    """Turn what only a notebook understands into calls of its shell, which does nothing here.

    The notebook's own reader does it, so what it takes for Python stays as it is.
    """
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    else:
        return source
    first, _, rest = source.lstrip().partition("\n")
    if first.startswith("%%"):
        return without_magics(rest) if first.startswith(_KEPT_MAGICS) else ""
    from IPython.core.inputtransformer2 import TransformerManager  # few notebooks need it

    return TransformerManager().transform_cell(source)


def run_cases(exercise: Exercise, namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome of the function of an exercise for every case."""
    asked = function_name(exercise.starter)
    if asked not in namespace:
        return {"missing": True}
    function = namespace[asked]
    if not callable(function):
        return {"uncallable": type(function).__name__}
    torch.manual_seed(0)
    random.seed(0)
    try:
        outcomes = exercise.record(function)
        idle = returned_nothing(outcomes[0]) and is_stub(function)
        written = {"outcomes": outcomes_to_json(outcomes), "idle": idle}
        if len(json.dumps(written)) > LONGEST_ANSWER:
            return {"too_large": True}
    except BaseException as error:
        return {"failed": describe_error(error)}
    return written


def _namespace() -> dict[str, Any]:
    """A module for the cells, with what a notebook has, doing nothing; checks are silent too."""
    for name in ("check", "cause", "hint", "hints"):
        setattr(Exercise, name, lambda *_: Result(False, ""))
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    vars(module).update(get_ipython=_Nothing, display=lambda *_, **__: None)
    return vars(module)


class _Nothing:
    """A dummy for the notebook's shell, whose methods do nothing.

    But `%time` runs what stands behind it, in the cells' own names, and gives its value.
    """

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None

    def run_line_magic(self, name: str, line: str, *_: Any) -> Any:
        """Run the line of `%time`; any other is left out."""
        if name != "time":
            return None
        namespace = sys._getframe(1).f_globals
        try:
            code = compile(line, "<time>", "eval")
        except SyntaxError:
            code = compile(line, "<time>", "exec")
        return eval(code, namespace)


def _result_writer() -> WriteResult:
    """Reserve standard output for results; the output of cells is discarded."""
    ours, nowhere = os.dup(1), os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)

    def write_result(what: dict[str, Any]) -> None:
        line = memoryview(json.dumps(what).encode() + b"\n")
        while line:
            line = line[os.write(ours, line) :]

    return write_result


if __name__ == "__main__":
    main()
