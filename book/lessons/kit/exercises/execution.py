"""Call a function that may raise anything or never return."""

import contextlib
import ctypes
import dis
import inspect
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from lessons.kit.exercises.formatting import shorten
from lessons.kit.exercises.pristine import default_settings

#: The seconds that one call may take: far more than a right answer needs on a busy machine.
TIME_LIMIT = 10.0


class OutOfTime(BaseException):
    """The exception raised in a call that takes too long. `except Exception` does not catch it."""

    seconds = TIME_LIMIT  #: the limit of the call


class _Clock(NamedTuple):
    """A timer of the system, and the signal that it sends when the time is over."""

    timer: str
    signal: str


_WALL, _PROCESSOR = _Clock("ITIMER_REAL", "SIGALRM"), _Clock("ITIMER_PROF", "SIGPROF")
_clock = _WALL


@contextmanager
def cpu_time_limits() -> Iterator[None]:
    """Let time limits count CPU time instead of wall time, where the system can.

    So a busy machine makes no call fail. A call that only sleeps is not interrupted.
    """
    global _clock
    before, _clock = _clock, _PROCESSOR
    try:
        yield
    finally:
        _clock = before


def safe_call(function: Callable[..., Any], *arguments: Any) -> tuple[Any, BaseException | None]:
    """Call `function` and return its value and its exception; one of them is None.

    Every exception is caught except KeyboardInterrupt, which means that somebody has pressed stop.
    Warnings are silenced: they are about sizes that the check has chosen, such as the standard
    deviation of one number.
    """
    try:
        with default_settings(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with time_limit(TIME_LIMIT):
                return function(*arguments), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return None, error


def describe_error(error: BaseException) -> str:
    """Return the type of an exception and the first line of its message."""
    if isinstance(error, OutOfTime):
        return (
            f"was stopped after {error.seconds:g} seconds. Is there a loop in it that never ends?"
        )
    text, _ = safe_call(str, error)  # the exception may be a learner's own
    line = (text or "").strip().partition("\n")[0]
    return shorten(f"raised {type(error).__name__}{': ' * bool(line)}{line}", 300)


#: The instructions that `...`, `pass`, `return None` and `raise NotImplementedError` compile to.
_IDLE = {
    *("RESUME", "NOP", "POP_TOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "EXTENDED_ARG"),
    *("LOAD_GLOBAL", "LOAD_COMMON_CONSTANT", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"),
}


def is_stub(function: object) -> bool:
    """Return whether the body of a function is still empty, as in a starter."""
    code = getattr(function, "__code__", None)
    return (
        inspect.iscode(code)
        and set(code.co_names) <= {"NotImplementedError"}
        and all(step.opname in _IDLE for step in dis.get_instructions(code))
    )


#: The files whose code enters and leaves a time limit.
_GUARD_FILES = {__file__, contextlib.__file__}


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in a block that takes longer, in the main thread or in any other."""
    in_main = threading.current_thread() is threading.main_thread()
    guard = _alarm if in_main and hasattr(signal, "setitimer") else _watchdog
    try:
        with guard(seconds):
            yield
    except OutOfTime as error:
        error.seconds = seconds
        raise


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Let the system send a signal, which also interrupts a call that sleeps.

    An exception raised in this function itself would leave the timer running. So the handler
    ignores a signal that arrives here, and waits for the next one.
    """
    running = fired = False

    def on_signal(_: int, frame: FrameType | None) -> None:
        nonlocal fired
        fired = True
        if running and frame and frame.f_code.co_filename not in _GUARD_FILES:
            raise OutOfTime

    timer, number = getattr(signal, _clock.timer), getattr(signal, _clock.signal)
    handler = signal.signal(number, on_signal) or signal.SIG_DFL
    # The timer repeats, in case a bare except swallows the first signal.
    left, interval = signal.setitimer(timer, seconds, max(seconds / 10, 0.01))
    running = True  # only now: an earlier signal is a late one of the previous call
    try:
        yield
    finally:
        running = False
        signal.setitimer(timer, left, interval)
        # A last signal may still arrive through another thread: by default it would end Python.
        if not fired or handler is not signal.SIG_DFL:
            signal.signal(number, handler)


@contextmanager
def _watchdog(seconds: float) -> Iterator[None]:
    """Let a timer thread raise the exception here: signals reach only the main thread."""
    here, lock, running = threading.get_ident(), threading.Lock(), True

    def on_timeout() -> None:
        with lock:
            if running:
                _raise_in(here, OutOfTime)

    timer = threading.Timer(seconds, on_timeout)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            running = False
        timer.cancel()
        _raise_in(here, None)  # cancel an exception that has not arrived yet


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    raised = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
