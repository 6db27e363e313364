"""The sandbox: what is visible inside, its limits, and a probe that detects leaks."""

import os
import struct
import subprocess
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from sandboxed import sandbox_skip_reason

from classroom import bubblewrap, containers, sandbox, sandbox_probe
from classroom.sandbox import (
    Limits,
    Mounts,
    NoSandboxError,
    Sandbox,
    find_sandbox,
)
from classroom.system_calls import FORBIDDEN, filter_program

SMALL = Limits(seconds=20, asleep=60, memory=300 << 20, addresses=600 << 20, disk=8 << 20)


@pytest.fixture(scope="module")
def places():
    """What is seen inside, with an empty folder for the package."""
    with tempfile.TemporaryDirectory(prefix="package-") as folder:
        Path(folder).chmod(0o755)
        yield Mounts(Path(folder))


@pytest.fixture(scope="module")
def box(places):
    """A sandbox that has passed the probe."""
    return find_sandbox(places)


def test_bubblewrap_sandbox_works():
    """Tests without a sandbox are skipped, so a broken one must not look like a missing tool."""
    plain = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    if bubblewrap.missing_tools() or subprocess.run(plain, capture_output=True).returncode:
        pytest.skip("bubblewrap does not work here")
    assert sandbox_skip_reason() == ""


@pytest.mark.sandbox
def test_a_program_gets_its_task_and_answers(box):
    ran = box.run(["-c", "import sys; print(sys.stdin.read()[::-1])"], b"abc", SMALL)
    assert (ran.output, ran.errors, ran.cause) == (b"cba\n", "", "")


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("program", "changes", "cause"),
    [
        ("import signal; signal.pause()", {"asleep": 1}, "asleep"),
        ("while True: pass", {"clock": 1}, "clock"),
        ("while True: pass", {"seconds": 1}, "time"),
        ("kept = [b'x' * (1 << 20) for _ in range(400)]\nwhile True: pass", {}, "memory"),
        ("import os\nwhile True: os.write(1, b'x' * 65536)", {"output": 1 << 20}, "output"),
        ("import os, signal; os.kill(os.getpid(), 9)", {}, "killed"),
        ("raise SystemExit(3)", {}, "stopped"),
    ],
)
def test_causes_of_an_end_are_distinguished(program, changes, cause, box):
    ran = box.run(["-c", program], limits=replace(SMALL, **changes))
    assert ran.cause == cause
    assert len(ran.output) <= 1 << 20


@pytest.mark.sandbox
def test_a_process_left_behind_ends_with_the_program(box):
    """Otherwise its output would stay open, and the run would last until the time limit."""
    program = "import os, signal\nif os.fork() == 0:\n    os.setsid()\n    signal.pause()"
    assert box.run(["-c", program], limits=SMALL).cause == ""


@pytest.mark.sandbox
def test_stop_event_ends_the_program(box):
    stop = threading.Event()
    stop.set()
    assert box.run(["-c", "import signal; signal.pause()"], stop=stop).cause == "stopped"


@pytest.mark.sandbox
def test_the_scratch_folder_is_empty_again_the_next_time(box):
    box.run(["-c", "open('/scratch/mine', 'w').close()"], limits=SMALL)
    ran = box.run(["-c", "import os; print(os.listdir('/scratch'))"], limits=SMALL)
    assert ran.output == b"[]\n"


@pytest.mark.sandbox
def test_environment_inside_is_fixed(box, monkeypatch):
    monkeypatch.setenv("TEACHER", "secret")
    ran = box.run(["-c", "import os; print(sorted(os.environ))"], limits=SMALL)
    assert b"TEACHER" not in ran.output
    assert b"PYTHONHASHSEED" in ran.output


@pytest.mark.sandbox
def test_full_packages_in_the_trees_are_hidden(tmp_path):
    """As if the whole package were installed: students' Python finds an empty folder there."""
    with tempfile.TemporaryDirectory(prefix="tree-") as folder:
        tree = Path(folder).resolve()
        installed = tree / "lib/python3.11/site-packages/transformer_lite"
        installed.mkdir(parents=True)
        (installed / "reference.py").write_text("answer = 42")
        tree.chmod(0o755)
        places = Mounts(tree / "lib", trees=(*Mounts(tree).trees, tree))
        assert installed in places.hidden()
        program = f"import os; print(os.listdir({str(installed)!r}))"
        assert Sandbox("bubblewrap", places).run(["-c", program]).output == b"[]\n"
        bare = replace(places, trees=places.trees)
        object.__setattr__(bare, "hidden", list)  # the same without the cover: it is seen
        assert b"reference.py" in Sandbox("bubblewrap", bare).run(["-c", program]).output


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda words: without(words, "--unshare-net"), "reach the network of this machine"),
        (lambda words: shown(words), "read a file of the grader"),
        (lambda words: without(words, "--unshare-pid"), "see other processes"),
        (lambda words: starting(words, "--nproc="), "start more processes than allowed"),
        (lambda words: starting(words, "--as="), "memory"),
        (lambda words: without(words, "--size", 2), "write more than the scratch folder holds"),
        (lambda words: without(words, "--remount-ro", 2), "write into"),
        (lambda words: without(words, "--seccomp", 2), "make a new namespace"),
        (lambda words: without(words, "--clearenv"), "read the environment of the grader"),
        (lambda words: words, "keep memory in sockets"),
        (lambda words: words, "reach the machine beneath"),
    ],
    ids=[
        *("network", "files", "processes", "many", "memory", "disk", "write", "calls", "names"),
        *("pairs", "beneath"),
    ],
)
def test_probe_detects_a_leaky_sandbox(change, found, places, monkeypatch):
    real = bubblewrap.command
    monkeypatch.setattr(bubblewrap, "command", lambda *given: change(real(*given)))
    for call in ALLOWED.get(found, ()):
        monkeypatch.delitem(FORBIDDEN, call)
    if found == "read the environment of the grader":
        monkeypatch.setattr(sandbox, "_bare_environment", lambda form: dict(os.environ))
    told = sandbox_probe.find_problem(Sandbox("bubblewrap", places))
    if os.geteuid() != 0 or found != "write into":  # what belongs to root nobody else writes to
        sentence = f"a program inside can {found}"
        assert told.startswith(sentence if found != "memory" else "did not start: memory")


