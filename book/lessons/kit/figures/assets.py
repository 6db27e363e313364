"""What a figure needs besides its state: files too large to stand in a page.

On the published page each is a script of its own, because a page that was opened from a file may
not fetch. Its name is made of its content: equal files are one, and a changed file is never taken
from an old cache.
"""

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Mapping
from pathlib import Path


def read_assets(figure: str, files: Mapping[str, Path]) -> dict[str, bytes]:
    """Return what the files of a figure hold, by the names of the assets.

    Raises:
        FileNotFoundError: a file is missing; the message names the figure, the asset and the path.
    """
    for name, path in files.items():
        if not path.is_file():
            raise FileNotFoundError(f"{figure} needs its asset {name!r}: there is no file {path}")
    return {name: path.read_bytes() for name, path in files.items()}


def asset_key(content: bytes) -> str:
    """Return the name of a content: the same bytes have the same one everywhere."""
    return hashlib.sha256(content).hexdigest()[:16]


def pack(content: bytes) -> bytes:
    """Return the content as gzip: as small as can be, and the same on every day."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def asset_script(content: bytes) -> str:
    """Return the script that brings the content to host.js.

    In base64 gzip grows by a third, which a server that compresses takes back.
    """
    packed = base64.b64encode(pack(content)).decode("ascii")
    return f'livingFigures.bring("{asset_key(content)}", "{packed}");\n'


def assets_attribute(assets: Mapping[str, bytes]) -> str:
    """Return what the figure's element tells host.js about its assets; nothing if it has none."""
    if not assets:
        return ""
    listed = [
        {"name": name, "key": asset_key(content), "bytes": len(pack(content))}
        for name, content in assets.items()
    ]
    return f' data-assets="{html.escape(json.dumps(listed, ensure_ascii=False))}"'
