"""A sandbox in which an untrusted program can only compute and print.

The program reads its task from standard input and answers on standard output. It sees Python, the
students' package and one scratch folder in memory, but no network, no other files and no other
processes. `find_sandbox` tries the available forms, and accepts only one that passes its tests.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from classroom import bubblewrap, containers, sandbox_probe
from classroom.confinement import Limits, Mounts, RunResult
from classroom.processes import Usage, children_of, usage
from classroom.system_calls import container_profile, filter_program

__all__ = ["Limits", "Mounts", "NoSandboxError", "RunResult", "Sandbox", "find_sandbox"]

_TICK = 0.03
_ERRORS = 20_000  # characters of standard error to keep
FORMS = ("systemd and bubblewrap", "bubblewrap", "podman", "docker")


class NoSandboxError(RuntimeError):
    """No form of sandbox works here, so nothing is run."""


@dataclass(frozen=True)
class Sandbox:
    """One form of sandbox, which has passed its test.

    Args:
        form: one of FORMS.
        places: what is visible inside.
    """

    form: str
    places: Mounts

    def run(
        self,
        program: list[str],
        task: bytes = b"",
        limits: Limits | None = None,
        stop: threading.Event | None = None,
    ) -> RunResult:
        """Run Python inside with these arguments and this input, and wait for the result.

        Args:
            program: the arguments of Python.
            task: the bytes for its standard input.
            limits: the limits on its resources.
            stop: an event that ends it when it is set.
        """
        limits = limits or Limits()
        name = containers.new_name()
        with self._command([self.places.python, *program], limits, name) as (words, files):
            process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=files,
                env=_bare_environment(self.form),
                start_new_session=True,  # Ctrl-C reaches only the grader, which then ends it
            )
            try:
                return _supervise(process, task, limits, stop)
            finally:
                _end(process)
                if self.form in ("podman", "docker"):
                    subprocess.run([self.form, "kill", name], capture_output=True, timeout=60)

    @contextmanager
    def _command(
        self, program: list[str], limits: Limits, name: str
    ) -> Iterator[tuple[list[str], tuple[int, ...]]]:
        if self.form in ("podman", "docker"):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as profile:
                profile.write(container_profile())
                profile.flush()
                arguments = (self.form, name, self.places, limits, program, profile.name)
                yield containers.command(*arguments), ()
            return
        with tempfile.TemporaryFile() as file:
            file.write(filter_program())
            file.seek(0)
            words = bubblewrap.command(self.places, limits, program, file.fileno())
            words = words if self.form == "bubblewrap" else bubblewrap.in_a_scope(words, limits)
            yield words, (file.fileno(),)


def find_sandbox(places: Mounts) -> Sandbox:
    """Return the first form of sandbox that works here.

    Args:
        places: what is to be seen inside.

    Raises:
        NoSandboxError: none works; the message gives the reason for each form.
    """
    why = []
    for form in FORMS:
        problem = _why_unavailable(form) or sandbox_probe.find_problem(Sandbox(form, places))
        if not problem:
            return Sandbox(form, places)
        why.append(f"  {form}: {problem}")
    refusal = "Nothing was run: submissions are graded in a sandbox only, and none holds here."
    install = "On Debian or Ubuntu, `sudo apt install bubblewrap` gives one."
    raise NoSandboxError("\n".join([refusal, *why, install, *bubblewrap.namespace_restriction()]))


def _why_unavailable(form: str) -> str:
    """Return why a form cannot be tried, or an empty text."""
    if not sys.platform.startswith("linux"):
        return f"needs Linux, and this is {sys.platform}"
    if form in ("podman", "docker"):
        return "is not installed" if not shutil.which(form) else containers.make_image(form)
    if form.startswith("systemd") and not bubblewrap.has_systemd():
        return "there is no systemd of an ordinary user here"
    try:
        filter_program()
    except ValueError as error:
        return str(error)
    lacking = bubblewrap.missing_tools()
    return f"{lacking}: not installed" if lacking else ""


def _bare_environment(form: str) -> dict[str, str]:
    """Return the environment of the tool itself, which a confined program might be able to read."""
    if form == "bubblewrap":
        return {}
    # The other forms find their service through these, and do not pass them on.
    names = ("PATH", "HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST")
    return {name: os.environ[name] for name in names if name in os.environ}


def _supervise(
    process: subprocess.Popen[bytes], task: bytes, limits: Limits, stop: threading.Event | None
) -> RunResult:
    """Write to the process and read from it until it ends or must be ended."""
    output, errors = _Reader(process.stdout, limits.output), _Reader(process.stderr, _ERRORS)
    feeder = threading.Thread(target=_feed, args=(process.stdin, task), daemon=True)
    feeder.start()
    watch, cause = Watch(limits, time.monotonic()), ""
    while not cause:
        try:
            process.wait(_TICK)
            break
        except subprocess.TimeoutExpired:
            cause = watch.update(usage(process.pid), time.monotonic())
            cause = "output" if output.full else cause
            cause = "stopped" if stop and stop.is_set() else cause
    if cause:
        _end(process)
    output.thread.join(5)
    errors.thread.join(5)
    cause = cause or ("output" if output.full else _reason(process.returncode))
    error_text = errors.kept.decode("utf-8", "replace")
    return RunResult(bytes(output.kept), error_text, cause, watch.computed + watch.asleep)


class Watch:
    """Measure the resources of a program, without the time that other programs take.

    Args:
        limits: the limits on its resources.
        start: its start, on a monotonic clock.
    """

    def __init__(self, limits: Limits, start: float):
        self.computed = self.asleep = 0.0
        self._limits, self._start, self._last = limits, start, start

    def update(self, used: Usage, now: float) -> str:
        """Update the usage; return why the program must be ended, or an empty text."""
        if not used.busy and used.seconds <= self.computed:
            self.asleep += now - self._last
        self.computed, self._last = max(self.computed, used.seconds), now
        limits = self._limits
        over = {
            "memory": used.memory > limits.memory,
            "time": used.seconds > limits.seconds,
            "asleep": self.asleep > limits.asleep,
            "clock": now - self._start > limits.clock,
        }
        return next((cause for cause, is_over in over.items() if is_over), "")


def _reason(code: int | None) -> str:
    if code in (0, None):
        return ""
    if code in (-24, 152):  # SIGXCPU: too much processor time
        return "time"
    return "killed" if code in (-9, 137) else "stopped"


def _end(process: subprocess.Popen[Any]) -> None:
    """End the process and everything that it started, because its namespace ends with it.

    Children that are only starting may not belong to the namespace yet, so they are ended first.
    """
    if process.poll() is None:
        process.send_signal(signal.SIGSTOP)  # so that it starts no more children
        for child in children_of(process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        process.kill()
        process.wait()


def _feed(stream: IO[bytes] | None, task: bytes) -> None:
    try:
        with stream:  # type: ignore[union-attr]
            stream.write(task)  # type: ignore[union-attr]
    except (BrokenPipeError, ValueError):
        pass  # it closed its input


class _Reader:
    """Read a stream in a thread up to a limit, then close it."""

    def __init__(self, stream: IO[bytes] | None, limit: int):
        self.kept, self.full = bytearray(), False
        self._stream, self._limit = stream, limit
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        with self._stream as stream:  # type: ignore[union-attr]
            while part := os.read(stream.fileno(), 1 << 16):
                self.kept += part[: self._limit - len(self.kept)]
                if len(self.kept) >= self._limit:
                    self.full = True
                    return
