"""The GPT of the book as one file for the page, in the format of the translator's."""

from __future__ import annotations

from pathlib import Path

from lessons.trained.book_gpt.loading import FOLDER, BookGPT
from lessons.trained.translator.page import packed
from transformer_lite.files import write_whole

#: Where the figure finds it.
PAGE = FOLDER.parents[1] / "a_gpt_of_your_own/prompt_box/book_gpt.bin"


def write_page(gpt: BookGPT, path: str | Path = PAGE) -> int:
    """Write the page's file and return its size in bytes.

    Raises:
        ValueError: as in :func:`lessons.trained.translator.page.packed`.
        OSError: the file cannot be written; one that stood there is whole.
    """
    content = packed(gpt.model, gpt.tokenizer, {})
    write_whole(path, content)
    return len(content)
