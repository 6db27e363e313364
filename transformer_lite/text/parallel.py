"""Sentence pairs from two files, one sentence per line."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from transformer_lite.text.batches import Pair


def read_parallel(source_path: str | Path, target_path: str | Path) -> list[Pair]:
    """Read two files whose lines belong together, such as those of Multi30k.

    The files are plain text or gzip (a name that ends in ``.gz``), in UTF-8, with the line ends of
    any system. Spaces at the ends of lines are dropped.

    Args:
        source_path: the sentences.
        target_path: their translations, line by line.

    Returns:
        The pairs, in the order of the lines.

    Raises:
        FileNotFoundError: one of the files is not there.
        ValueError: a file is empty, has an empty line, is not UTF-8 or not gzip, or the files
            differ in their numbers of lines. The message names the file and the line.
    """
    sources, targets = _lines(Path(source_path)), _lines(Path(target_path))
    if len(sources) != len(targets):
        raise ValueError(
            f"{source_path} and {target_path} must have equally many lines, "
            f"got {len(sources)} and {len(targets)}"
        )
    return [Pair(source, target) for source, target in zip(sources, targets, strict=True)]


def _lines(path: Path) -> list[str]:
    """Read the lines of a file."""
    raw = _bytes(path).removeprefix(b"\xef\xbb\xbf")  # some editors write a byte order mark
    # Only these end a line: Python's splitlines would also split at other characters.
    rows = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")
    if rows == [b""]:
        raise ValueError(f"{path} must hold at least one line, got none")
    lines = []
    for number, row in enumerate(rows, start=1):
        try:
            line = row.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            came = f"the byte 0x{row[error.start]:02x} in line {number}"
            raise ValueError(f"{path} must be UTF-8, got {came}") from error
        if not line:
            raise ValueError(f"{path} must have text in every line, got none in line {number}")
        lines.append(line)
    return lines


def _bytes(path: Path) -> bytes:
    if path.suffix != ".gz":
        return path.read_bytes()
    try:
        with gzip.open(path) as file:
            return file.read()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path} must be a whole gzip file, got {error!s:.60}") from error
