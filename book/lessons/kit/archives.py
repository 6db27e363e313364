"""Archives that have the same bytes whenever and wherever they are written."""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

__all__: list[str] = []  # for the builders of the book and of classes

#: The earliest time that a zip can say.
TIME = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by their names, in the order of the names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            add(archive, name, files[name])
    return buffer.getvalue()


def add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Put a file into a zip, without the time and the machine that it comes from."""
    entry = zipfile.ZipInfo(name, TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, wherever it is made
    entry.external_attr = 0o100644 << 16
    archive.writestr(entry, content)


def folder_contents(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder, by their names from there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def checksums(files: Mapping[str, bytes]) -> str:
    """Return the lines that ``sha256sum --check`` reads."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
