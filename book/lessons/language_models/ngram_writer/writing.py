"""Write with counts: draw word after word, and look how much of it is copied."""

import functools
import json
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from lessons.kit.draws import uniform_floats
from transformer_lite.before.counts import END
from transformer_lite.before.ngrams import NGramModel

Sentence = tuple[str, ...]
TEXTS: dict[str, list[Sentence]] = {
    name: [tuple(sentence.split()) for sentence in sentences]
    for name, sentences in json.loads(
        Path(__file__).with_name("corpus.json").read_text(encoding="utf-8")
    ).items()
}


class Choice(NamedTuple):
    """One word drawn.

    Attributes:
        context: the words that were looked back at.
        counts: how often each word followed them, the most frequent first.
        word: the one that was drawn.
    """

    context: Sentence
    counts: dict[str, int]
    word: str


class Run(NamedTuple):
    """A run of words in a text that was written: where they begin, how many."""

    sentence: int
    start: int
    length: int


@functools.cache
def model_of(text: str, length: int) -> NGramModel:
    """Return the model that looks back at `length` words of a text."""
    return NGramModel.count(TEXTS[text], order=length + 1)


def write(text: str, length: int, seed: int, choices: int) -> list[Choice]:
    """Draw words one by one; after each ⟨end⟩ a new sentence begins.

    The chances are those of mulberry32, so that the JavaScript draws the same words.
    """
    rows = model_of(text, length).counts
    before: list[str] = []
    made = []
    for chance in uniform_floats(seed, choices):
        context = rows.context(before)
        counts = dict(rows.rows[context].most_common())
        made.append(Choice(context, counts, drawn(counts, chance)))
        before = [] if made[-1].word == END else [*before, made[-1].word]
    return made


def drawn(counts: dict[str, int], chance: float) -> str:
    """Return the word on which a number from 0 to 1 falls.

    >>> drawn({"cat": 3, "dog": 1}, 0.74), drawn({"cat": 3, "dog": 1}, 0.75)
    ('cat', 'dog')
    """
    place = int(chance * sum(counts.values()))
    below = accumulate(counts.values())
    return next(word for word, count in zip(counts, below, strict=True) if place < count)


def sentences_of(made: Sequence[Choice]) -> list[list[str]]:
    """Return what was written, sentence by sentence; the last one may be unfinished or empty.

    >>> sentences_of([Choice((), {}, word) for word in ("go", END, "stop")])
    [['go'], ['stop']]
    """
    sentences: list[list[str]] = [[]]
    for choice in made:
        if choice.word == END:
            sentences.append([])
        else:
            sentences[-1].append(choice.word)
    return sentences


def longest_run(text: str, written: Sequence[Sequence[str]]) -> Run:
    """Return the longest run of words that occurs in one sentence of the text, the first of equals.

    Commas count as words.
    """
    known = "".join(f"| {' '.join(sentence)} " for sentence in TEXTS[text])
    best = Run(0, 0, 0)
    for index, words in enumerate(written):
        start = 0
        while start + best.length < len(words):
            run = words[start : start + best.length + 1]
            if f" {' '.join(run)} " in known:
                best = Run(index, start, len(run))
            else:
                start += 1
    return best


@functools.cache
def contexts_of(text: str, length: int) -> list[Counter[str]]:
    """Return what followed each context of the text, for a model that looks back so far."""
    counts = model_of(text, length).counts
    seen = {
        counts.context(sentence[:place])
        for sentence in TEXTS[text]
        for place in range(len(sentence) + 1)
    }
    return [counts.rows[context] for context in seen]
