"""Write archives with the same bytes at any time and on any machine."""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

__all__: list[str] = []  # for the builders of the book and of classes

#: The earliest time stamp of a zip.
TIME = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files, sorted by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            add(archive, name, files[name])
    return buffer.getvalue()


def add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file to a zip, without a time stamp or the system."""
    entry = zipfile.ZipInfo(name, TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, on every system
    entry.external_attr = 0o100644 << 16
    archive.writestr(entry, content)


def folder_contents(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder, by their relative paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def checksums(files: Mapping[str, bytes]) -> str:
    """Return checksums in the format of ``sha256sum --check``."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
