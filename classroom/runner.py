"""Run a student's cells inside the sandbox, and then the functions that they define.

It knows the inputs of all cases and no answer to any. It reads its task as JSON from standard input
and writes a line of JSON for each thing that it does, so that whoever reads them knows how far it
came, whatever happens to it. Nothing that it says is trusted.

It is copied beside the students' package and imports nothing else of this floor.
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
#: Packages that only a service has: what a cell imports from them does nothing.
_SERVICE = re.compile(r"(google\.colab|kaggle_(secrets|datasets)|piplite|micropip|pyodide)(\.|$)")
_BUILTINS, _DEEPEST = dict(vars(builtins)), sys.getrecursionlimit()
#: Global settings that cells may leave changed, each with its setter and what it is at first.
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
    os._exit(0)  # what a student has left for the end does not run


def run_cell(source: str, name: str, namespace: dict[str, Any]) -> str:
    """Run one cell; return the error that it raised, or an empty text."""
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
    except BaseException as error:  # SystemExit and KeyboardInterrupt too: the next cell follows
        restore_python()
        raised = describe_error(error)
        return raised.replace(f"({name}, line", "(line")  # a number that only we know
    finally:
        restore_python()
        leave_modes()  # no other device is here, and the next cell makes tensors
    return ""


def restore_settings() -> None:
    """Undo what cells may have set for good, before an answer is tried."""
    for set_value, value in _SETTINGS:
        with suppress(Exception):  # such as a working folder that a cell has removed
            set_value(value)


def restore_python() -> None:
    """Undo what would stop this file itself."""
    sys.setrecursionlimit(_DEEPEST)
    vars(builtins).update(_BUILTINS)
    sys.settrace(None)
    sys.setprofile(None)


def leave_modes() -> None:
    """Leave the modes of torch that a cell has entered for good, and its default device."""
    torch.set_default_device(None)
    while torch._C._len_torch_function_stack():
        torch._C._pop_torch_function_stack()
    while torch._C._len_torch_dispatch_stack():
        torch._C._pop_torch_dispatch_stack(None)


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


def without_services(node: ast.stmt) -> list[ast.stmt]:
    """Turn the import of what only a service has into names of dummies.

    Only a statement of the cell itself: `try: import google.colab` asks whether this is Colab.
    """
    aliases = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
    module = node.module if isinstance(node, ast.ImportFrom) else None
    found = [alias for alias in aliases if _SERVICE.match(module or alias.name)]
    if not found:
        return [node]
    names = (one.asname or one.name.partition(".")[0] for one in found)
    made = ast.parse("".join(f"{name} = get_ipython()\n" for name in names if name != "*")).body
    rest = [alias for alias in aliases if alias not in found]
    made = [*([ast.Import(rest)] if rest else []), *made]
    return [ast.fix_missing_locations(ast.copy_location(new, node)) for new in made]


def run_cases(exercise: Exercise, namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome of the function of an exercise for every case."""
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
    """A module for the cells, with what a notebook has, doing nothing; checks are silent too."""
    for name in ("check", "cause", "hint", "hints"):
        setattr(Exercise, name, lambda *_: Result(False, ""))
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    vars(module).update(get_ipython=_Nothing, display=lambda *_, **__: None)
    return vars(module)


class _Nothing:
    """A dummy for the notebook's shell and for a service's package: all of it does nothing.

    But `%time` runs what stands behind it, in the cells' own names, and gives its value.
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
        """Run the line of `%time`; any other is left out."""
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
    """One loop for all cells, as in a notebook: what one begins, another may await."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop


class _PipeEnd:
    """An end of a pipe, as far as an event loop needs it for a socket."""

    def __init__(self, descriptor: int):
        self.fileno = lambda: descriptor
        self.setblocking = lambda flag: os.set_blocking(descriptor, flag)
        self.recv = lambda size: os.read(descriptor, size)
        self.send = lambda data: os.write(descriptor, data)
        self.close = lambda: os.close(descriptor)


def _pipe() -> tuple[_PipeEnd, _PipeEnd]:
    """Return a pipe: an event loop wakes itself through two sockets, which the sandbox forbids."""
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
