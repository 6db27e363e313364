"""What a training from a terminal reads: sentence pairs in three splits, and their tokenizer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lessons.trained.grammar import grammar_corpus
from lessons.trained.options import VOCABULARY, Options
from transformer_lite.text import Pair, SubwordTokenizer, Tokenizer, WordTokenizer, read_parallel


class Data(NamedTuple):
    """Sentence pairs and their tokenizer, which both languages share.

    Attributes:
        train: what the model learns from.
        validation: what it is measured on meanwhile.
        tests: what it is measured on at the end, by name.
        tokenizer: trained on `train` and on the pairs that were skipped.
        skipped: the numbers of the lines that are not in `train`, because they are too long.
    """

    train: list[Pair]
    validation: list[Pair]
    tests: dict[str, list[Pair]]
    tokenizer: Tokenizer
    skipped: tuple[int, ...] = ()


def size_of(data: Data) -> str:
    """Return the number of training pairs, and of those that were skipped, in words."""
    pairs = f"{len(data.train):,} pairs"
    if not data.skipped:
        return pairs
    return f"{pairs} ({len(data.skipped):,} skipped as too long, first line {data.skipped[0]})"


def read_data(options: Options, tokenizer: Tokenizer | None = None) -> Data:
    """Read the files that the options name, or draw the corpus by grammar.

    The corpus by grammar is read as words, files as subwords.

    Args:
        options: what to read.
        tokenizer: that of a training that goes on; None trains one.

    Raises:
        OSError, ValueError: as in :func:`transformer_lite.text.read_parallel`.
        ValueError: no validation files are named, and there are not enough pairs to take some; or
            a pair is longer than a batch, and such pairs are not to be skipped.
    """
    if options.source is None:
        return _grammar(options, tokenizer)
    pairs, tests = _read(options, ""), {}
    rows: Sequence[int] = range(len(pairs))
    if options.validation_source:
        validation = _read(options, "validation_")
    else:
        apart = _apart(len(pairs), options.seed)
        validation = [pairs[i] for i in apart]
        rows = sorted({*rows}.difference(apart))
    if options.test_source:
        tests["test"] = _read(options, "test_")
    if tokenizer is None:
        texts = [text for i in rows for text in pairs[i][:2]]
        tokenizer = SubwordTokenizer.train(texts, options.vocabulary, options.lower_case)
    skipped = _long(options, pairs, rows, tokenizer)
    train = [pairs[i] for i in rows if i not in skipped]
    lines = tuple(i + 1 for i in skipped)
    return Data(train, validation, {"validation": validation, **tests}, tokenizer, lines)


def save_data(options: Options, data: Data, folder: Path) -> None:
    """Write what a training needs to go on: the vocabulary, then the options.

    Raises:
        OSError: a file cannot be written.
    """
    data.tokenizer.save(folder / VOCABULARY)
    options.save(folder)


def _read(options: Options, kind: str) -> list[Pair]:
    """Read two files; in lower case, if the model writes in lower case and is compared with them.

    Do not compare a BLEU of lower-cased sentences with one of sentences as they were written.
    """
    pairs = read_parallel(options.files[f"{kind}source"], options.files[f"{kind}target"])
    if not options.lower_case:
        return pairs
    return [pair._replace(source=pair.source.lower(), target=pair.target.lower()) for pair in pairs]


def _long(
    options: Options, pairs: list[Pair], rows: Sequence[int], tokenizer: Tokenizer
) -> dict[int, int]:
    """Return the rows of pairs that are longer than a batch, with their lengths.

    Raises:
        ValueError: there are some and they are not to be skipped, or nothing else is left.
    """
    lengths = {
        i: 1 + max(len(tokenizer.encode(text)) for text in pairs[i][:2])
        for i in rows
        # A token has at least one byte: most pairs need not be encoded.
        if max(len(text.encode()) for text in pairs[i][:2]) >= options.max_tokens
    }
    long = {i: length for i, length in lengths.items() if length > options.max_tokens}
    if long and (not options.skip_long or len(long) == len(rows)):
        worst = max(long, key=long.__getitem__)
        raise ValueError(
            f"max_tokens must be at least {long[worst]}, the length of line {worst + 1} of "
            f"{options.source} or {options.target} in tokens, with its end, got "
            f"{options.max_tokens}, which is too few for {len(long):,} of {len(rows):,} training "
            "pairs; raise it, or add --skip-long to train without them"
        )
    return long


def _grammar(options: Options, tokenizer: Tokenizer | None) -> Data:
    corpus = grammar_corpus(options.seed, options.pairs)
    texts = [text for pair in corpus.train for text in pair[:2]]
    held_out = list(corpus.held_out)
    tests = {
        "held-out sentences": held_out,
        "held-out combinations": list(corpus.held_out_combinations),
        "held-out contexts": list(corpus.held_out_contexts),
    }
    return Data(list(corpus.train), held_out, tests, tokenizer or WordTokenizer.train(texts))


def _apart(count: int, seed: int) -> list[int]:
    """Choose a tenth of the pairs for validation, 1,000 at the most."""
    if count < 10:
        raise ValueError(
            f"source must hold at least 10 pairs, or validation_source be given, got {count}"
        )
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return order[: min(1000, count // 10)]
