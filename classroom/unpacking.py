"""Find the files of an untrusted folder or zip, without trusting their names.

Files from a zip are written under new names, never under their own, so no name can lead out of the
folder. A refused file is listed with its reason, and the other files are still read.
"""

import datetime
import errno
import mmap
import os
import re
import stat
import tempfile
import time
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO

_MIB = 1 << 20
#: A notebook with more bytes is neither read nor extracted from a zip.
LARGEST_NOTEBOOK = 20 * _MIB
LARGEST_ZIP = 16384 * _MIB  # all files of a zip together
LARGEST_OF_ONE = 100 * _MIB  # a zip by one student, and all its files together
MOST_ENTRIES = 20_000
MOST_OF_ONE = 500
LONGEST_NAME = 1_000  # characters; platforms' names are not even a third as long
DENSEST = 200  # the highest compression ratio for more than a few MiB; above it, it is a zip bomb
KINDS = (".ipynb", ".zip")
STAMP = "timestamp.txt"  # nbgrader's note of the time of submission
#: Files that systems and tools leave next to somebody's work.
_LEFTOVERS = re.compile(
    r"(^|/)(__MACOSX/|\._[^/]*$|\.DS_Store$)|^\.(git|ipynb_checkpoints|venv|vscode|idea|cache)/"
)
_HIDDEN = re.compile(r"(^|/)\.(?!\.?(/|$))[^/]*$|/\.(?!\.?(/|$))")


@dataclass(frozen=True)
class Found:
    """A submitted file.

    Args:
        name: its path in the folder or zip, with slashes.
        path: where it can be read now; None if it was refused.
        when: its time in seconds since 1970, if it is known.
        problem: why it was refused.
        other: whether it is neither a notebook nor a zip.
    """

    name: str
    path: Path | None
    when: float = 0.0
    problem: str = ""
    other: bool = False


def files_of(folder: Path) -> Iterator[Found]:
    """List the files of a folder; links are refused, not followed."""
    for place, folders, names in os.walk(folder, followlinks=False):
        links = [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in links)
        for path in (Path(place, name) for name in sorted([*names, *links])):
            name = _readable(path.relative_to(folder).as_posix())
            if (ignored := _by_its_name(name)) is not None:
                yield from ignored
                continue
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and path.suffix.lower() not in KINDS:
                yield replace(_other(name), when=_noted(path) if path.name == STAMP else 0.0)
            elif stat.S_ISREG(found.st_mode):
                yield Found(name, path, found.st_mtime)
            else:
                yield Found(name, None, problem=f"{_last(name)} is a link or no file, and not read")


def _by_its_name(name: str) -> list[Found] | None:
    """Return the entries for a file that is ignored because of its name; None if it may be read.

    A file that begins with a dot gets an entry, because the student may have handed in only that.
    """
    if len(name) > LONGEST_NAME:
        problem = f"a name of {len(name)} characters is not read, and may have {LONGEST_NAME}"
        return [Found(name[:LONGEST_NAME], None, problem=problem)]
    if _LEFTOVERS.search(name):
        return []
    if _HIDDEN.search(name):
        problem = f"{_last(name)} is not read: a name that begins with a dot is hidden"
        other = "/" in name or not name.endswith(KINDS)
        return [Found(name, None, problem=problem, other=other)]
    return None


def _other(name: str) -> Found:
    return Found(name, None, problem=f"{_last(name)} is not a notebook", other=True)


def _noted(path: Path) -> float:
    """Return midnight of the day that nbgrader recorded; 0 if the note is invalid."""
    with path.open("rb") as file:
        text = file.read(10).decode("ascii", "replace")
    try:
        return datetime.datetime.fromisoformat(f"{text}T00:00:00+00:00").timestamp()
    except ValueError:
        return 0.0


def _readable(name: str) -> str:
    """Decode a name; names that are not UTF-8 probably come from an older Windows."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("latin-1")
    return name


def unpack(archive: Path, scratch: Path, of_one: bool = False) -> Iterator[Found]:
    """Extract the notebooks and zips of a zip into files with new names, and list the others.

    Args:
        archive: the zip.
        scratch: a temporary folder to write to.
        of_one: whether a student, not a platform, made the zip.

    Raises:
        OSError: the disk is full.
    """
    most, left = (MOST_OF_ONE, LARGEST_OF_ONE) if of_one else (MOST_ENTRIES, LARGEST_ZIP)
    try:
        if of_one and (problem := _beyond_one(archive, most)):
            yield Found("", None, problem=problem)
            return
        with zipfile.ZipFile(archive) as opened:
            entries = [entry for entry in opened.infolist() if not entry.is_dir()]
            if len(entries) > most:
                problem = f"the zip has {len(entries)} files, more than {most}"
                yield Found("", None, problem=problem)
                return
            for entry in entries:
                name = _name(entry)
                if (ignored := _by_its_name(name)) is not None:
                    yield from ignored
                    continue
                if not name.lower().endswith(KINDS):
                    yield _other(name)
                    continue
                found = _taken(opened, entry, name, scratch, left)
                left -= found.path.stat().st_size if found.path else 0
                yield found
    except Exception as error:  # errors of damaged files have no common type
        yield Found("", None, problem=f"the zip cannot be read: {_why(error)}")


def _beyond_one(archive: Path, most: int) -> str:
    """Return why a student's zip is too large to open, since even its index can fill the memory."""
    size = archive.stat().st_size
    if size > LARGEST_OF_ONE:
        return f"the zip has {size // _MIB} MiB, and may have {LARGEST_OF_ONE // _MIB}"
    with archive.open("rb") as file:
        if not size:
            return "the zip is empty"
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            listed = islice(re.finditer(b"PK\x01\x02", content), 2 * most + 1)  # folders count too
            if sum(1 for _ in listed) > 2 * most:
                return f"the zip has more than {most} files"
    return ""


