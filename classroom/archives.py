"""Archives that have the same bytes whenever and wherever they are written."""

import base64
import hashlib
import io
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: The earliest time that a zip can say.
TIME = (1980, 1, 1, 0, 0, 0)
WHEEL = """\
Wheel-Version: 1.0
Generator: classroom
Root-Is-Purelib: true
Tag: py3-none-any
"""


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


def wheel(tree: Path, project: Path) -> tuple[str, bytes]:
    """Pack a package into a wheel, without a build backend, which would ask the network for itself.

    Args:
        tree: the folder that holds the package's folder and nothing else.
        project: the `pyproject.toml` with its name, its version and what it needs.

    Returns:
        The wheel's file name and its bytes. Its version says what is in it: packages that differ
        have different versions, so that pip puts the newer one in the place of the older.
    """
    told = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    files = folder_contents(tree)
    digest = hashlib.sha256(checksums(files).encode()).hexdigest()
    version = f"{told['version']}+class.{digest[:8]}"
    name = f"{told['name'].replace('-', '_')}-{version}"
    info = f"{name}.dist-info"
    files[f"{info}/METADATA"] = _metadata(told, version).encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    for path in map(project.with_name, told["license-files"]):
        files[f"{info}/licenses/{path.name}"] = path.read_bytes()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD").encode()
    return f"{name}-py3-none-any.whl", zipped(files)


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


def _metadata(told: dict[str, Any], version: str) -> str:
    needed = "".join(f"Requires-Dist: {name}\n" for name in told["dependencies"])
    return (
        f"Metadata-Version: 2.4\nName: {told['name']}\nVersion: {version}\n"
        f"Summary: {told['description']}\nLicense-Expression: {told['license']}\n"
        + "".join(f"License-File: {name}\n" for name in told["license-files"])
        + f"Requires-Python: {told['requires-python']}\n{needed}"
    )


def _record(files: Mapping[str, bytes], own: str) -> str:
    def digest(content: bytes) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

    lines = [f"{n},sha256={digest(files[n])},{len(files[n])}\n" for n in sorted(files)]
    return "".join(lines) + f"{own},,\n"
