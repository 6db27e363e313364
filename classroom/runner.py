"""Run a student's cells inside the sandbox, and then the functions that they define.

The runner knows the inputs of all cases but no answers. It reads its task as JSON from standard
input and writes a line of JSON for each step, so that the grader knows how far it got, whatever
happens. Its output is never trusted.

It is copied next to the students' package and imports nothing else from the classroom.
"""

import ast
import asyncio
import builtins
import functools
import gc
import inspect
import json
import linecache
import locale
import os
import random
import re
import shutil
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
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
from lessons.kit.exercises.pristine import default_settings

CELL_SECONDS = 20.0
LONGEST_ANSWER = 2_000_000  # characters of JSON

_KEPT_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")

WriteResult = Callable[[dict[str, Any]], None]
#: Packages that only a service has; imports from them are replaced with dummies.
_SERVICE = re.compile(r"(google\.colab|kaggle_(secrets|datasets)|piplite|micropip|pyodide)(\.|$)")
_BUILTINS, _DEEPEST = dict(vars(builtins)), sys.getrecursionlimit()
#: Global settings that cells may leave changed, each as its setter and its initial value.
_SETTINGS: tuple[tuple[Callable[[Any], object], Any], ...] = (
    (lambda _: leave_modes(), None),
    (torch.set_default_dtype, torch.get_default_dtype()),
    (lambda enabled: torch.set_autocast_enabled("cpu", enabled), False),
    (torch.autograd.set_detect_anomaly, False),
    (torch.use_deterministic_algorithms, False),
    (torch.set_float32_matmul_precision, torch.get_float32_matmul_precision()),
    (torch.set_flush_denormal, False),
    (torch.set_num_threads, torch.get_num_threads()),
    (lambda profile: torch.set_printoptions(profile=profile), "default"),
    (torch.manual_seed, 0),
    (random.seed, 0),
    (np.random.seed, 0),
    (lambda kinds: np.seterr(**kinds), np.geterr()),
    (lambda name: locale.setlocale(locale.LC_ALL, name), locale.setlocale(locale.LC_ALL)),
    (os.chdir, os.getcwd()),
    (lambda streams: vars(sys).update(streams), {n: getattr(sys, n) for n in ("stdout", "stderr")}),
)


def main() -> None:
    """Run the task from standard input."""
    gc.freeze()  # torch's own objects are permanent
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
    os.environ["TORCHDYNAMO_DISABLE"] = "1"  # torch.compile would take minutes, and changes nothing
    socket.socketpair = _pipe  # type: ignore[assignment]
    with cpu_time_limits():
        for number, source in task["cells"]:
            write_result({"at": ["cell", number]})
            if error := run_cell(source, f"<cell {number}>", namespace):
                write_result({"cell": number, "error": error})
        for exercise in known:
            write_result({"at": ["exercise", exercise.name]})
            write_result({"exercise": exercise.name, **run_cases(exercise, namespace)})
    write_result({"done": True})
    os._exit(0)  # a student's exit handlers must not run