#: Calls without which the probe finds these, and which therefore are forbidden.
ALLOWED = {
    "reach the network of this machine": ("socket",),
    "keep memory in sockets": ("socketpair",),
    "reach the machine beneath": ("socket",),
}


def without(words, option, length=1):
    """The command line without an option and its values, at any position."""
    kept = list(words)
    while option in kept:
        at = kept.index(option)
        del kept[at : at + length]
    return kept


def shown(words):
    """The command line with the folder in which the probe keeps its file."""
    at, folder = words.index("--proc"), tempfile.gettempdir()
    return [*words[:at], "--ro-bind", folder, folder, *words[at:]]


def starting(words, start):
    """The command line without the word that starts so."""
    return [word for word in words if not word.startswith(start)]


def test_nothing_runs_without_a_working_sandbox(places, monkeypatch):
    monkeypatch.setattr(sandbox, "_why_unavailable", lambda form: f"no {form} here")
    with pytest.raises(NoSandboxError) as caught:
        find_sandbox(places)
    told = str(caught.value)
    assert told.startswith("Nothing was run: submissions are graded in a sandbox only")
    assert "  podman: no podman here" in told
    assert "apt install bubblewrap" in told


@pytest.mark.parametrize(("setting", "told"), [("1\n", True), ("0\n", False), (None, False)])
def test_message_mentions_apparmor(setting, told, places, tmp_path, monkeypatch):
    file = tmp_path / "setting"
    if setting:
        file.write_text(setting)
    monkeypatch.setattr(bubblewrap, "_RESTRICTION", file)
    monkeypatch.setattr(sandbox, "_why_unavailable", lambda form: f"no {form} here")
    with pytest.raises(NoSandboxError) as caught:
        find_sandbox(places)
    assert ("AppArmor may forbid bubblewrap here" in str(caught.value)) == told


@pytest.mark.parametrize("user", [0, 1000])
def test_the_command_line_binds_what_python_needs_and_no_home(user, places, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    words = bubblewrap.command(places, Limits(), ["python"], 9)
    bound = [words[n + 1] for n, word in enumerate(words) if word == "--ro-bind"]
    assert "/" not in bound
    assert str(Path.home()) not in bound
    assert "--bind" not in words
    assert ("--unshare-user" in words) == (user != 0)
    assert any(word.startswith("--reuid=") for word in words) == (user == 0)


def test_systemd_limits_what_bubblewrap_starts():
    words = bubblewrap.in_a_scope(["bwrap", "x"], Limits(memory=1000, processes=5))
    assert words[0] == "systemd-run"
    assert {"MemoryMax=1000", "TasksMax=13"} <= set(words)
    assert words[-4:] == ["env", "-i", "bwrap", "x"]


@pytest.mark.parametrize("tool", ["podman", "docker"])
def test_the_command_line_of_a_container(tool, places):
    """No container could be started where this was written: this is all that is known of it."""
    limits, program = Limits(memory=1000), ["python", "-c", "x"]
    words = containers.command(tool, "name", places, limits, program, "calls.json")
    line = " ".join(words)
    for option in (
        *("--rm", "--network none", "--read-only", "--cap-drop ALL", "--user 65534:65534"),
        *("--security-opt no-new-privileges", "--security-opt seccomp=calls.json"),
        *("--memory 1000", "--memory-swap 1000"),
        *("--pids-limit 64", "--pull never", "--tmpfs /scratch:", "--entrypoint python"),
    ):
        assert option in line
    mounts = [words[n + 1] for n, word in enumerate(words) if word == "-v"]
    assert mounts
    assert all(mount.endswith(":ro") for mount in mounts)
    assert words[-3:] == [containers.IMAGE, "-c", "x"]


def test_grades_where_python_is_are_refused(tmp_path):
    places = Mounts(tmp_path, private=(tmp_path,), trees=(tmp_path.resolve(),))
    with pytest.raises(ValueError, match="the grader's files must lie outside"):
        places.hidden()


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_forbidden_calls_are_a_program_that_ends(machine):
    """Each step is eight bytes; every jump leads to a step, and the last step returns."""
    program = filter_program(machine)
    steps = list(struct.iter_unpack("=HBBI", program))
    assert len(steps) > 3 * len(FORBIDDEN)
    for number, (code, if_true, if_false, _) in enumerate(steps):
        assert code in (0x20, 0x15, 0x35, 0x45, 0x06)
        assert number + 1 + max(if_true, if_false) < len(steps) or code == 0x06
    assert steps[-1][0] == 0x06


@pytest.mark.sandbox
def test_all_sockets_are_forbidden(box):
    """Neither memory that no process owns, nor a way to the machine beneath, nor any other."""
    program = """
import socket
kinds = (1, 2, 10, 16, 17, 38, 40)
for make in (socket.socketpair, *(lambda kind=kind: socket.socket(kind) for kind in kinds)):
    try:
        print(make())
    except OSError as error:
        print(error.errno)
"""
    assert box.run(["-c", program], limits=SMALL).output == b"1\n" * 8
