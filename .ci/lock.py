"""Write the locks: every package that a build or a test installs, with the hashes of its files.

`requirements*.txt` list the direct requirements; the locks add all their dependencies, for every
system and every Python that the project supports. PyTorch and the packages of its GPU builds are
not in them, because the right build depends on the machine. The packages that jupyter-events
requires for internationalized addresses are left out too: nothing here has such an address, and
loading their grammars would cost each process that reads a notebook most of a second.

Usage: .venv/bin/python .ci/lock.py, in the environment that `make` has set up
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Each lock leaves out the packages of the locks before it, which are installed first.
LOCKS = ["requirements-nox", "requirements", "requirements-press", "requirements-test"]
LEFT_OUT = re.compile(
    r"(torch|triton|nvidia-[\w-]+|cuda-[\w-]+|rfc3987-syntax|lark)==|-e |\./|transformer-lite"
)
OPTIONS = [
    *("--universal", "--python-version=3.11", "--generate-hashes"),
    *("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--quiet"),
]


def packages(lock: str) -> list[str]:
    """Return the entries of a lock, each with the lines of its hashes."""
    return re.findall(r"^\S.*(?:\n +--hash.*)*", lock, re.MULTILINE)


def locked(name: str) -> list[str]:
    """Return the lock entries of everything that a requirements file installs.

    Raises:
        subprocess.CalledProcessError: no set of versions is compatible.
    """
    command = [sys.executable, "-m", "uv", "pip", "compile", *OPTIONS, f"{name}.txt"]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return [entry for entry in packages(done.stdout) if not LEFT_OUT.match(entry)]


def main() -> None:
    """Write all locks from one common resolution."""
    everything, written = locked(LOCKS[-1]), set()
    for name in LOCKS:
        names = {entry.partition("==")[0] for entry in locked(name)} - written
        kept = [entry for entry in everything if entry.partition("==")[0] in names]
        head = f"# What {name}.txt brings along; made by .ci/lock.py"
        (ROOT / f"{name}.lock").write_text("\n".join([head, *kept, ""]), encoding="utf-8")
        written |= names


if __name__ == "__main__":
    main()