def _why(error: Exception) -> str:
    """Return what is wrong with a file; raise the error again if the disk is full."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        raise error
    reason = error.strerror if isinstance(error, OSError) else str(error)[:100]
    return reason or type(error).__name__


def _name(entry: zipfile.ZipInfo) -> str:
    """Return an entry's name, since some programs write UTF-8 without setting the flag for it."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _taken(
    opened: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, scratch: Path, left: int
) -> Found:
    problem = _refusal(entry, name, left)
    if problem:
        return Found(name, None, problem=problem)
    suffix = ".zip" if name.lower().endswith(".zip") else ".ipynb"
    path = _new_file(scratch, suffix)
    limit = min(left, _largest(name))
    try:
        with opened.open(entry) as source, path.open("wb") as target:
            if not _copied(source, target, limit):
                problem = "it is larger than it says"
    except Exception as error:  # a decompressor's own errors have no common type
        problem = f"it cannot be unpacked: {_why(error)}"
    if problem:
        path.unlink(missing_ok=True)
        return Found(name, None, problem=f"{_last(name)}: {problem}")
    return Found(name, path, _when(entry))


def _new_file(folder: Path, suffix: str) -> Path:
    descriptor, path = tempfile.mkstemp(suffix, dir=folder)
    os.close(descriptor)
    return Path(path)


def _largest(name: str) -> int:
    return LARGEST_OF_ONE if name.lower().endswith(".zip") else LARGEST_NOTEBOOK


def _refusal(entry: zipfile.ZipInfo, name: str, left: int) -> str:
    """Return why an entry is not extracted, or an empty text."""
    kind, last = stat.S_IFMT(entry.external_attr >> 16), _last(name)
    if "\\" in name or re.match(r"[A-Za-z]:", name) or "\\" in entry.orig_filename:
        return f"{last}: its path in the zip is one of Windows, and is not followed"
    if name.startswith("/") or ".." in name.split("/"):
        return f"{last}: its path in the zip leads out of it"
    if any(_is_unprintable(letter) for letter in name):
        return f"{last}: its name in the zip is not text"
    if kind not in (0, stat.S_IFREG):
        return f"{last}: it is a link or no file, and not read"
    if entry.flag_bits & 1:
        return f"{last}: it is encrypted"
    if entry.file_size > 5 * _MIB and entry.file_size > DENSEST * max(entry.compress_size, 1):
        return f"{last}: it unpacks to {DENSEST} times its size and more"
    if entry.file_size > _largest(name):
        return too_large(last, entry.file_size, _largest(name))
    if entry.file_size > left:
        return f"{last}: the zip unpacks to more than it may"
    return ""


def _is_unprintable(letter: str) -> bool:
    """Return whether a character is a control, a bidirectional mark or a lone surrogate."""
    ways = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    steers = unicodedata.category(letter) in ("Cc", "Cs")
    return steers or unicodedata.bidirectional(letter) in ways


def too_large(name: str, size: int, most: int = LARGEST_NOTEBOOK) -> str:
    """Return the message about a file that is too large to read."""
    kind = "notebook" if most == LARGEST_NOTEBOOK else "zip"
    message = f"{name} has {size // _MIB} MiB, and a {kind} may have {most // _MIB}"
    return f"{message}: clear its outputs" if kind == "notebook" else message


def _last(name: str) -> str:
    """Return the last part of a name, made printable."""
    last = re.split(r"[/\\]", name)[-1][:100]
    return "".join(c if c.isprintable() else "?" for c in last)


def _copied(source: IO[bytes], target: IO[bytes], limit: int) -> bool:
    while part := source.read(_MIB):
        if (limit := limit - len(part)) < 0:
            return False
        target.write(part)
    return True


def _when(entry: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*entry.date_time, 0, 0, -1))
    except (OverflowError, ValueError):
        return 0.0
