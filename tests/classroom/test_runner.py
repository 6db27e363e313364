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
from lessons.kit.exercises import cases_to_json, outcomes_from_json

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


def run_notebook(*cells, names=()):
    """Run the runner as the sandbox does; return what it says of the cells and exercises."""
    known = {n: cases_to_json(exercises.get_exercise(n).cases) for n in names}
    task = json.dumps({"exercises": known, "cells": list(enumerate(cells))})
    root = Path(runner.__file__).parents[1]
    places = os.pathsep.join([str(root), str(root / "book")])
    done = subprocess.run(
        [sys.executable, "-c", f"{NO_SOCKETS}\nfrom classroom import runner\nrunner.main()"],
        input=task,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": places},
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told[-1:] == [{"done": True}], done.stderr
    return [one for one in told[:-1] if "at" not in one]


#: As in the sandbox.
NO_SOCKETS = """
import socket
def refused(*_, **__):
    raise PermissionError(1, "Operation not permitted")
socket.socketpair = refused
"""
RIGHT = "def soft_lookup(q, k, v):\n    print(1)\n    return (k @ q).softmax(-1) @ v"
MODE = """
class Mode({0}):
    def __torch_{1}__(self, *_):
        raise ValueError
Mode().__enter__()"""
#: What cells change for good; each line by itself stopped or changed a right answer.
LEFT_CHANGED = (
    "torch.set_default_device('cuda')",
    "torch.set_default_device('meta')",
    "torch.device('cuda').__enter__()",
    "torch.autocast('cpu', torch.bfloat16).__enter__()",
    "torch.set_default_dtype(torch.float16)",
    "torch.inference_mode().__enter__()",
    "torch.set_grad_enabled(False)",
    "torch.use_deterministic_algorithms(True)",
    "torch.manual_seed = None",
    "from torch.overrides import TorchFunctionMode" + MODE.format("TorchFunctionMode", "function"),
    "from torch.utils._python_dispatch import TorchDispatchMode"
    + MODE.format("TorchDispatchMode", "dispatch"),
    "import builtins\nbuiltins.print = builtins.sorted = None",
    "import sys\nsys.stdout = sys.stderr = 3",
    "import sys\nsys.setrecursionlimit(200)",
    "import random, numpy\nrandom.seed = numpy.random.seed = None\nnumpy.seterr(all='raise')",
    "import os\nos.chdir('/')",
    "import warnings\nwarnings.simplefilter('error')",
)


def test_settings_changed_by_cells_do_not_break_answers():
    told = run_notebook("import torch", *LEFT_CHANGED, RIGHT, names=[SOFT.name])
    assert [one for one in told if "cell" in one] == []
    assert SOFT.judge(outcomes_from_json(told[0]["outcomes"])).passed


@pytest.mark.parametrize("setting", LEFT_CHANGED)
@pytest.mark.nightly
def test_each_changed_setting_alone_does_not_break_an_answer(setting):
    told = run_notebook("import torch", setting, RIGHT, names=[SOFT.name])
    assert SOFT.judge(outcomes_from_json(told[-1]["outcomes"])).passed


def test_notebooks_of_services_and_of_jupyter_run():
    """Calls that exist only in Colab, Kaggle or JupyterLite do nothing; a cell may await."""
    services = (
        "from google.colab import drive, files, userdata\nimport google.colab.data_table\n"
        "import math\ndrive.mount('/content')\nfor name in files.upload().keys(): 1 / 0\n"
        "userdata.get('TOKEN')\nget_ipython().kernel.do_one_iteration()",
        "from kaggle_secrets import UserSecretsClient\nUserSecretsClient().get_secret('x')",
        "import os, piplite\nawait piplite.install(os.sep)\nfrom google.colab import *",
        "try:\n    import google.colab\nexcept ImportError:\n    pass\nelse:\n    1 / 0",
        "%load_ext autoreload\n%matplotlib widget\n%pip install x\n!pip install x",
    )
    awaits = (
        "import asyncio\nasync def numbers():\n    yield 1\nasync for x in numbers():\n    y = x\n"
        "z = [x async for x in numbers()]\nw = await asyncio.to_thread(lambda: 4)\n"
        "async with asyncio.Lock():\n    task = asyncio.create_task(asyncio.sleep(0.001, 5))",
        "assert (y, z, w, await task) == (1, [1], 4, 5)",
    )
    answer = RIGHT.replace("print(1)", "math.pi")
    told = run_notebook(*services, *awaits, f"import torch\n{answer}", names=[SOFT.name])
    assert [one for one in told if "cell" in one] == []
    assert SOFT.judge(outcomes_from_json(told[0]["outcomes"])).passed
    missing = run_notebook("import google.colaboratory", "from kaggle_secret import x", "await x")
    assert [one["error"].partition(":")[0] for one in missing] == [
        "raised ModuleNotFoundError",
        "raised ModuleNotFoundError",
        "raised NameError",
    ]


# A class with a compiled answer is graded in test_grading.py.
COMPILED = pytest.param("torch.compile(fullgraph=True)", marks=pytest.mark.nightly)


@pytest.mark.parametrize("decorator", [COMPILED, "torch.jit.script"])
def test_decorated_answers_are_tried(decorator):
    typed = RIGHT.replace("q, k, v", "q: torch.Tensor, k: torch.Tensor, v: torch.Tensor")
    cell = f"import torch\n@{decorator}\n{typed}"
    told = run_notebook(cell, names=[SOFT.name])
    assert SOFT.judge(outcomes_from_json(told[-1]["outcomes"])).passed


def test_limits_count_processor_time():
    """A busy machine gives a cell little of itself."""
    timers = "[signal.getitimer(one)[0] for one in (signal.ITIMER_REAL, signal.ITIMER_PROF)]"
    cell = f"import signal\nraise ValueError({timers})"
    told = run_notebook(cell)
    clock, processor = json.loads(told[0]["error"].partition(": ")[2])
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
