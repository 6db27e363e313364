"""The GPT of the book as one file for the page, in the format of the translator's."""

from __future__ import annotations

from pathlib import Path

from transformer_lite._files import write_whole
from transformer_lite.book_gpt.loading import FOLDER, BookGPT
from transformer_lite.translator.page import packed

#: Where the figure finds it.
PAGE = FOLDER.parent / "figures" / "prompt_box" / "book_gpt.bin"


def write_page(gpt: BookGPT, path: str | Path = PAGE) -> int:
    """Write the page's file and return its size in bytes.

    Raises:
        ValueError: as in :func:`transformer_lite.translator.page.packed`.
        OSError: the file cannot be written; one that stood there is whole.
    """
    content = packed(gpt.model, gpt.tokenizer, {})
    write_whole(path, content)
    return len(content)
