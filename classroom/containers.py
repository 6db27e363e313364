"""The command line that starts a program in a container of podman or docker.

The container uses an empty image, into which the folders that Python needs are mounted read-only.
So nothing is downloaded. No container could be started on the machines where this was written. The
command line is tested, and every sandbox is probed before it is trusted, but this form has not yet
been seen working.
"""

import io
import itertools
import os
import subprocess
import tarfile

from classroom.confinement import PACKAGE, SCRATCH, Limits, Mounts, environment

IMAGE = "localhost/transformer-lite-nothing:1"
_TOOLS = ("podman", "docker")
_numbers = itertools.count()


def make_image(tool: str) -> str:
    """Make the empty image; return what went wrong, or an empty text."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name in ("bin", "sbin", "lib", "lib64"):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            tar.addfile(link)
    try:
        words = [tool, "import", "-", IMAGE]
        done = subprocess.run(words, input=archive.getvalue(), capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr.decode(errors="replace").strip() if done.returncode else ""


def new_name() -> str:
    """Return a unique name for a container, by which it can be ended."""
    return f"transformer-lite-{os.getpid()}-{next(_numbers)}"


def command(
    tool: str, name: str, places: Mounts, limits: Limits, program: list[str], profile: str
) -> list[str]:
    """Return the complete command line.

    Args:
        tool: "podman" or "docker".
        name: the name of the container.
        places: what is visible inside.
        limits: the limits on its resources; elapsed time is watched from outside.
        program: the program to start inside.
        profile: the file with the forbidden system calls.

    Raises:
        ValueError: `tool` is neither.
    """
    if tool not in _TOOLS:
        raise ValueError(f"tool must be one of {', '.join(_TOOLS)}, got {tool!r}")
    user = "keep-id" if tool == "podman" else "host"
    mounts = [(tree, tree) for tree in places.trees] + [(places.package, PACKAGE)]
    return [
        *(tool, "run", "--rm", "--interactive", "--name", name, "--pull", "never"),
        *("--network", "none", "--read-only", "--cap-drop", "ALL", "--userns", user),
        *("--security-opt", f"seccomp={profile}"),
        *("--security-opt", "no-new-privileges", "--user", "65534:65534", "--ipc", "private"),
        *("--memory", str(limits.memory), "--memory-swap", str(limits.memory)),
        *("--pids-limit", str(limits.processes), "--cpus", "1"),
        *("--ulimit", f"cpu={limits.seconds + 5}", "--ulimit", f"fsize={limits.disk}"),
        *("--ulimit", "nofile=128", "--ulimit", "core=0"),
        *("--tmpfs", f"{SCRATCH}:rw,nosuid,nodev,mode=1777,size={limits.disk}"),
        *(word for outside, inside in mounts for word in ("-v", f"{outside}:{inside}:ro")),
        *(word for folder in places.hidden() for word in ("--tmpfs", f"{folder}:ro,size=4k")),
        *(word for pair in environment().items() for word in ("--env", "=".join(pair))),
        *("--workdir", SCRATCH, "--entrypoint", program[0], IMAGE),
        *program[1:],
    ]
