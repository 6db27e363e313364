"""`make offline`: the built pages as a zip that opens from a stick, with a checksum beside it.

The pages work from files already: figures, translator and search need no server. Left out is what
only a server or a developer reads. The same pages give the same bytes.

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
    """Return the files that the copy holds, by name.

    Raises:
        ValueError: one of the files that make it a book is missing.
    """
    missing = [name for name in NEEDED if not (html / name).exists()]
    if missing:
        raise ValueError(f"{html} must hold a built book, got none of {', '.join(missing)}")
    names = (path.relative_to(html) for path in html.rglob("*") if path.is_file())
    return sorted(name for name in names if is_read(name))


def is_read(name: Path) -> bool:
    """Return whether somebody who reads the book from a folder needs a file of it."""
    hidden = any(part.startswith(".") for part in name.parts)
    return not hidden and name.suffix != ".map" and name.as_posix() not in ONLY_FOR_SERVERS


def write_zip(html: Path, facts: Facts, out: Path) -> str:
    """Write the built pages as a zip, in one folder, and its checksum beside it; return this.

    Args:
        html: the folder of the built book.
        facts: for the text that explains the folder, and for the folder's name.
        out: the zip.

    Raises:
        ValueError: the folder holds no built book.
    """
    top = f"transformer-book-{facts.version}"
    address = f"\nThe newest version: {facts.address}\n" if facts.address else ""
    told = README.format(
        title=facts.title,
        version=facts.version,
        day=facts.day,
        author=facts.author,
        address=address,
    )
    files = {f"{top}/{name.as_posix()}": (html / name).read_bytes() for name in copied(html)}
    out.parent.mkdir(parents=True, exist_ok=True)
    packed = zipped(files | {f"{top}/README.txt": told.encode()})
    out.write_bytes(packed)
    line = checksums({out.name: packed})
    out.with_name(f"{out.name}.sha256").write_text(line, "utf-8")
    return line.partition(" ")[0]


def main(html: Path, out: Path) -> int:
    """Write the zip and say how large it is."""
    try:
        digest = write_zip(html, facts_of(), out)
    except ValueError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB, SHA-256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*(Path(name).resolve() for name in sys.argv[1:3])))
