"""What runs inside the sandbox: cells one by one, magics left out, and a function on every case."""

import json

import pytest
from class_work import SECRET

from transformer_lite import exercises
from transformer_lite.classroom import runner
from transformer_lite.classroom.hidden import hidden_cases
from transformer_lite.exercises._written import outcomes_from_json

SOFT = exercises.attention.soft_lookup


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("x = (5\n% 3)", "x = (5\n% 3)"),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install x\nx = 1", "pass\nx = 1"),
        ("if True:\n    !ls\nx = 1", "if True:\n    pass\nx = 1"),
        ("files = !ls\nx = 1", "pass\nx = 1"),
        ("x = %time 3", "pass"),
        ("x = 1\nprint?", "x = 1\npass"),
        ("?print\nx = 1", "pass\nx = 1"),
        ("%%time\nx = 1", "x = 1"),
        ("%%time\n%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("%%bash\nrm -rf /", ""),
        ("%%html\n<b>", ""),
    ],
)
def test_magics_are_left_out_and_the_rest_stays(source, kept):
    assert runner.without_magics(source) == kept


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("x = 1", ""),
        ("x = 1 / 0", "raised ZeroDivisionError: division by zero"),
        ("raise SystemExit(2)", "raised SystemExit: 2"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt"),
        ("def f(:", "raised SyntaxError: invalid syntax (<cell 1>, line 1)"),
        ("x = '\0'", "raised SyntaxError: source code string cannot contain null bytes"),
    ],
)
def test_a_cell_fails_alone(source, error):
    assert runner.run_cell(source, "<cell 1>", {}) == error


def test_a_cell_that_never_ends_is_stopped(monkeypatch):
    monkeypatch.setattr(runner, "CELL_SECONDS", 0.2)
    assert "was stopped" in runner.run_cell("while True: pass", "<cell 1>", {})


def defined(source):
    namespace = {}
    assert runner.run_cell(source, "<cell 1>", namespace) == ""
    return runner.tried(SOFT.with_cases(SOFT.cases + hidden_cases(SOFT, SECRET)), namespace)


def test_a_function_is_tried_on_every_case():
    told = json.loads(
        json.dumps(defined("def soft_lookup(q, k, v): return (k @ q).softmax(-1) @ v"))
    )
    assert not told["idle"]
    assert SOFT.with_cases(SOFT.cases + hidden_cases(SOFT, SECRET)).judge(
        outcomes_from_json(told["outcomes"])
    )


def test_the_last_function_of_a_name_counts():
    told = defined("def soft_lookup(*_): return 1\ndef soft_lookup(*_): return 2")
    assert told["outcomes"][0]["answer"] == ["int", 2]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1", {"missing": True}),
        ("soft_lookup = 3", {"uncallable": "int"}),
        ("def soft_lookup(*_): return ['x' * 1000] * 300", {"too_large": True}),
    ],
)
def test_what_cannot_be_tried_is_said(source, told):
    assert defined(source) == told


def test_an_empty_function_was_not_attempted():
    assert defined("def soft_lookup(*_): ...")["idle"]


def test_a_wrong_line_is_told_as_the_student_wrote_it():
    told = defined("def soft_lookup(*_):\n    return 1 / 0")
    assert told["outcomes"][0]["line"] == "line 2 of soft_lookup: return 1 / 0"
