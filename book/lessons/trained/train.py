"""Train a translator from a terminal; ``python -m lessons.trained.train --help`` says how."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lessons.trained.data import Data, read_data, save_data, size_of
from lessons.trained.options import FILE_NAMES, FILES, GRAMMAR, RUN, VOCABULARY, Options, flag
from transformer_lite.device import best_device, seed_everything
from transformer_lite.models import Transformer, build, load
from transformer_lite.text import Batches, Pair, Tokenizer
from transformer_lite.training import (
    LossNotFiniteError,
    Trainer,
    corpus_bleu,
    exact_match,
    held_out_loss,
    load_checkpoint,
    train,
    translate,
)
from transformer_lite.training.long_run import CHECKPOINT

EPILOG = """\
Without any argument it draws the French-English corpus by grammar and trains the translator of
the book on it. With --source and --target it trains on your own files, plain text or .gz, one
sentence a line, with joint subwords.

The folder --out holds the checkpoint, the best model so far (model.safetensors, config.json), its
vocabulary and the options. A training that was stopped or killed goes on with --resume, bit for
bit.

With --strategy it trains with as many workers as torchrun starts: ddp gives each the whole model,
fsdp a part of each weight. Their batches together are those of one worker. If a worker dies,
--max-restarts lets all go on from the last checkpoint. Its checkpoints go on with any number of
workers.

  python -m lessons.trained.train
  python -m lessons.trained.train --source train.fr.gz --target train.en.gz --out fr-en
  python -m lessons.trained.train --out fr-en --resume
  torchrun --standalone --nproc-per-node 4 --max-restarts 3 \\
    -m lessons.trained.train --strategy fsdp --out fr-en
