"""What differs from a commit."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def changed_files(base: str, root: Path = ROOT) -> list[str]:
    """Return the files that differ from a commit, deleted ones too, and the new ones.

    Raises:
        subprocess.CalledProcessError: the folder is no repository, or does not know the commit.
    """
    changed = ["git", "diff", "--name-only", "--no-renames", "-z", base]
    new = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    output = "".join(
        subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
        for command in (changed, new)
    )
    return sorted(set(output.split("\0")) - {""})
