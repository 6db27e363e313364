"""What a training from a terminal reads: sentence pairs in three splits, and their tokenizer."""

from __future__ import annotations

import random
from typing import NamedTuple

from lessons.trained.grammar import grammar_corpus
from lessons.trained.options import Options
from transformer_lite.text import Pair, SubwordTokenizer, Tokenizer, WordTokenizer, read_parallel


class Data(NamedTuple):
    """Sentence pairs and their tokenizer, which both languages share.

    Attributes:
        train: what the model learns from.
        validation: what it is measured on meanwhile.
        tests: what it is measured on at the end, by name.
        tokenizer: trained on `train` alone.
    """

    train: list[Pair]
    validation: list[Pair]
    tests: dict[str, list[Pair]]
    tokenizer: Tokenizer


def read_data(options: Options) -> Data:
    """Read the files that the options name, or draw the corpus by grammar.

    The corpus by grammar is read as words, files as subwords.

    Raises:
        OSError, ValueError: as in :func:`transformer_lite.text.read_parallel`.
        ValueError: no validation files are named, and there are not enough pairs to take some.
    """
    if options.source is None or options.target is None:
        return _grammar(options)
    train, tests = _read(options, options.source, options.target), {}
    if options.validation_source and options.validation_target:
        validation = _read(options, options.validation_source, options.validation_target)
    else:
        train, validation = _apart(train, options.seed)
    if options.test_source and options.test_target:
        tests["test"] = _read(options, options.test_source, options.test_target)
    texts = [text for pair in train for text in pair[:2]]
    tokenizer = SubwordTokenizer.train(texts, options.vocabulary, options.lower_case)
    return Data(train, validation, {"validation": validation, **tests}, tokenizer)


def _read(options: Options, source: str, target: str) -> list[Pair]:
    """Read two files; in lower case, if the model writes in lower case and is compared with them.

    A BLEU of lower-cased sentences is not to be set beside one of sentences as they were written.
    """
    pairs = read_parallel(source, target)
    if not options.lower_case:
        return pairs
    return [pair._replace(source=pair.source.lower(), target=pair.target.lower()) for pair in pairs]


def _grammar(options: Options) -> Data:
    corpus = grammar_corpus(options.seed, options.pairs)
    texts = [text for pair in corpus.train for text in pair[:2]]
    held_out = list(corpus.held_out)
    tests = {
        "held-out sentences": held_out,
        "held-out combinations": list(corpus.held_out_combinations),
        "held-out contexts": list(corpus.held_out_contexts),
    }
    return Data(list(corpus.train), held_out, tests, WordTokenizer.train(texts))


def _apart(pairs: list[Pair], seed: int) -> tuple[list[Pair], list[Pair]]:
    """Take a tenth of the pairs away for validation, 1,000 at the most."""
    if len(pairs) < 10:
        raise ValueError(
            f"source must hold at least 10 pairs, or validation_source be given, got {len(pairs)}"
        )
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)
    count = min(1000, len(pairs) // 10)
    apart = set(order[:count])
    rest = [pair for i, pair in enumerate(pairs) if i not in apart]
    return rest, [pairs[i] for i in order[:count]]
