"""Trainings on real sentences, in numbers: python benchmarks/captions.py FOLDER …

Each folder is one that ``python -m lessons.trained.train --source … --out FOLDER`` has filled.
The training took the time from its options to its last checkpoint; what it read is found where
its options say. Its best model is measured again, greedily and with beams,
by sacreBLEU's default tokenizer and by one that parts *d'un* as well. Its loss on training
sentences, as many as were held out, says how much it has learned by heart.
"""

import json
import random
import shlex
import sys
from dataclasses import fields
from pathlib import Path

import sacrebleu
from peers import report, rounded

from lessons.trained.data import read_data
from lessons.trained.options import RUN, Options
from lessons.trained.recorded import CAPTIONS
from lessons.trained.train import SAMPLE
from transformer_lite.models import load
from transformer_lite.text import SubwordTokenizer
from transformer_lite.training import (
    corpus_bleu,
    exact_match,
    held_out_loss,
    read_checkpoint,
    translate,
)
from transformer_lite.training.long_run import CHECKPOINT

BEAMS = (1, 4)
RUN_OF_THE_BOOK = "en-fr"  # the run described in chapter 27


def command(options: Options) -> str:
    """Return the shortest command line for these options."""
    files = {"source": options.source, "target": options.target}
    usual = vars(Options.chosen(**files, steps=options.steps))
    usual = usual | {"source": None, "target": None, "steps": Options.chosen(**files).steps}
    words = ["python", "-m", "lessons.trained.train"]
    for field in fields(Options):
        value = getattr(options, field.name)
        if value == usual[field.name]:
            continue
        words.append(f"--{field.name.replace('_', '-')}")
        words += [] if value is True else [str(value)]
    return shlex.join(words)


def rows_of_training(folder: Path) -> list[dict]:
    """Return the rows of one training: its best model, with each beam width."""
    options, state = Options.load(folder), read_checkpoint(folder / CHECKPOINT)
    minutes = ((folder / CHECKPOINT).stat().st_mtime - (folder / RUN).stat().st_mtime) / 60
    tokenizer, model = SubwordTokenizer.load(folder / "vocabulary.json"), load(folder)
    data = read_data(options)
    pairs = data.validation
    known = random.Random(0).sample(data.train, len(pairs))
    epoch = sum(len(tokenizer.encode(pair.target)) + 1 for pair in data.train)
    seen = sum(record[-1] for record in state["history"])
    known_loss = rounded(held_out_loss(model, tokenizer, known))
    best = min(state["evaluations"], key=lambda measured: measured["loss"])
    print(f"{folder.name}: {command(options)}")
    rows = []
    for width in BEAMS:
        written = translate(model, tokenizer, [pair.source for pair in pairs], width)
        targets = [pair.target for pair in pairs]
        bleu = corpus_bleu(written, targets)
        apart = sacrebleu.corpus_bleu(written, [targets], tokenize="intl")
        rows.append(
            {
                "run": folder.name,
                "beam": width,
                "BLEU": rounded(bleu.score),
                "BLEU, marks and elisions apart": rounded(apart.score),
                "exact match": rounded(exact_match(written, targets)),
                "held-out loss": rounded(best["loss"]),
                "loss of training sentences": known_loss,
                "best step": best["step"],
                "steps": state["step"],
                "target tokens": seen,
                "target tokens of an epoch": epoch,
                "minutes": round(minutes, 1),
                "weights": sum(weight.numel() for weight in model.parameters()),
                "pairs": len(pairs),
                "signature": bleu.signature,
                "command": command(options),
            }
        )
    return rows


def of_one_run(rows: list[dict], log: list[dict]) -> dict[str, list[dict]]:
    """Return the results that a chapter shows, which can read the package but not benchmarks."""
    results = {"scores": rows, "log": log}
    return {
        key: [r for r in found if r["run"] == RUN_OF_THE_BOOK] for key, found in results.items()
    }


def main(folders: list[str]) -> None:
    if not folders:
        print(f"\n{__doc__}")
        return
    runs = [Path(folder) for folder in folders]
    log = [
        {"run": run.name, **{name: rounded(value, 4) for name, value in measured.items()}}
        for run in runs
        for measured in read_checkpoint(run / CHECKPOINT)["evaluations"]
    ]
    report("captions_log", "The same while they trained", log, f"Of {SAMPLE} sentences; greedy.")
    rows = [row for run in runs for row in rows_of_training(run)]
    report("captions", "Trainings on real captions", rows, "Of all validation sentences.")
    CAPTIONS.write_text(json.dumps(of_one_run(rows, log), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
