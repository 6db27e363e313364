"""Whatever a function does, `check` answers with a message, in time, and leaves nothing behind."""

import signal
import sys
import threading
import time

import pytest
import torch

from lessons.kit import exercises
from lessons.kit.exercises import Exercise, execution, sinusoidal_positions, the_cat_sat

EXERCISES = exercises.all_exercises()
attend = the_cat_sat.attend


@pytest.fixture(autouse=True, scope="module")
def _known_before_the_clock_is_short():
    """Compute the references once, since a test may set a shorter time limit."""
    attend.check(attend.mistakes[0].function)


def message_of(function, exercise=attend):
    """Return the message of a check, on one line."""
    result = exercise.check(function)
    assert not result.passed
    assert max(map(len, result.message.splitlines())) <= 100 and len(result.message) < 2000
    return " ".join(result.message.split())


def raising(error):
    """Return a function that raises this."""

    def attend(query, key, value):
        raise error

    return attend


# What it raises


@pytest.mark.parametrize(
    "error", [SystemExit(3), GeneratorExit(), RecursionError("deep")], ids=repr
)
def test_system_exit_does_not_end_the_notebook(error, capsys):
    assert f"Your function raised {type(error).__name__}" in message_of(raising(error))


def test_keyboard_interrupt_is_raised(capsys):
    handler = signal.getsignal(signal.SIGALRM)
    with pytest.raises(KeyboardInterrupt):
        attend.check(raising(KeyboardInterrupt()))
    assert signal.getsignal(signal.SIGALRM) is handler


class UnsayableError(Exception):
    def __str__(self):
        raise SystemExit


class EndlessError(Exception):
    def __str__(self):
        while True:
            pass


@pytest.mark.parametrize("error", [UnsayableError, EndlessError])
def test_an_exception_that_cannot_be_printed_is_named(error, capsys, monkeypatch):
    monkeypatch.setattr(execution, "TIME_LIMIT", 1.0)
    one = attend.with_cases(attend.cases[:1])
    one.check(attend.mistakes[0].function)
    assert f"Your function raised {error.__name__} at line 2" in message_of(raising(error()), one)


# How long it takes


def forever(query, key, value):
    while True:
        pass


def stubborn(query, key, value):
    while True:
        try:  # noqa: SIM105
            time.sleep(0.001)
        except Exception:  # what many write to be safe
            pass


def swallows_once(query, key, value):
    try:
        forever(query, key, value)
    except:  # noqa: E722 # the worst that a learner may write
        forever(query, key, value)


@pytest.mark.parametrize("function", [forever, stubborn, swallows_once])
def test_an_endless_loop_is_stopped(function, capsys, monkeypatch):
    monkeypatch.setattr(execution, "TIME_LIMIT", 0.1)
    message = message_of(function)
    assert "Your function was stopped after 0.1 seconds." in message
    assert "Is there a loop in it that never ends? at line " in message
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("calls", [30, pytest.param(300, marks=pytest.mark.nightly)])
def test_timer_is_stopped_afterwards(calls, monkeypatch):
    """It rings thousands of times a second, so also on the way out of the call."""
    monkeypatch.setattr(execution, "TIME_LIMIT", 0.001)
    monkeypatch.setattr(execution, "max", lambda *_: 1e-5, raising=False)
    for _ in range(calls):
        _, error = execution.safe_call(forever, None, None, None)
        assert isinstance(error, execution.OutOfTime)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_late_signal_of_a_previous_call_is_ignored(monkeypatch):
    """It may come late, on a busy machine, and meet the clock of the next call."""
    install = signal.signal

    def install_and_ring(number, handler):
        before = install(number, handler)
        if callable(handler):
            handler(number, sys._getframe())
        return before

    monkeypatch.setattr(signal, "signal", install_and_ring)
    assert execution.safe_call(lambda: 3) == (3, None)


