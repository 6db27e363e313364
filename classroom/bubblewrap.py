"""The command line that starts a program under bubblewrap.

An ordinary user gets a user namespace. Root does not: bubblewrap sets up the mounts, and `setpriv`
then switches to a separate user that owns no files and runs no other processes. So the limit on
processes works, and the program has no rights to anything on the machine.
"""

import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from classroom.confinement import PACKAGE, SCRATCH, Limits, Mounts, environment

#: The first of the unnamed user ids; each start under root uses the next one.
_FIRST_USER = 1_879_048_192
_users = itertools.count(os.getpid() % 10_000 * 10_000)
_TOOLS = ("bwrap", "prlimit", "setpriv")
_RESTRICTION = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_SCOPE = ("systemd-run", "--user", "--scope", "--quiet", "--collect")


def missing_tools() -> str:
    """Return the names of the missing tools, or an empty text."""
    return ", ".join(tool for tool in _TOOLS if not shutil.which(tool))


def namespace_restriction() -> list[str]:
    """Return a note if AppArmor denies namespaces to ordinary users, as in Ubuntu 24.04."""
    if not _RESTRICTION.exists() or _RESTRICTION.read_text("ascii").strip() == "0":
        return []
    return ["AppArmor may forbid bubblewrap here: the teaching guide, on grading, has a profile."]


def command(places: Mounts, limits: Limits, program: list[str], filter_file: int) -> list[str]:
    """Return the complete command line.

    Args:
        places: what is visible inside.
        limits: the limits on its resources; the total memory of all processes and the time are
            watched from outside.
        program: the program to start inside.
        filter_file: number of an open file with the forbidden system calls.
    """
    as_root = os.geteuid() == 0
    return [
        shutil.which("bwrap") or "bwrap",  # started without PATH, which students could read
        *_namespaces(as_root),
        *_mounts(places, limits),
        *("--cap-drop", "ALL"),
        *(("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if as_root else ()),
        *("--seccomp", str(filter_file), "--clearenv"),
        *(word for pair in environment().items() for word in ("--setenv", *pair)),
        *("--chdir", SCRATCH, "--"),
        *(_own_user() if as_root else ()),
        *_limited(limits),
        *program,
    ]


def in_a_scope(words: list[str], limits: Limits) -> list[str]:
    """Also limit the memory and processes of a command with systemd."""
    limited = ("-p", f"MemoryMax={limits.memory}", "-p", "MemorySwapMax=0")
    return [*_SCOPE, *limited, "-p", f"TasksMax={limits.processes + 8}", "env", "-i", *words]


def has_systemd() -> bool:
    """Return whether this user has a systemd session."""
    here = os.path.isdir("/run/systemd/system") and os.geteuid() != 0
    return here and shutil.which("systemd-run") is not None


def _namespaces(as_root: bool) -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
    yield from ("--unshare-cgroup-try", "--die-with-parent", "--new-session")
    yield from ("--hostname", "sandbox")
    if not as_root:
        yield from ("--unshare-user", "--uid", "65534", "--gid", "65534")


def _mounts(places: Mounts, limits: Limits) -> Iterator[str]:
    for folder in ("bin", "sbin", "lib", "lib32", "lib64"):
        outside = Path("/", folder)
        if outside.is_symlink():
            yield from ("--symlink", os.readlink(outside), str(outside))
        elif outside.is_dir():
            yield from ("--ro-bind", str(outside), str(outside))
    for linked in ("/etc/ld.so.cache", "/etc/alternatives"):
        yield from ("--ro-bind-try", linked, linked)
    created = set()
    for outside, inside in (
        *((tree, str(tree)) for tree in places.trees),
        (places.package, PACKAGE),
    ):
        for parent in reversed(Path(inside).parents[:-1]):
            if parent not in created:
                created.add(parent)
                yield from ("--perms", "0755", "--dir", str(parent))
        yield from ("--ro-bind", str(outside), str(inside))
    for hidden in places.hidden():
        yield from ("--tmpfs", str(hidden), "--remount-ro", str(hidden))
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--perms", "1777", "--size", str(limits.disk), "--tmpfs", SCRATCH)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _own_user() -> Iterator[str]:
    user = _FIRST_USER + next(_users) % 100_000_000
    yield from ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
    yield from ("--inh-caps=-all", "--no-new-privs")


def _limited(limits: Limits) -> Iterator[str]:
    """Return a command that limits each process, in addition to the watch from outside."""
    yield from ("prlimit", f"--nproc={limits.processes}", f"--as={limits.addresses}")
    yield from (f"--cpu={limits.seconds + 5}", f"--fsize={limits.disk}", "--nofile=128", "--core=0")