"""
HELP = {
    "source": "training sentences to translate from",
    "target": "training sentences to translate to",
    "validation_source": "held-out sentences; without them some are taken away from training",
    "validation_target": "their translations",
    "test_source": "sentences that are translated and scored at the end",
    "test_target": "their translations",
    "pairs": "sentence pairs that the corpus by grammar draws",
    "vocabulary": "joint subwords of files",
    "skip_long": "leave out training pairs of files that are longer than --max-tokens",
    "lower_case": "read files in lower case, references included",
    "steps": "the step to stop at",
    "minutes": "stop after this time, counted anew after --resume",
    "every": "steps between two evaluations, each with a checkpoint",
    "patience": "stop when so many evaluations have not improved",
    "d_model": "width",
    "num_heads": "attention heads",
    "d_ff": "width of the feed-forward layers",
    "encoder_layers": "layers of the encoder",
    "decoder_layers": "layers of the decoder",
    "dropout": "share of numbers that are dropped in training",
    "max_tokens": "largest batch, in tokens of either side",
    "accumulate": "batches that make one step",
    "label_smoothing": "share of each target that all words get",
    "weight_decay": "share of each weight, times the rate, that a step takes away",
    "schedule": "cosine or inverse_root",
    "peak": "highest learning rate",
    "warm_up": "steps in which the rate rises",
    "seed": "of weights, dropout and the order of the data",
    "beam_width": "of the translations at the end; 1 is greedy",
    "strategy": "ddp or fsdp: train with the workers that torchrun has started",
    "precision": "float32 or bfloat16, of products; needs --strategy (what the device does best)",
    "checkpointing": "compute activations again and keep fewer; needs --strategy",
    "compile": "compile the layers; needs --strategy, and a compiler of C++",
}
RESUMABLE = {"minutes", *FILE_NAMES}  # what may be said again when a training goes on
SAMPLE = 200  # held-out sentences that are translated at every evaluation


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line: one argument for each of the options."""
    made = argparse.ArgumentParser(
        "python -m lessons.trained.train",
        description="Train a Transformer to translate.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--out", default="trained", help="the folder to write to (trained)")
    made.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    for field in dataclasses.fields(Options):
        told = HELP[field.name] + _default(field)
        settings: dict[str, Any] = {"dest": field.name, "default": argparse.SUPPRESS, "help": told}
        if field.type == "bool":
            made.add_argument(flag(field.name), action="store_true", **settings)
        else:
            kind = {"int": int, "float": float}.get(str(field.type).partition(" ")[0], str)
            made.add_argument(
                flag(field.name), type=kind, metavar=kind.__name__.upper(), **settings
            )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as the command line says.

    Args:
        arguments: the command line; None takes that of the process.

    Returns:
        The exit status, which is 0 when the training has ended as planned.
    """
    reader = parser()
    choices = vars(reader.parse_args(arguments))
    folder, resume = Path(choices.pop("out")), choices.pop("resume")
    if not resume and _has_restarted(folder):
        resume, choices = True, {name: choices[name] for name in choices.keys() & RESUMABLE}
    try:
        _check_out(folder)
        options = _options(folder, resume, choices)
        data = read_data(options, _vocabulary(folder, options) if resume else None)
        reports = _train(options, data, folder, resume)
    except (ValueError, TypeError) as error:
        print(f"{reader.prog}: {_with_flags(str(error))}", file=sys.stderr)
        return 1
    except (OSError, LossNotFiniteError) as error:
        print(f"{reader.prog}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped. Go on with --resume --out {folder}", file=sys.stderr)
        return 130
    if reports:
        _report(folder, data, options.beam_width)
    return 0


def trainer_of(options: Options, data: Data) -> Trainer:
    """Return a fresh trainer of a fresh model, as the options say."""
    seed_everything(options.seed)
    model = build(options.config(len(data.tokenizer))).to(best_device())
    batches = Batches(data.train, data.tokenizer, options.max_tokens, options.seed)
    return Trainer(
        model, batches, options.rate, accumulate=options.accumulate,
        label_smoothing=options.label_smoothing, weight_decay=options.weight_decay,
    )  # fmt: skip


def evaluation(
    pairs: Sequence[Pair], tokenizer: Tokenizer
) -> Callable[[Transformer], dict[str, float]]:
    """Return what measures a model on held-out pairs: loss, and BLEU and exact match of some."""
    sources = [pair.source for pair in pairs[:SAMPLE]]
    targets = [pair.target for pair in pairs[:SAMPLE]]

    def evaluate(model: Transformer) -> dict[str, float]:
        written = translate(model, tokenizer, sources)
        return {
            "loss": held_out_loss(model, tokenizer, pairs),
            "BLEU": corpus_bleu(written, targets).score,
            "exact match": exact_match(written, targets),
        }

    return evaluate


def _options(folder: Path, resume: bool, choices: dict[str, Any]) -> Options:
    """Return the options of a fresh training, or of the one that goes on."""
    if not resume:
        if (folder / CHECKPOINT).exists() or any(folder.glob("checkpoint-*")):
            raise ValueError(
                f"--out must be a folder without a checkpoint, got {folder}; "
                "add --resume to go on with it"
            )
        return Options.chosen(**choices)
    # A file may have moved, but there is no new one.
    others = choices.keys() - RESUMABLE or choices.keys() - {"minutes", *Options.load(folder).files}
    if others:
        raise ValueError(
            "--resume takes all from the training that goes on, but --out, --minutes and where its "
            f"files are now; got {', '.join(map(flag, sorted(others)))} too; leave that out, or "
            "begin anew with another --out"
        )
    return dataclasses.replace(Options.load(folder), **choices)


def _vocabulary(folder: Path, options: Options) -> Tokenizer:
    """Return the tokenizer of the training that goes on, if its files are still the same."""
    options.check_files(folder)
    return Tokenizer.load(folder / VOCABULARY)


def _check_out(folder: Path) -> None:
    """Require a folder, or a path where one can be made."""
    place = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    if not place.is_dir() or not os.access(place, os.W_OK):
        why = "cannot be written to" if place.is_dir() else "is not a folder"
        raise ValueError(f"--out must be a folder to write to, got {folder}: {place} {why}")


def _with_flags(message: str) -> str:
    """Name options in an error as they are typed.

    >>> _with_flags("max_tokens must be at least 1, got 0")
    '--max-tokens must be at least 1, got 0'
    """
    rule, got, came = message.partition(", got ")  # what came may be any word
    names = "|".join(Options.__dataclass_fields__)
    rule = re.sub(rf"(?<![\w./'-])(?:{names})(?![\w./'-])", lambda found: flag(found[0]), rule)
    return rule + got + re.sub(rf"\b(?:{names})(?==)", lambda found: flag(found[0]), came)


def _train(options: Options, data: Data, folder: Path, resume: bool) -> bool:
    """Train as the options say; return whether this process is the one that reports."""
    if options.strategy is not None:
        # Only here: PyTorch's engines take a while to load.
        from lessons.trained.worker import train_as_worker

        workers, ended = train_as_worker(options, data, folder, resume, SAMPLE)
        if workers.first:
            print(ended)
        return workers.first
    _check_one_process()
    trainer = trainer_of(options, data)
    weights = sum(weight.numel() for weight in trainer.model.parameters())
    print(
        f"{size_of(data)}, {len(data.tokenizer):,} tokens, {weights:,} weights, "
        f"{trainer.device}. The options are in {folder / RUN}."
    )
    if resume and (folder / CHECKPOINT).exists():
        load_checkpoint(trainer, folder / CHECKPOINT)
    elif not resume:
        save_data(options, data, folder)
    why = train(trainer, folder, options.plan, evaluation(data.validation, data.tokenizer))
    print(f"Ended by its {why} at step {trainer.step:,}.")
    return True


def _has_restarted(folder: Path) -> bool:
    """Return whether torchrun runs the same command line again, as a worker of it has died."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) > 0 and (folder / RUN).exists()


def _check_one_process() -> None:
    """Refuse to train alone where other workers would write the same files."""
    started = int(os.environ.get("WORLD_SIZE", "1"))
    if started > 1:
        raise ValueError(
            f"--strategy must be ddp or fsdp where torchrun starts {started} workers, got none"
        )


def _report(folder: Path, data: Data, beam_width: int) -> None:
    """Translate what was held out with the best model, and say how good it is."""
    model = load(folder, device=best_device())
    assert isinstance(model, Transformer)
    for name, pairs in data.tests.items():
        targets = [pair.target for pair in pairs]
        written = translate(model, data.tokenizer, [pair.source for pair in pairs], beam_width)
        bleu, exact = corpus_bleu(written, targets), exact_match(written, targets)
        print(f"\n{name}: {len(pairs):,} pairs, exact match {exact:.1%}, BLEU {bleu.score:.2f}")
        print(f"  {bleu.signature}")
        for pair, ours in list(zip(pairs, written, strict=True))[:3]:
            print(f"  {pair.source}\n    {ours}\n    ({pair.target})")


def _default(field: dataclasses.Field[Any]) -> str:
    grammar, files = (chosen.get(field.name, field.default) for chosen in (GRAMMAR, FILES))
    if grammar is None or grammar is False:
        return ""
    return f" ({grammar})" if grammar == files else f" ({grammar}, for files {files})"


if __name__ == "__main__":
    sys.exit(main())
