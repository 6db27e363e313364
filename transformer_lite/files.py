"""Atomic writes: a file has its old content or its new content, never a part of either."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file atomically: at every moment it has its old content or its new content.

    Args:
        path: where to write; missing folders are created.
        content: the new content.

    Raises:
        OSError: it cannot be written. Its old content is unchanged.
    """
    write_together({Path(path): content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files to temporary names, and rename them only when all are on the disk.

    Args:
        contents: the new content of each path; missing folders are created.

    Raises:
        OSError: one of them cannot be written. The old contents are unchanged.
    """
    temporary = {path: path.with_name(f"{path.name}.part") for path in contents}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(temporary[path], "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())  # on the disk, before it replaces the old file
        for path, part in temporary.items():
            os.replace(part, path)
    except OSError as error:
        for part in temporary.values():
            if part.is_file():
                part.unlink()
        message = f"{error.strerror}; the old file is unchanged"
        raise OSError(error.errno, message, str(path)) from error