@pytest.mark.parametrize("function", [forever, stubborn])
def test_an_endless_loop_is_stopped_in_any_thread(function, capsys, monkeypatch):
    monkeypatch.setattr(execution, "TIME_LIMIT", 0.1)
    messages = []
    thread = threading.Thread(target=lambda: messages.append(message_of(function)))
    thread.start()
    thread.join(20)
    assert "Your function was stopped after 0.1 seconds." in messages[0]


def test_an_endless_loop_is_stopped_where_there_are_no_signals(capsys, monkeypatch):
    monkeypatch.setattr(execution, "TIME_LIMIT", 0.1)
    monkeypatch.delattr(signal, "setitimer")
    assert "was stopped after 0.1 seconds" in message_of(forever)


def test_no_timer_remains_after_a_call_in_time():
    with execution._alarm(60):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with execution._watchdog(60):
        (watchdog,) = (t for t in threading.enumerate() if isinstance(t, threading.Timer))
    watchdog.join(20)
    assert not watchdog.is_alive()


def test_an_alarm_of_the_reader_goes_on(capsys):
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        assert attend.check(attend.right_answers[0]).passed
        end = time.monotonic() + 10
        while not rung and time.monotonic() < end:
            time.sleep(0.01)
        assert rung == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "huge",
    [
        lambda: torch.zeros(5_000_000),
        lambda: torch.zeros(5_000_000).tolist(),
        lambda: [[0.0] * 1000] * 5000,
        lambda: dict.fromkeys(range(1000000)),
    ],
    ids=["tensor", "list", "nested list", "dict"],
)
def test_a_huge_result_is_answered_at_once_and_briefly(huge, capsys):
    result = huge()
    start = time.process_time()
    message = message_of(lambda *_: result)
    assert time.process_time() - start < 3
    assert "Shape: it should be (3, 4), but yours is (5000000,)." in message or "Type:" in message


# What it returns


@pytest.mark.parametrize(
    ("convert", "words"),
    [
        (lambda y: y.to_sparse(), "it returned sparse tensor. Return a dense one, by to_dense()."),
        (lambda y: y.to_sparse_csr(), "it returned sparse tensor. Return a dense one"),
        (lambda y: y.to("meta"), "it returned tensor without numbers, on the device meta."),
        (
            lambda y: torch.nested.nested_tensor([y, y]),
            "it returned nested tensor. Return a dense one, by torch.stack or torch.cat.",
        ),
        (
            lambda y: torch.quantize_per_tensor(y.float(), 0.1, 0, torch.qint8),
            "it returned quantized tensor. dequantize() makes floats of it again.",
        ),
        (lambda y: list(y), "it returned list. torch.stack makes one tensor of a list of tensors"),
        (lambda y: y.numpy(), "it returned numpy.ndarray. torch.from_numpy makes a tensor of it."),
    ],
)
@pytest.mark.filterwarnings("ignore")  # torch calls sparse and nested tensors a prototype
def test_other_kinds_of_tensors_are_named_with_what_to_do(convert, words, capsys):
    right = attend.right_answers[0]
    message = message_of(lambda *inputs: convert(right(*inputs)))
    assert f"Type: it should return a torch.Tensor, but {words}" in message
    assert "raised" not in message and "Likely cause" not in message


def test_a_parameter_passes_for_the_tensor_that_it_is(capsys):
    right = attend.right_answers[0]
    assert attend.check(lambda *inputs: torch.nn.Parameter(right(*inputs))).passed
    wrong = attend.check(lambda *inputs: torch.nn.Parameter(2 * right(*inputs)))
    assert not wrong.passed and "Type" not in wrong.message


def test_forgotten_return_is_not_a_blank_answer(capsys):
    def computes(query, key, value):
        attend.right_answers[0](query, key, value)

    message = message_of(computes)
    assert "the_cat_sat.attend: not right yet." in message
    assert "it returned None. Without a return a function gives None, and so does" in message


def test_what_the_starter_raises_may_be_left_below_the_answer(capsys):
    def finished(query, key, value):
        answer = attend.right_answers[0](query, key, value)
        raise NotImplementedError  # the return is missing
        return answer

    message = message_of(finished)
    assert "the_cat_sat.attend: not right yet." in message
    assert "That line is the starter's: put your return in place of raise NotImpl" in message


