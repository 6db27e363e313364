"""Test a sandbox: attempt forbidden actions inside, and check from outside that they fail.

The same script runs in every form of sandbox and prints what it was able to do. The trusted side
checks independently that nothing connected to it and that the limits work.
"""

import json
import os
import socket
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from classroom.confinement import Limits, RunResult, environment

_MIB = 1 << 20
_CANARY = "a text that nobody else may read"

#: Each forbidden action that succeeds adds a sentence to `done`.
SCRIPT = r"""
import json, os, socket, sys
task, done = json.load(sys.stdin), []

def attempt(what, action):
    try:
        if action() is not False:
            done.append(what)
    except BaseException:
        pass

def write(path, size=1):
    with open(path, "wb") as file:
        for _ in range(size):
            file.write(bytes(1 << 20))

def connect():
    socket.create_connection(("127.0.0.1", task["port"]), 2).close()

def reach_hypervisor():
    socket.socket(socket.AF_VSOCK).close()

def see_other_processes():
    numbers = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return len(numbers) > 3

def read_environments():
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) != os.getpid():
            try:
                if task["secret"].encode() in open(f"/proc/{name}/environ", "rb").read():
                    return True
            except OSError:
                pass
    return task["secret"] in os.environ.values()

def fork_many():
    children = []
    try:
        for _ in range(task["processes"] + 1):
            child = os.fork()
            if not child:
                import signal
                signal.pause()
            children.append(child)
        return True
    finally:
        for child in children:
            os.kill(child, 9)

def new_namespace():
    import ctypes
    return ctypes.CDLL(None).unshare(0x10000000) == 0

attempt("reach the network of this machine", connect)
attempt("read a file of the grader", lambda: open(task["canary"]).read())
attempt("write into the grader's folder", lambda: write(task["canary"] + "-too"))
for folder in ("/", "/usr", "/dev", "/dev/shm", "/proc", sys.prefix, "/student"):
    attempt(f"write into {folder}", lambda: write(os.path.join(folder, "probe")))
attempt("see other processes", see_other_processes)
attempt("read the environment of the grader", read_environments)
attempt("end the process of the grader", lambda: os.kill(task["grader"], 0))
attempt("be the administrator", lambda: os.geteuid() == 0)
attempt("make a new namespace", new_namespace)
attempt("reach the machine beneath", reach_hypervisor)
attempt("keep memory in sockets", lambda: bool(socket.socketpair()))
attempt("start more processes than allowed", fork_many)
attempt("ask for more memory than allowed", lambda: bool(bytearray(task["addresses"])))
attempt("write more than the scratch folder holds",
        lambda: [write(f"/scratch/{n}", task["disk"] // 4) for n in range(5)] and True)
for name in os.listdir("/scratch"):
    os.remove(os.path.join("/scratch", name))
write("/scratch/mine")
print(json.dumps(done))
"""
_HOG = "kept = [bytes([1]) * (1 << 20) for _ in range(300)]\nwhile True: pass"
_LOOP = "while True: pass"
_WAIT = "import signal\nsignal.pause()"
_FLOOD = "import sys\nwhile True: sys.stdout.write('x' * 65536)"


class Sandbox(Protocol):
    """A way to run Python confined."""

    def run(self, program: list[str], task: bytes = b"", limits: Limits | None = None) -> RunResult:
        """Run Python inside and return the result."""


def find_problem(sandbox: Sandbox) -> str:
    """Return the first problem of a sandbox, or an empty text."""
    sizes = {"memory": 400 * _MIB, "addresses": 600 * _MIB, "disk": 8 * _MIB}
    small = Limits(seconds=20, asleep=60, processes=16, **sizes)
    try:
        return _run_script(sandbox, small) or _check_limits(sandbox, small)
    except (OSError, ValueError) as error:
        return f"could not be started: {error}"


def _run_script(sandbox: Sandbox, limits: Limits) -> str:
    """Run the script, and check independently whatever can be checked from outside."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        Path(folder).chmod(0o777)  # only the sandbox should protect it, not its permissions
        canary = Path(folder, "canary")
        canary.write_text(_CANARY)
        server.setblocking(False)
        task = {
            "port": server.getsockname()[1],
            "canary": str(canary),
            "secret": _secret_value(),
            "grader": os.getpid(),
            "processes": limits.processes,
            "addresses": limits.addresses,
            "disk": limits.disk // _MIB,
        }
        ran = sandbox.run(["-c", SCRIPT], json.dumps(task).encode(), limits)
        done = _read(ran)
        if isinstance(done, str):
            return done
        if _was_contacted(server):
            done.append("reach the network of this machine")
        if [path.name for path in Path(folder).iterdir()] != ["canary"]:
            done.append("write into the grader's folder")
    return f"a program inside can {done[0]}" if done else ""


def _read(ran: RunResult) -> list[str] | str:
    try:
        done = json.loads(ran.output)
    except ValueError:
        last = ran.errors.strip().rpartition("\n")[2] or ran.cause or "it printed nothing"
        return f"did not start: {last}"
    return [str(what) for what in done]


def _secret_value() -> str:
    """Return a value of this process's environment that must not be visible inside."""
    ours = [value for name, value in os.environ.items() if name not in environment()]
    return max(ours, key=len, default="a value that nobody has")


def _was_contacted(server: socket.socket) -> bool:
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _check_limits(sandbox: Sandbox, limits: Limits) -> str:
    short = replace(limits, seconds=1, output=_MIB)
    expected = (
        (_HOG, replace(limits, memory=100 * _MIB), ("memory", "killed"), "memory"),
        (_LOOP, short, ("time",), "time of a processor"),
        (_WAIT, replace(short, asleep=1), ("asleep",), "time"),
        (_FLOOD, replace(short, seconds=20), ("output",), "output"),
    )
    for program, limit, causes, word in expected:
        if sandbox.run(["-c", program], limits=limit).cause not in causes:
            return f"the limit on {word} does not hold"
    return ""
