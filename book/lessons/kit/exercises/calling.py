"""Call a function that may do anything: raise whatever there is, or never come back."""

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

from lessons.kit.exercises.as_found import usual_settings
from lessons.kit.exercises.shown import shorten

#: How many seconds one call may take: far more than a right answer needs on a busy machine.
LIMIT = 10.0


class OutOfTime(BaseException):
    """Raised inside a call that takes too long. `except Exception` does not catch it."""

    seconds = LIMIT  #: how many it had


class _Clock(NamedTuple):
    """What counts the seconds, and what it sends when they are over."""

    timer: str
    signal: str


_WALL, _PROCESSOR = _Clock("ITIMER_REAL", "SIGALRM"), _Clock("ITIMER_PROF", "SIGPROF")
_clock = _WALL


@contextmanager
def processor_time() -> Iterator[None]:
    """Let limits count the seconds of a processor, where the system can: nobody sits and waits.

    So a machine that is busy with other things takes nothing away. What sleeps goes on sleeping.
    """
    global _clock
    before, _clock = _clock, _PROCESSOR
    try:
        yield
    finally:
        _clock = before


def attempt(function: Callable[..., Any], *arguments: Any) -> tuple[Any, BaseException | None]:
    """Return what a call returned and what it raised, one of them None.

    Whatever it raises is caught, but for KeyboardInterrupt: then somebody has pressed stop.
    Warnings stay silent: they are about sizes that the check has chosen, such as a deviation of
    one number.
    """
    try:
        with usual_settings(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with time_limit(LIMIT):
                return function(*arguments), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return None, error


def describe(error: BaseException) -> str:
    """Say what a call raised: the type of the exception and the first line of its message."""
    if isinstance(error, OutOfTime):
        return (
            f"was stopped after {error.seconds:g} seconds. Is there a loop in it that never ends?"
        )
    text, _ = attempt(str, error)  # the exception may be a learner's own
    line = (text or "").strip().partition("\n")[0]
    return shorten(f"raised {type(error).__name__}{': ' * bool(line)}{line}", 300)


#: What the bytecode of `...`, `pass`, `return None` and `raise NotImplementedError` is made of.
_IDLE = {
    *("RESUME", "NOP", "POP_TOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "EXTENDED_ARG"),
    *("LOAD_GLOBAL", "LOAD_COMMON_CONSTANT", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"),
}


def does_nothing(function: object) -> bool:
    """Return whether nobody has written anything into the body of a function yet."""
    code = getattr(function, "__code__", None)
    return (
        inspect.iscode(code)
        and set(code.co_names) <= {"NotImplementedError"}
        and all(step.opname in _IDLE for step in dis.get_instructions(code))
    )


#: The files whose code leads into a call and out of it.
_WAY_OUT = {__file__, contextlib.__file__}


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in what takes longer, in a notebook's main thread as in any other."""
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
    """Let the system send a signal, which wakes even what sleeps.

    What is raised here, on the way out, would leave the clock ringing: it waits for the next time.
    """
    running = rung = False

    def ring(_: int, frame: FrameType | None) -> None:
        nonlocal rung
        rung = True
        if running and frame and frame.f_code.co_filename not in _WAY_OUT:
            raise OutOfTime

    timer, rings = getattr(signal, _clock.timer), getattr(signal, _clock.signal)
    handler = signal.signal(rings, ring) or signal.SIG_DFL
    # It rings again, in case that a bare except swallows the first one.
    left, interval = signal.setitimer(timer, seconds, max(seconds / 10, 0.01))
    running = True  # only now: what rings before is a last alarm of the call before
    try:
        yield
    finally:
        running = False
        signal.setitimer(timer, left, interval)
        # A last alarm may still be under way in another thread: by default it would end Python.
        if not rung or handler is not signal.SIG_DFL:
            signal.signal(rings, handler)


@contextmanager
def _watchdog(seconds: float) -> Iterator[None]:
    """Let another thread raise the exception here: signals reach the main thread only."""
    here, lock, running = threading.get_ident(), threading.Lock(), True

    def bark() -> None:
        with lock:
            if running:
                _raise_in(here, OutOfTime)

    timer = threading.Timer(seconds, bark)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            running = False
        timer.cancel()
        _raise_in(here, None)  # what is under way arrives no more


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    raised = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