def test_a_comment_raises_nothing(capsys):
    def attend(query, key, value):
        return query @ key  # raise NotImplementedError

    message = message_of(attend)
    assert "raised RuntimeError" in message and "starter" not in message
    assert "not attempted" not in message


def test_body_with_only_a_docstring_is_not_attempted(capsys):
    def attend(query, key, value):
        """Only this."""

    assert "not attempted yet" in message_of(attend)


class Model(torch.nn.Module):
    def forward(self, query, key, value):
        return None


def test_an_object_that_can_be_called(capsys):
    assert "Without a return a function gives None" in message_of(Model())
    assert attend.check(type("Right", (), {"__call__": staticmethod(attend.right_answers[0])})())


def test_edits_of_every_kind_are_noticed(capsys):
    right = attend.right_answers[0]
    for edit in ("t_()", "unsqueeze_(0)", "mul_(2)", "zero_()", "resize_(1)", "copy_(query * 2)"):
        code = f"def attend(query, key, value):\n  y = right(query, key, value)\n  query.{edit}\n"
        names = {"right": right}
        exec(code + "  return y", names)
        assert "Your function changed its own input: query." in message_of(names["attend"]), edit


# Where it runs


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
@pytest.mark.parametrize(
    "settings", [torch.inference_mode, torch.no_grad], ids=["inference", "no_grad"]
)
def test_right_answers_pass_inside_other_modes(exercise, settings, capsys):
    fresh = exercise.right_answers
    with settings():
        for answer in fresh:
            assert exercise.check(answer).message.count("\n") == 0


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_right_answers_pass_in_another_default_dtype(exercise, capsys):
    torch.set_default_dtype(torch.float64)
    try:
        for answer in exercise.right_answers:
            assert exercise.check(answer).message.count("\n") == 0
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_a_chapter_that_is_loaded_inside_inference_mode_works():
    import subprocess

    code = (
        "import torch\nfrom lessons.kit import exercises\n"
        "with torch.inference_mode():\n  e = exercises.scaling.tempered\n"
        "assert e.check(e.right_answers[0]).passed"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_the_way_matters_where_the_statement_says_so(capsys):
    def by_autograd(weights, gradient):
        x = torch.zeros(len(weights) + 1, len(gradient), dtype=gradient.dtype).requires_grad_()
        states = [x[0]]
        for i, weight in enumerate(weights):
            states.append(states[-1] + states[-1] @ weight + x[i + 1])
        return torch.autograd.grad(states[-1], x, gradient)[0]

    exercise = exercises.residual_connections.walk_back
    assert "The task is to do without autograd" in message_of(by_autograd, exercise)

    def by_jacobians(weights, upstream):
        return torch.stack(
            [(a.diag() - a.outer(a)) @ g for a, g in zip(weights, upstream, strict=True)]
        )

    message = message_of(by_jacobians, exercises.scaling.softmax_backward)
    assert "A table of (S, S) numbers arises on the way." in message


def test_numbers_of_numpy_and_of_tensors_pass_for_numbers(capsys):
    import numpy as np

    from lessons.kit.exercises import Case

    for expected, answers in {
        3: (np.int64(3), torch.tensor(3)),
        0.5: (np.float32(0.5), np.float64(0.5), torch.tensor(0.5)),
        True: (np.bool_(True), torch.tensor(True)),
    }.items():
        exercise = Exercise(
            "sample.number", lambda expected=expected: expected, (Case("", {}),), (), (), ("",), ""
        )
        for answer in answers:
            assert exercise.check(lambda answer=answer: answer).passed
            assert not exercise.check(lambda answer=answer: [answer]).passed
        row = torch.tensor([expected])
        assert not exercise.check(lambda row=row: row).passed


def test_encode_by_its_own_hint_in_another_dtype(capsys):
    def encode(positions, d_model):
        angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)

    torch.set_default_dtype(torch.float64)
    try:
        assert sinusoidal_positions.encode.check(encode).passed
    finally:
        torch.set_default_dtype(torch.float32)
