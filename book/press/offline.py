"""`make offline`: pack the built pages into a zip for use without a server, with a checksum.

The pages also work from files: figures, translator and search need no server. Files that only a
server or a developer reads are left out. The same pages always give the same bytes.

    python press/offline.py _build/html _build/press/transformer-book-offline.zip
"""

from __future__ import annotations

import sys
from pathlib import Path

from facts import Facts, facts_of

from lessons.kit.archives import checksums, zipped

ONLY_FOR_SERVERS = {"404.html", "objects.inv", "sitemap.xml", "versions.json", "feed.xml"}
NEEDED = ("index.html", "search.html", "searchindex.js", "_static/pages.css")
README = """{title}
Version {version}, {day}, by {author}

Unzip the whole folder, then open index.html in a browser. The figures, the translator and the
search work without a network, from a stick too. The code of a chapter runs in Jupyter: a button at
the top of its page saves the notebook.
{address}
Text: CC BY 4.0. Code: MIT License.
"""


def copied(html: Path) -> list[Path]:
    """Return the files of the copy, sorted by name.

    Raises:
        ValueError: a file that every built book has is missing.
    """
    missing = [name for name in NEEDED if not (html / name).exists()]
    if missing:
        raise ValueError(f"{html} must hold a built book, got none of {', '.join(missing)}")
    names = (path.relative_to(html) for path in html.rglob("*") if path.is_file())
    return sorted(name for name in names if is_read(name))


def is_read(name: Path) -> bool:
    """Return whether a reader of the offline book needs a file."""
    hidden = any(part.startswith(".") for part in name.parts)
    return not hidden and name.suffix != ".map" and name.as_posix() not in ONLY_FOR_SERVERS


def write_zip(html: Path, facts: Facts, out: Path) -> str:
    """Write the built pages as a zip with one folder, and its checksum next to it.

    Args:
        html: the folder of the built book.
        facts: the facts for the README and for the name of the folder.
        out: the path of the zip.

        Returns:
            The checksum.

    Raises:
        ValueError: the folder does not contain a built book.
    """
    top = f"transformer-book-{facts.version}"
    address = f"\nThe newest version: {facts.address}\n" if facts.address else ""
    readme = README.format(
        title=facts.title,
        version=facts.version,
        day=facts.day,
        author=facts.author,
        address=address,
    )
    files = {f"{top}/{name.as_posix()}": (html / name).read_bytes() for name in copied(html)}
    out.parent.mkdir(parents=True, exist_ok=True)
    packed = zipped(files | {f"{top}/README.txt": readme.encode()})
    out.write_bytes(packed)
    line = checksums({out.name: packed})
    out.with_name(f"{out.name}.sha256").write_text(line, "utf-8")
    return line.partition(" ")[0]


def main(html: Path, out: Path) -> int:
    """Write the zip and print its size."""
    try:
        digest = write_zip(html, facts_of(), out)
    except ValueError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB, SHA-256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*(Path(name).resolve() for name in sys.argv[1:3])))
