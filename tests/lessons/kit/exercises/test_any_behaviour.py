"""Whatever a function does, `check` answers with a message, in time, and leaves nothing behind."""

import signal
import threading
import time

import pytest
import torch
from sampling import one_of_each_chapter

from lessons.kit import exercises
from lessons.kit.exercises import Exercise, execution, the_cat_sat

EXERCISES = exercises.all_exercises()
some_exercises = pytest.mark.parametrize(
    "exercise", one_of_each_chapter(EXERCISES), ids=lambda e: e.name
)
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


@pytest.mark.parametrize("function", [forever, stubborn])
def test_an_endless_loop_is_stopped_in_any_thread(function, capsys, monkeypatch):
    monkeypatch.setattr(execution, "TIME_LIMIT", 0.1)
    messages = []
    thread = threading.Thread(target=lambda: messages.append(message_of(function)))
    thread.start()
    thread.join(20)
    assert "Your function was stopped after 0.1 seconds." in messages[0]


def test_alarm_and_watchdog_are_cancelled_after_a_block_ends_in_time():
    with execution._alarm(60):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with execution._watchdog(60):
        (watchdog,) = (t for t in threading.enumerate() if isinstance(t, threading.Timer))
    watchdog.join(20)
    assert not watchdog.is_alive()


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


def test_a_forgotten_return_is_explained(capsys):
    def computes(query, key, value):
        attend.right_answers[0](query, key, value)

    message = message_of(computes)
    assert "the_cat_sat.attend: not right yet." in message
    assert "it returned None. A function without a return returns None, and so does" in message


def test_a_leftover_raise_of_the_starter_is_explained(capsys):
    def finished(query, key, value):
        answer = attend.right_answers[0](query, key, value)
        raise NotImplementedError  # the return is missing
        return answer

    message = message_of(finished)
    assert "the_cat_sat.attend: not right yet." in message
    assert "That line is from the starter: write your return instead of raise NotImpl" in message


def test_edits_of_every_kind_are_noticed(capsys):
    right = attend.right_answers[0]
    for edit in ("t_()", "unsqueeze_(0)", "mul_(2)", "zero_()", "resize_(1)", "copy_(query * 2)"):
        code = f"def attend(query, key, value):\n  y = right(query, key, value)\n  query.{edit}\n"
        names = {"right": right}
        exec(code + "  return y", names)
        assert "Your function changed its own input: query." in message_of(names["attend"]), edit


# Where it runs


@pytest.mark.parametrize("settings", [torch.inference_mode, torch.no_grad])
@some_exercises
def test_right_answers_pass_inside_other_modes(exercise, settings, capsys):
    with settings():
        for answer in exercise.right_answers:
            assert exercise.check(answer).message.count("\n") == 0


@some_exercises
def test_right_answers_pass_in_another_default_dtype(exercise, capsys):
    torch.set_default_dtype(torch.float64)
    try:
        for answer in exercise.right_answers:
            assert exercise.check(answer).message.count("\n") == 0
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


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
