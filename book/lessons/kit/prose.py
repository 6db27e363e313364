"""Read the prose of a book as sentences of words, from Markdown and notebooks without code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from transformer_lite.text.words import split_words

__all__ = ["book_prose"]

#: Parts without sentences: code, formulas, tables, headings, comments, directives.
_BLOCKS = re.compile(
    r"^(?P<fence>```+|~~~+).*?^(?P=fence)|\$\$.*?\$\$|<!--.*?-->|^\|.*?$|^#+ .*?$|^\(.*\)=$",
    re.DOTALL | re.MULTILINE,
)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
# A page cites with a role, a chapter with links to the references.
_WORK = r"\[[^\]]*\]\([^)\s]*references\.bib#\w+\)"
_CITED = re.compile(rf"\s*(?:\{{[\w:]+\}}`[^`]*`|\({_WORK}(?:; {_WORK})*\)|{_WORK})")
_TAG = re.compile(r"</?[a-z]+[^>]*>")
_FORMULA = re.compile(r"\$[^$]+\$|`[^`]+`")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.?!:])[”\"*)]*\s+(?=[A-Z“*])")
_LEAST_WORDS = 3


def book_prose(folder: Path | str) -> list[list[str]]:
    """Read the sentences of a book of Markdown pages and notebooks, each once.

    A sentence is lower-cased and split into words and punctuation marks by
    :func:`transformer_lite.text.split_words`. Code, formulas, tables and headings are left out, and
    so is every sentence with a formula or code in it.

    Args:
        folder: the book's folder, with its pages in `book/` and its chapters in `notebooks/`.

    Returns:
        The sentences in the order of the pages, then of the chapters, without duplicates.

    Raises:
        ValueError: there is no prose below `folder`.
    """
    root = Path(folder)
    texts = [path.read_text(encoding="utf-8") for path in sorted(root.glob("book/*.md"))]
    texts += [cell for path in sorted(root.glob("notebooks/*.ipynb")) for cell in _cells(path)]
    found = {tuple(sentence): None for text in texts for sentence in sentences(text)}
    if not found:
        raise ValueError(
            f"folder must hold prose in book/*.md or notebooks/*.ipynb, got {str(folder)!r}"
        )
    return [list(sentence) for sentence in found]


def sentences(markdown: str) -> Iterator[list[str]]:
    """Yield the sentences of a Markdown text as words and marks, in lower case.

    >>> list(sentences("# Title\\n\\nThe *cat* sat. It [slept](page.md) well."))
    [['the', 'cat', 'sat', '.'], ['it', 'slept', 'well', '.']]
    """
    plain = _TAG.sub(" ", _LINK.sub(r"\1", _CITED.sub("", _BLOCKS.sub("\n\n", markdown))))
    for paragraph in re.split(r"\n\s*\n", _ITEM.sub("\n\n", plain)):
        for sentence in _SENTENCE_END.split(paragraph):
            words = split_words(re.sub(r"[*_]{1,3}", "", sentence))
            if len(words) > _LEAST_WORDS and not _FORMULA.search(sentence):
                yield words


def _cells(path: Path) -> Iterator[str]:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            yield "".join(cell["source"])
