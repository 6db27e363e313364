"""Build the wheel of a class."""

import base64
import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lessons.kit.archives import checksums, folder_contents, zipped

WHEEL = """\
Wheel-Version: 1.0
Generator: classroom
Root-Is-Purelib: true
Tag: py3-none-any
"""


def wheel(tree: Path, project: Path) -> tuple[str, bytes]:
    """Pack a package into a wheel without a build backend, which pip would have to download.

    Args:
        tree: the folder that holds the package's folder and nothing else.
        project: the `pyproject.toml` with its name, version and requirements.

    Returns:
        The wheel's file name and its bytes. The version contains a hash of the content, so pip
        replaces an installed package whenever the content has changed.
    """
    metadata = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    files = folder_contents(tree)
    digest = hashlib.sha256(checksums(files).encode()).hexdigest()
    version = f"{metadata['version']}+class.{digest[:8]}"
    name = f"{metadata['name'].replace('-', '_')}-{version}"
    info = f"{name}.dist-info"
    files[f"{info}/METADATA"] = _metadata(metadata, version).encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    for path in map(project.with_name, metadata["license-files"]):
        files[f"{info}/licenses/{path.name}"] = path.read_bytes()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD").encode()
    return f"{name}-py3-none-any.whl", zipped(files)


def _metadata(metadata: dict[str, Any], version: str) -> str:
    needed = "".join(f"Requires-Dist: {name}\n" for name in metadata["dependencies"])
    return (
        f"Metadata-Version: 2.4\nName: {metadata['name']}\nVersion: {version}\n"
        f"Summary: {metadata['description']}\nLicense-Expression: {metadata['license']}\n"
        + "".join(f"License-File: {name}\n" for name in metadata["license-files"])
        + f"Requires-Python: {metadata['requires-python']}\n{needed}"
    )


def _record(files: Mapping[str, bytes], own: str) -> str:
    def digest(content: bytes) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

    lines = [f"{n},sha256={digest(files[n])},{len(files[n])}\n" for n in sorted(files)]
    return "".join(lines) + f"{own},,\n"
