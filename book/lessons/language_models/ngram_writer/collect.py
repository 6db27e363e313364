"""Collect the figure's texts again: ``python -m lessons.language_models.ngram_writer.collect``.

Run it in the book's folder. It takes sentences from the prose of the book, and as many from the
English corpus of the grammar, made of its most frequent words. It writes them to ``corpus.json`` in
this folder, each as its words and commas with spaces between them.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from lessons.kit.prose import book_prose
from lessons.trained.grammar import grammar_corpus
from transformer_lite.files import write_whole
from transformer_lite.text import split_words

FILE = Path(__file__).with_name("corpus.json")
SENTENCES, COMMON = 260, 250
PROSE, GRAMMAR = range(6, 15), range(4, 11)  # how many words a sentence may have
_WORD = re.compile(r"[a-z]+(-[a-z]+)*|,")


def collect(
    folder: Path | str = ".", seed: int = 0, count: int = SENTENCES
) -> dict[str, list[str]]:
    """Return the figure's two texts, each as a list of sentences.

    Args:
        folder: the book's.
        seed: which sentences of the prose are drawn.
        count: how many sentences each text has, or all where there are fewer.
    """
    prose = plain(book_prose(folder), PROSE)
    drawn = random.Random(seed).sample(prose, min(count, len(prose)))
    pairs = grammar_corpus(seed, size=16 * count).train
    grammar = plain((split_words(pair.target) for pair in pairs), GRAMMAR)
    return {"prose": drawn, "grammar": of_common_words(grammar, COMMON)[:count]}


def plain(sentences: Iterable[list[str]], lengths: range) -> list[str]:
    """Return the statements without figures and other signs, each once and without its full stop.

    >>> plain([["a", "cat", "."], ["2", "cats", "."], ["why", "?"], ["a", "cat"]], range(1, 9))
    ['a cat']
    """
    found = (words[:-1] if words[-1] == "." else words for words in sentences)
    kept = (w for w in found if len(w) in lengths and all(map(_WORD.fullmatch, w)))
    return list(dict.fromkeys(map(" ".join, kept)))


def of_common_words(sentences: list[str], most: int) -> list[str]:
    """Return the sentences that need no other words than so many, the most frequent ones.

    >>> of_common_words(["a cat", "a dog", "a cat sat", "a cat"], 2)
    ['a cat', 'a cat']
    """
    counts = Counter(word for sentence in sentences for word in sentence.split())
    known = {word for word, _ in counts.most_common(most)}
    return [sentence for sentence in sentences if known.issuperset(sentence.split())]


def main() -> None:
    """Collect the texts and write them."""
    text = json.dumps(collect(), ensure_ascii=False, indent=0)
    write_whole(FILE, f"{text}\n".encode())


if __name__ == "__main__":
    main()
