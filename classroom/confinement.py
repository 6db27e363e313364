"""The files, limits and environment of a confined program, in every form of sandbox."""

import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

from classroom.source import PACKAGES

SCRATCH, PACKAGE = "/scratch", "/student"
_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of one run.

    Args:
        seconds: processor time of all its processes together.
        asleep: seconds in which it neither runs nor waits for a processor.
        clock: seconds until it is ended in any case, because the machine is too busy.
        memory: bytes of memory of all its processes together.
        addresses: bytes of address space of one process; torch reserves more than it uses.
        processes: the number of processes and threads together.
        disk: bytes of the scratch folder, which is in memory.
        output: bytes of output; a program that writes more is ended.
    """

    seconds: int = 30
    asleep: int = 60
    clock: int = 900
    memory: int = 2048 * _MIB
    addresses: int = 8192 * _MIB
    processes: int = 64
    disk: int = 64 * _MIB
    output: int = 20 * _MIB


@dataclass(frozen=True)
class RunResult:
    """The result of one run in a sandbox.

    Args:
        output: what the program wrote, up to the limit.
        errors: the end of what it wrote to standard error.
        cause: why it was ended: "time" (of a processor), "asleep", "clock", "memory", "output",
            "killed", "stopped", or an empty text if it ended normally.
        seconds: its own processor time and time asleep, which a busy machine does not increase.
    """

    output: bytes
    errors: str
    cause: str
    seconds: float = 0.0


def _python_trees() -> tuple[Path, ...]:
    """Return the folders that Python and its packages need, none inside another."""
    found = {Path(p).resolve() for p in ("/usr", sys.base_prefix, sys.prefix)}
    return tuple(sorted(p for p in found if not any(o in p.parents for o in found)))


@dataclass(frozen=True)
class Mounts:
    """The folders that are visible inside: trees at their own paths, and a package at PACKAGE.

    Args:
        package: the folder with the students' package and the runner.
        private: paths that must not be visible even if they are in one of the trees.
        trees: the folders that Python and its packages need.
    """

    package: Path
    private: tuple[Path, ...] = ()
    trees: tuple[Path, ...] = field(default_factory=_python_trees)

    def __post_init__(self) -> None:
        for tree in self.trees:
            if tree in (Path("/"), Path.home().resolve()):
                raise ValueError(f"Python must be installed in a folder of its own, got {tree}")

    @property
    def python(self) -> str:
        """Return the path of this Python inside the sandbox."""
        return str(Path(sys.prefix).resolve() / "bin" / Path(sys.executable).name)

    def hidden(self) -> list[Path]:
        """Return the folders in the trees that must be hidden."""
        wanted = {Path(p).resolve() for p in (*self.private, *_packages_of_ours(self.trees))}
        folders = {p if p.is_dir() else p.parent for p in wanted if p.exists()}
        for tree in self.trees:
            if tree in folders:
                raise ValueError(f"the grader's files must lie outside {tree}, which students see")
        return sorted(f for f in folders if any(tree in f.parents for tree in self.trees))


def _packages_of_ours(trees: tuple[Path, ...]) -> list[Path]:
    """Return the folders of the full packages, which include the reference solutions."""
    places = {*sys.path, *sysconfig.get_paths().values()}
    places |= {str(place) for tree in trees for place in tree.glob("lib/python3*/*-packages")}
    names = (*PACKAGES, "classroom")
    found = {Path(place, name) for place in places for name in names}
    return sorted(path for path in found if path.is_dir())


def environment() -> dict[str, str]:
    """Return the environment variables inside the sandbox."""
    return {
        "PATH": "/usr/bin:/bin",
        **dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR"), SCRATCH),
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": PACKAGE,
    }
