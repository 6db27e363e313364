"""Read and pack the assets of figures: files that are too large to be part of a page.

On the published page each asset is a script of its own, because a page that was opened from a file
may not fetch. Its name is a hash of its content: equal files are loaded once, and a changed file is
never read from an old cache.
"""

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Mapping
from pathlib import Path


def read_assets(figure: str, files: Mapping[str, Path]) -> dict[str, bytes]:
    """Return the contents of a figure's files, by the names of the assets.

    Raises:
        FileNotFoundError: a file is missing; the message names the figure, the asset and the path.
    """
    for name, path in files.items():
        if not path.is_file():
            raise FileNotFoundError(f"{figure} needs its asset {name!r}: there is no file {path}")
    return {name: path.read_bytes() for name, path in files.items()}


def asset_key(content: bytes) -> str:
    """Return the name of an asset: a hash of its content."""
    return hashlib.sha256(content).hexdigest()[:16]


def pack(content: bytes) -> bytes:
    """Compress the content with gzip, without a time stamp."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def asset_script(content: bytes) -> str:
    """Return the script that passes the content to host.js.

    Base64 makes it larger by a third, but a server that compresses undoes that.
    """
    packed = base64.b64encode(pack(content)).decode("ascii")
    return f'livingFigures.bring("{asset_key(content)}", "{packed}");\n'


def assets_attribute(assets: Mapping[str, bytes]) -> str:
    """Return the HTML attribute that lists a figure's assets for host.js; empty without assets."""
    if not assets:
        return ""
    listed = [
        {"name": name, "key": asset_key(content), "bytes": len(pack(content))}
        for name, content in assets.items()
    ]
    return f' data-assets="{html.escape(json.dumps(listed, ensure_ascii=False))}"'
