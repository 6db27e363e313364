"""Killed workers and launchers: the training resumes, and no process is left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from safetensors.torch import load_file
from tiny_training import FRENCH, TINY, same

from transformer_lite import load
from transformer_lite.training.distributed import launch

SUPPORT = Path(__file__).parents[3] / "support"
SHORT = ["--vocabulary", "300", "--max-tokens", "64", "--warm-up", "2", "--steps", "10",
         "--every", "4", "--accumulate", "2"]  # fmt: skip


def is_there(process: int) -> bool:
    """Return whether a process runs; one that has ended and waits to be counted does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A folder with a training of two workers, one of whom was killed, and one undisturbed."""
    folder = tmp_path_factory.mktemp("killed")
    arguments = []
    for side, change in (("source", str), ("target", str.upper)):
        (folder / side).write_text("".join(f"{change(line)}\n" for line in FRENCH))
        arguments += [f"--{side}", str(folder / side)]
    command = [str(folder), *arguments, *TINY, *SHORT, "--strategy", "fsdp", "--checkpointing"]
    more = {"PYTHONPATH": str(SUPPORT)}
    done = launch(
        2, str(SUPPORT / "worker_killed.py"), *command, seconds=300, restarts=1, environment=more
    )
    assert done.returncode == 0, done.stdout
    return folder, done.stdout


@pytest.mark.nightly
def test_after_a_kill_the_training_ends_with_the_same_bits(killed):
    folder, _ = killed
    name = "checkpoint-00000010"
    states = [folder / kind / name for kind in ("killed", "whole")]
    files = sorted(path.name for path in states[1].iterdir())
    assert files[-1] == "state.json" and len(files) == 3
    for file in files[:-1]:
        assert same(*(load_file(state / file) for state in states)), file
    told = [json.loads((state / files[-1]).read_bytes()) for state in states]
    # The order of a header's entries, and so the checksum of a file, may differ.
    assert len(told[0].pop("files")) == len(told[1].pop("files")) == 2
    assert told[0] == told[1]
    assert same(*(load_file(folder / kind / "model.safetensors") for kind in ("killed", "whole")))
    assert load(folder / "killed").config.d_model == 8


@pytest.mark.nightly
def test_a_kill_repeats_at_most_one_interval_with_the_same_batches(killed):
    lines = (killed[0] / "steps.txt").read_text().splitlines()
    steps = [(int(line.split()[0]), int(line.split()[2])) for line in lines]
    first = [step for restarts, step in steps if restarts == 0]
    behind = [step for restarts, step in steps if restarts == 1]
    assert first == [1, 2, 3, 4, 5]
    assert behind[:6] == [5, 6, 7, 8, 9, 10], "from the checkpoint of step 4, one step again"
    # Epoch, rate, loss, norm and tokens of each step: as undisturbed, the one taken twice included.
    told = [line.split(maxsplit=1)[1] for line in lines]
    undisturbed = told[-10:]
    assert [*told[:4], *told[5:11]] == undisturbed and told[4] == told[5]
    assert len({line.split()[0] for line in undisturbed}) > 2, "over several epochs"


@pytest.mark.nightly
def test_evaluations_are_kept(killed):
    state = json.loads((killed[0] / "killed/checkpoint-00000010/state.json").read_bytes())
    assert [measured["step"] for measured in state["evaluations"]] == [4, 8, 10]


def test_no_process_is_left_when_the_launcher_is_killed(tmp_path):
    script = (
        "from transformer_lite.training.distributed import launch\n"
        f"launch(2, {str(SUPPORT / 'worker_waits.py')!r}, {str(tmp_path)!r})"
    )
    launcher = subprocess.Popen([sys.executable, "-c", script])
    assert wait_until(lambda: len(list(tmp_path.iterdir())) == 2, 120), "two workers have started"
    names = [path.name.split(".") for path in tmp_path.iterdir()]
    processes = {int(process) for name in names for process in name}
    assert len(processes) == 3, "two workers and torchrun"
    assert all(map(is_there, processes))
    os.kill(launcher.pid, signal.SIGKILL)
    launcher.wait()
    assert wait_until(lambda: not any(map(is_there, processes))), "they wait on"


def test_a_launch_that_takes_too_long_is_ended(tmp_path, monkeypatch):
    started = []

    class Noted(subprocess.Popen):
        def __init__(self, *args, **settings):
            super().__init__(*args, **settings)
            started.append(self.pid)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    with pytest.raises(subprocess.TimeoutExpired):
        launch(1, str(SUPPORT / "worker_waits.py"), str(tmp_path), seconds=0.3)
    assert len(started) == 1 and not is_there(started[0])


def in_namespace(flags: str, prepare: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a machine that differs; skip the test where none can be made."""
    unshare = ["unshare", *flags.split(), "sh", "-c", f'{prepare} && exec "$@"', "sh"]
    try:
        possible = subprocess.run([*unshare, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        possible = False
    if not possible:
        pytest.skip("needs unshare and the rights for it")
    return subprocess.run([*unshare, *command], capture_output=True, text=True, timeout=300)


LAUNCH = f"""
from transformer_lite.training.distributed import launch
done = launch(2, {str(SUPPORT / "worker_ends.py")!r}, seconds=200)
print(done.stdout)
raise SystemExit(done.returncode)
"""
# As in a system that debootstrap has made: there is no /etc/hosts and no name server.
NAMELESS = "hostname no-such-name.invalid && mount --bind /dev/null /etc/hosts"


@pytest.mark.nightly
def test_workers_connect_on_a_machine_whose_name_cannot_be_resolved():
    done = in_namespace("--uts --mount", NAMELESS, sys.executable, "-c", LAUNCH)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.nightly  # it waits 20 seconds
def test_a_worker_that_cannot_reach_the_others_raises_a_connection_error():
    alone = {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_PORT": "0"}
    done = subprocess.run(
        [sys.executable, str(SUPPORT / "worker_ends.py")],
        env=os.environ | alone | {"MASTER_ADDR": "no-such-name.invalid"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ConnectionError: worker 0 must meet all 2 workers at 127.0.0.1:0, got")
