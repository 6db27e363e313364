"""The sentence pairs of the chapter: few words, all of them frequent, none with two meanings.

Drawing them takes several seconds, so they are stored. This makes the file again:
``python -m lessons.training_a_translator.simple_pairs``.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from transformer_lite.text import Pair, split_words

FILE = Path(__file__).with_suffix(".json")
WORDS, COMMON = 6, 300  # at most so many words in a French sentence, and so many different ones
WATCHED = "marie ne va jamais au musée"  # the chapter watches its translation


def simple_pairs() -> list[Pair]:
    """Return the stored pairs, in the order in which they were drawn.

    >>> simple_pairs()[0].source
    'je suis étudiant'
    """
    return [Pair(*words) for words in json.loads(FILE.read_text(encoding="utf-8"))]


def draw() -> list[Pair]:
    """Draw a part of the corpus, and keep its simple pairs."""
    from lessons.trained.grammar import grammar_corpus  # reading the file does not need it

    short = [
        Pair(pair.source, pair.target)
        for pair in grammar_corpus(size=30_000, held_out=1).train
        if len(pair.source.split()) <= WORDS
        and pair.source != WATCHED
        and not pair.phenomena & {"ambiguous", "undecided"}
    ]
    counts = Counter(word for pair in short for word in split_words(pair.source))
    common = {word for word, _ in counts.most_common(COMMON)}
    return [pair for pair in short if common.issuperset(split_words(pair.source))]


def main() -> None:
    """Draw the pairs and write them, one a line."""
    lines = ",\n".join(json.dumps(pair[:2], ensure_ascii=False) for pair in draw())
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
