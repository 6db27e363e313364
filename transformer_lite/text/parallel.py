"""Sentence pairs from two files, one sentence per line."""

from __future__ import annotations

import gzip
import unicodedata
import zlib
from pathlib import Path

from transformer_lite.text.batches import Pair

_GZIP = b"\x1f\x8b"  # the first bytes of such a file, and of no text in UTF-8
_INVISIBLE = ("Cc", "Cf", "Z", "M")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol that print nothing


def read_parallel(source_path: str | Path, target_path: str | Path) -> list[Pair]:
    """Read two files whose lines belong together, such as those of Multi30k.

    Args:
        source_path: the sentences, in a file as :func:`read_lines` reads it.
        target_path: their translations, line by line.

    Returns:
        The pairs, in the order of the lines.

    Raises:
        FileNotFoundError: one of the files is not there.
        ValueError: a file is not as :func:`read_lines` expects it, or the files differ in their
            numbers of lines. The message names the file and the line.
    """
    sources, targets = read_lines(source_path), read_lines(target_path)
    if len(sources) != len(targets):
        raise ValueError(
            f"{source_path} and {target_path} must have equally many lines, got {len(sources)} and "
            f"{len(targets)}; find the line that only one of them has, because all pairs after it "
            "are wrong"
        )
    return [Pair(source, target) for source, target in zip(sources, targets, strict=True)]


def read_lines(path: str | Path) -> list[str]:
    """Read the lines of a file, plain text or gzip, in UTF-8 and with the line ends of any system.

    A carriage return ends a line only in a file without line feeds. Other characters, at which
    Python's ``splitlines`` would split too, are part of their line. Spaces at the ends of lines are
    dropped, and so is a byte order mark at the head of a line, where files were joined.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is empty, is not UTF-8 or not gzip, or has a line without text or with
            a carriage return inside. The message names the file and the line.
    """
    path = Path(path)
    raw = _bytes(path).replace(b"\r\n", b"\n")
    end = b"\n" if b"\n" in raw else b"\r"
    rows = raw.removesuffix(end).split(end)
    if rows == [b""]:
        raise ValueError(f"{path} must hold at least one line, got none")
    return [_text(row, path, number) for number, row in enumerate(rows, start=1)]


def _text(row: bytes, path: Path, number: int) -> str:
    """Return the text of a line, without spaces at its ends."""
    try:
        line = row.decode("utf-8").removeprefix("\ufeff").strip()
        wrong = row.find(b"\0")  # every other byte of English in UTF-16
    except UnicodeDecodeError as error:
        line, wrong = "", error.start
    if wrong >= 0:
        raise ValueError(
            f"{path} must be UTF-8, got the byte 0x{row[wrong]:02x} in line {number}; "
            "save it as text in UTF-8, or compressed by gzip"
        )
    before, carriage_return, _ = line.partition("\r")
    if carriage_return:
        raise ValueError(
            f"{path} must not have a carriage return inside a line, got one after {before[-30:]!r} "
            f"in line {number}; replace it by a space, or by \\n if the line ends there"
        )
    if all(c in _BLANK or unicodedata.category(c).startswith(_INVISIBLE) for c in line):
        raise ValueError(
            f"{path} must have text in every line, got {ascii(line) if line else 'none':.60} in "
            f"line {number}; delete it, and its translation if it has one"
        )
    return line


def _bytes(path: Path) -> bytes:
    raw = path.read_bytes()
    if path.suffix.lower() != ".gz" and not raw.startswith(_GZIP):
        return raw
    try:
        return gzip.decompress(raw)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path} must be a whole gzip file, got {error!s:.60}") from error