def run_cell(source: str, name: str, namespace: dict[str, Any]) -> str:
    """Run a cell; return the error that it raised, or an empty text."""
    try:
        with time_limit(CELL_SECONDS):
            text = without_magics(source)
            linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
            tree = ast.parse(text, name)
            tree.body = [new for node in tree.body for new in without_services(node)]
            code = compile(tree, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            result = eval(code, namespace)
            if code.co_flags & inspect.CO_COROUTINE:
                _event_loop().run_until_complete(result)
    except BaseException as error:  # even SystemExit and KeyboardInterrupt: run the next cell
        restore_python()
        raised = describe_error(error)
        return raised.replace(f"({name}, line", "(line")  # a number that only we know
    finally:
        restore_python()
        leave_modes()  # no other device is here, and the next cell makes tensors
    return ""


def restore_settings() -> None:
    """Undo settings that cells may have changed permanently, before an answer is tried."""
    for set_value, value in _SETTINGS:
        with suppress(Exception):  # such as for a working folder that a cell has removed
            set_value(value)


def restore_python() -> None:
    """Undo changes to Python that would break this runner."""
    sys.setrecursionlimit(_DEEPEST)
    vars(builtins).update(_BUILTINS)
    sys.settrace(None)
    sys.setprofile(None)


def leave_modes() -> None:
    """Leave the torch modes that a cell has entered, and reset its default device."""
    torch.set_default_device(None)
    while torch._C._len_torch_function_stack():
        torch._C._pop_torch_function_stack()
    while torch._C._len_torch_dispatch_stack():
        torch._C._pop_torch_dispatch_stack(None)


def without_magics(source: str) -> str:
    """Turn notebook syntax into calls of the notebook's shell, which do nothing here.

    IPython's own transformer does this, so plain Python is not changed.
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
    from IPython.core.inputtransformer2 import TransformerManager  # slow, and few notebooks need it

    return TransformerManager().transform_cell(source)


def without_services(node: ast.stmt) -> list[ast.stmt]:
    """Replace imports of packages that only a service has with dummies.

    Only top-level statements are replaced, because `try: import google.colab` tests for Colab.
    """
    aliases = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
    module = node.module if isinstance(node, ast.ImportFrom) else None
    found = [alias for alias in aliases if _SERVICE.match(module or alias.name)]
    if not found:
        return [node]
    names = (alias.asname or alias.name.partition(".")[0] for alias in found)
    assignments = ast.parse(
        "".join(f"{name} = get_ipython()\n" for name in names if name != "*")
    ).body
    rest = [alias for alias in aliases if alias not in found]
    assignments = [*([ast.Import(rest)] if rest else []), *assignments]
    return [ast.fix_missing_locations(ast.copy_location(new, node)) for new in assignments]


def run_cases(exercise: Exercise, namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the outcomes of an exercise's function for all cases."""
    asked = function_name(exercise.starter)
    if asked not in namespace:
        return {"missing": True}
    function = namespace[asked]
    if not callable(function):
        return {"uncallable": type(function).__name__}
    restore_settings()
    try:
        with default_settings():
            outcomes = exercise.record(function)
        idle = returned_nothing(outcomes[0]) and is_stub(function)
        written = {"outcomes": outcomes_to_json(outcomes), "idle": idle}
        if len(json.dumps(written)) > LONGEST_ANSWER:
            return {"too_large": True}
    except BaseException as error:
        return {"failed": describe_error(error)}
    return written


def _namespace() -> dict[str, Any]:
    """Return a namespace for the cells, with a notebook's dummy functions and silent checks."""
    for name in ("check", "cause", "hint", "hints"):
        setattr(Exercise, name, lambda *_: Result(False, ""))
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    vars(module).update(get_ipython=_Nothing, display=lambda *_, **__: None)
    return vars(module)


class _Nothing:
    """A dummy for the notebook's shell and for a service's package, which does nothing.

    Only `%time` runs its line in the cells' namespace and returns the value.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing()

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self

    def __iter__(self) -> Any:
        return iter(())

    def __await__(self) -> Any:
        return iter(())

    def run_line_magic(self, name: str, line: str, *_: Any) -> Any:
        """Run the line of `%time`; ignore other magics."""
        if name != "time":
            return None
        namespace = sys._getframe(1).f_globals
        try:
            code = compile(line, "<time>", "eval")
        except SyntaxError:
            code = compile(line, "<time>", "exec")
        return eval(code, namespace)


@functools.cache
def _event_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop that all cells share, so one cell can await another cell's tasks."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop


class _PipeEnd:
    """An end of a pipe, with the parts of a socket that an event loop needs."""

    def __init__(self, descriptor: int):
        self.fileno = lambda: descriptor
        self.setblocking = lambda flag: os.set_blocking(descriptor, flag)
        self.recv = lambda size: os.read(descriptor, size)
        self.send = lambda data: os.write(descriptor, data)
        self.close = lambda: os.close(descriptor)


def _pipe() -> tuple[_PipeEnd, _PipeEnd]:
    """Return a pipe instead of the two sockets of an event loop, which the sandbox forbids."""
    reading, writing = os.pipe()
    return _PipeEnd(reading), _PipeEnd(writing)


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
