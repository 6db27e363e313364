"""What the GPT of the book reads: the book's sentences, cut into windows and partly held out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Int64
from torch import Tensor

from lessons.kit.prose import book_prose
from transformer_lite.text import WordTokenizer, join_words

#: What ends a sentence; the model writes them as it writes words.
ENDS = (".", "?", "!")
# A sign that only formulas, lists and citations have: their sentences are left out.
_ODD = re.compile(r"[^\w\s',.?!:;-]|_")
_BLOCK, _HELD_OUT = 20, 20  # sentences that stay together; every so manyth block is held out


class Text(NamedTuple):
    """The sentences of a book in two parts that share no sentence.

    Attributes:
        train: what is learned from, in the order of the book.
        held_out: every twentieth block of twenty sentences.
    """

    train: list[list[str]]
    held_out: list[list[str]]


def read_text(folder: str | Path) -> Text:
    """Read the sentences of a book that hold words alone, each ended by its mark.

    Args:
        folder: as in :func:`lessons.kit.prose.book_prose`.

    Raises:
        ValueError: there is no prose below `folder`.
    """
    plain = [words for words in book_prose(folder) if is_plain(words)]
    blocks = [plain[i : i + _BLOCK] for i in range(0, len(plain), _BLOCK)]
    held_out = blocks[_HELD_OUT - 1 :: _HELD_OUT]
    train = [block for i, block in enumerate(blocks, start=1) if i % _HELD_OUT]
    return Text(*([words for block in part for words in block] for part in (train, held_out)))


def is_plain(words: Sequence[str]) -> bool:
    """Return whether a sentence has no odd sign, and its end at its end alone.

    >>> is_plain(["it", "sleeps", "."]), is_plain(["1", ".", "5", "is", "small", "."])
    (True, False)
    """
    *inside, last = words
    ends = last in (*ENDS, ":") and not any(word in ENDS for word in inside)
    return ends and not any(_ODD.search(word) for word in words)


def words_of(text: Text, min_count: int) -> WordTokenizer:
    """Return the tokenizer of the words that the training part has often enough."""
    return WordTokenizer.train(map(join_words, text.train), min_count=min_count)


def rows_of(
    sentences: Sequence[Sequence[str]], tokenizer: WordTokenizer, length: int
) -> Int64[Tensor, "N T"]:
    """Return a row of ids for each sentence: a begin, the sentence, and what follows it.

    Args:
        sentences: in the order of the book.
        tokenizer: of their words.
        length: how many words a row has after its start token. The last sentences have no row,
            because too few words come after them.

    Raises:
        ValueError: there are fewer words than that.
    """
    ids = [tokenizer.encode(join_words(words)) for words in sentences]
    stream = torch.tensor([i for row in ids for i in row])
    starts = [0]
    for row in ids:
        starts.append(starts[-1] + len(row))
    fitting = [start for start in starts if start + length <= len(stream)]
    if not fitting:
        raise ValueError(f"sentences must have {length} words together, got {len(stream)}")
    rows = stream[torch.tensor(fitting)[:, None] + torch.arange(length)]
    return torch.cat([torch.full((len(fitting), 1), tokenizer.bos_id), rows], dim=1)
