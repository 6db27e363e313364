"""Files that are there as a whole: what they held before, or what they are to hold."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file so that, at every moment, it is there as a whole: the old one or the new.

    Args:
        path: where to write; folders are made if they are not there.
        content: what to write.

    Raises:
        OSError: it cannot be written; what was there before is untouched.
    """
    write_together({Path(path): content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files beside their places; only when all are on the disk, move them there.

    Args:
        contents: by its place, what each file is to hold; folders are made if they are not there.

    Raises:
        OSError: one of them cannot be written; what was there before is untouched.
    """
    beside = {path: path.with_name(f"{path.name}.part") for path in contents}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(beside[path], "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())  # on the disk, before it takes the old one's place
        for path, part in beside.items():
            os.replace(part, path)
    except OSError as error:
        for part in beside.values():
            if part.is_file():
                part.unlink()
        told = f"{error.strerror}; what was there before stays"
        raise OSError(error.errno, told, str(path)) from error
