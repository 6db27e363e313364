"""A bigram table: how often each word follows each other word in the book's own sentences.

It is the small model of chapter 30, which drafts words for the GPT of the book to check.
``python -m lessons.trained.book_gpt.bigrams`` counts the bigrams of today's book again, measures
how often the GPT accepts the drafts, and writes both files.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from lessons.trained.book_gpt.loading import FOLDER, load_book_gpt
from lessons.trained.book_gpt.reading import Text, read_text
from transformer_lite.files import write_whole
from transformer_lite.text import WordTokenizer, join_words
from transformer_lite.text.tokenizer import SPECIAL_TOKENS

#: The table, as the package and the page read it.
BIGRAMS = FOLDER / "bigrams.json"
#: How many words the prior counts for: c(v, w) gets PRIOR · f(w) more.
PRIOR = 4
#: Rarer bigrams are left out of the table.
MIN_COUNT = 2


@dataclass(frozen=True)
class BigramModel:
    r"""A bigram model whose counts are smoothed with the frequencies of the words.

    .. math:: q(w \mid v) = \frac{c(v, w) + \lambda f(w)}{\sum_u c(v, u) + \lambda}

    Attributes:
        words: how often each token occurs, shape (V,); 0 for the tokens that are not words.
        follows: for each token v the tokens w that follow it, with c(v, w).
        prior: λ.

    Reference: Jurafsky and Martin, *Speech and Language Processing*, chapter 3.
    """

    words: Float[Tensor, " V"]
    follows: tuple[dict[int, int], ...]
    prior: int = PRIOR

    def frequencies(self) -> Float[Tensor, " V"]:
        """Return f(w), the relative frequency of each word, shape (V,)."""
        return self.words / self.words.sum()

    def probabilities(self, last: int) -> Float[Tensor, " V"]:
        """Return q(w | last), the probability of each next word, shape (V,).

        Args:
            last: the id of the last token, from 0 to V − 1.

        Raises:
            ValueError: `last` is not an id of the vocabulary.
        """
        if not 0 <= last < len(self.follows):
            raise ValueError(f"last must be an id from 0 to {len(self.follows) - 1}, got {last}")
        counts = self.prior * self.frequencies()
        for word, count in self.follows[last].items():
            counts[word] += count
        return counts / (sum(self.follows[last].values()) + self.prior)


def count_bigrams(sentences: Sequence[Sequence[str]], tokenizer: WordTokenizer) -> BigramModel:
    """Count words and bigrams.

    The first word of a sentence follows both the begin token and the last token before it.

    Args:
        sentences: sentences as lists of words, in the order of the book.
        tokenizer: the vocabulary of the model that checks the drafts.

    Raises:
        ValueError: no word of the sentences is in the vocabulary.
    """
    rows = [tokenizer.encode(join_words(words)) for words in sentences]
    stream = [i for row in rows for i in row]
    begins = [(tokenizer.bos_id, row[0]) for row in rows if row]
    first = len(SPECIAL_TOKENS)
    words = torch.bincount(torch.tensor(stream, dtype=torch.long), minlength=len(tokenizer))
    words[:first] = 0
    if not words.any():
        raise ValueError("sentences must have words of the vocabulary, got none")
    counts = Counter((v, w) for v, w in (*pairwise(stream), *begins) if w >= first)
    follows: list[dict[int, int]] = [{} for _ in range(len(tokenizer))]
    for (v, w), count in sorted(counts.items()):
        if count >= MIN_COUNT:
            follows[v][w] = count
    return BigramModel(words.double(), tuple(follows))


def save_bigrams(table: BigramModel, path: str | Path = BIGRAMS) -> int:
    """Write a table as JSON and return its size in bytes.

    A row alternates the distance of a word's id from the one before it with the bigram's count.

    Raises:
        OSError: the file cannot be written.
    """
    rows = []
    for row in table.follows:
        gaps = (b - a for a, b in pairwise([0, *row]))
        rows.append([x for pair in zip(gaps, row.values(), strict=True) for x in pair])
    words = [int(x) for x in table.words.tolist()]
    data = {"prior": table.prior, "words": words, "follows": rows}
    content = (json.dumps(data, separators=(",", ":")) + "\n").encode("ascii")
    write_whole(Path(path), content)
    return len(content)


@lru_cache(maxsize=2)
def load_bigrams(path: str | Path = BIGRAMS) -> BigramModel:
    """Read a table.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is not a bigram table.
    """
    data = json.loads(Path(path).read_text(encoding="ascii"))
    if not isinstance(data, dict) or data.keys() != {"prior", "words", "follows"}:
        raise ValueError(f"{path} must contain prior, words and follows")
    if len(data["words"]) != len(data["follows"]):
        counts = f"{len(data['words'])} and {len(data['follows'])}"
        raise ValueError(f"words and follows of {path} must have one entry a token, got {counts}")
    follows = []
    for row in data["follows"]:
        ids = torch.tensor(row[::2], dtype=torch.long).cumsum(dim=0).tolist()
        follows.append(dict(zip(ids, row[1::2], strict=True)))
    words = torch.tensor(data["words"], dtype=torch.double)
    return BigramModel(words, tuple(follows), data["prior"])


def main(arguments: Sequence[str] | None = None, path: Path = BIGRAMS) -> int:
    """Count the bigrams of the book, measure the drafts, write both files, and print the rates.

    Args:
        arguments: the command line; None uses that of the process.
        path: the file of the table. The rates are written next to it, to `drafts.json`.

    Returns:
        The exit status, which is 0.
    """
    from lessons.trained.book_gpt.drafts import measured

    reader = argparse.ArgumentParser(
        "python -m lessons.trained.book_gpt.bigrams", description=__doc__.partition("\n")[0]
    )
    book = FOLDER.parents[3]
    reader.add_argument(
        "--book", default=book, help="the book's folder (the one around the package)"
    )
    text: Text = read_text(reader.parse_args(arguments).book)
    table = count_bigrams(text.train, load_book_gpt().tokenizer)
    print(f"{path.name}: {save_bigrams(table, path):,} bytes")
    record = {
        "words": {name: sum(map(len, part)) for name, part in text._asdict().items()},
        "bigrams": sum(map(len, table.follows)),
        "acceptance": measured(table, text.held_out),
    }
    content = (json.dumps(record, indent=2) + "\n").encode("ascii")
    write_whole(path.with_name("drafts.json"), content)
    print(json.dumps(record["acceptance"], indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
