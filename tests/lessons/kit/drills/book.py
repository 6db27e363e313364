"""A page with all drills, built by Sphinx with the book's own extension.

Usage: python book.py FOLDER

It is built into FOLDER/html/drills.html. The last drill has a seed.
"""

import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[4]


def build(folder: Path) -> int:
    """Write the book and build it; each warning is an error."""
    sys.path[:0] = [str(ROOT / name) for name in ("", "tests/support", "book/extensions")]
    from sphinx.cmd.build import main
    from widget_page import CONF, notebook

    from lessons.kit.drills import DRILLS, drill

    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(CONF, encoding="utf-8")
    (source / "index.md").write_text("# Book\n\n```{toctree}\ndrills\n```\n", encoding="utf-8")
    drills = [*map(drill, DRILLS)]
    nbformat.write(notebook("# Drills", "drills()", drills), source / "drills.ipynb")
    return main(["-W", "-q", "-d", f"{folder}/doctrees", str(source), f"{folder}/html"])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
