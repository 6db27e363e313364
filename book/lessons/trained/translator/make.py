"""Make the translator of the book again: ``python -m lessons.trained.translator.make``.

It trains on the corpus by grammar as ``python -m lessons.trained.train`` does without arguments,
goes on a little with the corpus's short pieces, rounds the weights to 8 bits times powers of two,
writes the files of the package and of the page, finds the rule by which it doubts, lists the French
words that it knows, and prints how good the rounded translator is. A training that was killed goes
on when the command is given again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import torch

from lessons.trained import train
from lessons.trained.data import Data, read_data
from lessons.trained.grammar import grammar_corpus
from lessons.trained.options import Options
from lessons.trained.translator.doubt import RULE
from lessons.trained.translator.french_words import LIST, write_french_words
from lessons.trained.translator.loading import FOLDER, Translator, load_translator
from lessons.trained.translator.measuring import Row, measure
from lessons.trained.translator.measuring_doubt import main as measure_doubt
from lessons.trained.translator.page import PAGE, write_page
from lessons.trained.translator.rounding import round_weights
from transformer_lite.models import save
from transformer_lite.text import Batches
from transformer_lite.training import Trainer, cosine
from transformer_lite.training.long_run import CHECKPOINT

#: How long it reads short pieces besides, once it has been trained.
SHORT_STEPS = 1500


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, round, write and measure.

    Args:
        arguments: the command line; None takes that of the process.

    Returns:
        The exit status, which is 0 when all files have been written.
    """
    reader = argparse.ArgumentParser(
        "python -m lessons.trained.translator.make", description=__doc__.partition("\n")[0]
    )
    reader.add_argument("--work", default="trained", help="where the training is kept (trained)")
    reader.add_argument(
        "--as-it-is", action="store_true", help="take the model in --work, do not train"
    )
    chosen = reader.parse_args(arguments)
    work = Path(chosen.work)
    if not chosen.as_it_is:
        resume = ["--resume"] if (work / CHECKPOINT).exists() else []
        status = train.main(["--out", str(work), *resume])
        if status:
            return status
    options = Options.load(work)
    data = read_data(options)
    translator = load_translator(work)
    read_short_pieces(translator, data, options)
    print(f"\n{PAGE.name}: {write(translator):,} bytes")
    measure_doubt()
    count = write_french_words(data.train, data.tokenizer.tokens)
    print(f"{LIST.name}: {count:,} words")
    for name, pairs in data.tests.items():
        print(f"\n{name}\n{table(measure(load_translator(), pairs))}")
    return 0


def read_short_pieces(translator: Translator, data: Data, options: Options) -> None:
    """Train on, at a low rate, with two adjectives and pronouns of nobody named among the rest."""
    short = grammar_corpus(options.seed, options.pairs).short
    batches = Batches([*data.train, *short], translator.tokenizer, options.max_tokens, options.seed)
    rate = partial(cosine, peak=options.peak / 6, warm_up=SHORT_STEPS // 15, steps=SHORT_STEPS)
    translator.model.train()
    trainer = Trainer(translator.model, batches, rate, label_smoothing=options.label_smoothing)
    trainer.run(SHORT_STEPS)
    translator.model.eval()


def write(translator: Translator, folder: Path = FOLDER, page: Path = PAGE) -> int:
    """Round a translator, and write its files and the page's; return the size of the latter.

    A rule of doubt that was measured on another model is taken away.

    Raises:
        OSError: a file cannot be written.
    """
    round_weights(translator.model)
    save(translator.model, folder, torch.float16)
    translator.tokenizer.save(folder / "vocabulary.json")
    (folder / RULE).unlink(missing_ok=True)
    return write_page(load_translator(folder), page)


def table(rows: Sequence[Row]) -> str:
    """Write a table of exact match as text: name, pairs, share, and the first mistake.

    >>> print(table([Row("all", 4, 0.75, ("oui", "no", "yes"))]))
    all                        4   75.0 %  oui -> no (yes)
    """
    lines = []
    for row in rows:
        wrong = "{} -> {} ({})".format(*row.wrong) if row.wrong else ""
        lines.append(f"{row.name:<22}{row.pairs:>6}{100 * row.exact:>7.1f} %  {wrong}".rstrip())
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
