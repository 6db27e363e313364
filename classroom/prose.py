"""The prose of the book in one file, whose words three chapters count or train on."""

from classroom.source import ROOT, book
from lessons.kit.cells import parts, source

#: Its path, relative to the students' chapters.
FILE = "book/prose.md"


def prose() -> str:
    """Return the pages and the chapters of the book, without code and without exercises."""
    texts = [page.read_text(encoding="utf-8") for page in sorted((ROOT / "book").glob("*.md"))]
    texts += [
        source(cell)
        for chapter in book().values()
        for part in parts(chapter)
        for cell in part.cells
        if not part.exercise and cell["cell_type"] == "markdown"
    ]
    return "\n\n".join(texts) + "\n"
