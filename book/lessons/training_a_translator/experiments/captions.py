"""When a translator learns 5,000 real captions by heart, and what dropout and weight decay change.

A fresh translator of two layers on each side learns the first 5,000 captions of Multi30k, from
English to French in lower case. After each pass through them, "training" is the loss of 500 of
these captions in evaluation mode, "held out" that of 500 of the validation captions, and "right"
the fraction of held-out tokens that get the highest probability. No label is smoothed.

The captions are not part of the book. Download train.en.gz, train.fr.gz, val.en.gz and val.fr.gz
from https://github.com/multi30k/dataset (data/task1/raw), then run this:

    MULTI30K=FOLDER python -m lessons.kit.experiments captions

Reference: Elliott et al. 2016, Multi30K.
"""

import os
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path

import torch

from transformer_lite.layers import cross_entropy
from transformer_lite.models import Transformer, TransformerConfig, build
from transformer_lite.text import Batch, Batches, Pair, SubwordTokenizer, read_parallel
from transformer_lite.training import Trainer, inverse_root

GRID = {
    "against": ["nothing", "dropout 0.2", "weight decay 0.2", "weight decay 1"],
    "passes": [1, 24],
}
TOLERANCE = {"training": 0.3, "held out": 0.3, "right": 0.1}
DROPOUT = {"dropout 0.2": 0.2}
DECAY = {"weight decay 0.2": 0.2, "weight decay 1": 1.0}
PAIRS, MEASURED, VOCABULARY, TOKENS, PEAK, WARM_UP = 5_000, 500, 2_000, 1024, 0.004, 200


@cache
def data() -> tuple[SubwordTokenizer, list[Pair], list[Pair]]:
    """Return a tokenizer, the pairs to learn and the held-out pairs.

    Raises:
        FileNotFoundError: the environment variable MULTI30K does not name the captions' folder.
    """
    folder = Path(os.environ.get("MULTI30K", ""))
    if not (folder / "train.en.gz").exists():
        raise FileNotFoundError(
            "the environment variable MULTI30K must name the folder of train.en.gz, train.fr.gz, "
            f"val.en.gz and val.fr.gz, got {os.environ.get('MULTI30K')!r}; download them from "
            "https://github.com/multi30k/dataset (data/task1/raw)"
        )
    train, held_out = (
        [
            Pair(pair.source.lower(), pair.target.lower())
            for pair in read_parallel(folder / f"{name}.en.gz", folder / f"{name}.fr.gz")[:count]
        ]
        for name, count in (("train", PAIRS), ("val", MEASURED))
    )
    texts = [text for pair in train for text in pair[:2]]
    return SubwordTokenizer.train(texts, VOCABULARY), train, held_out


def loss_and_right(model: Transformer, batches: Iterable[Batch]) -> tuple[float, float]:
    """Return the mean loss of the target tokens, and the fraction that is most probable."""
    model.eval()
    loss, right, tokens = 0.0, 0, 0
    for batch in batches:
        with torch.no_grad():
            logits = model(batch.src, batch.inputs)
        real = batch.labels != model.pad_id
        count = int(real.sum())  # type: ignore[attr-defined]  # mypy takes it for a bool
        loss += count * cross_entropy(logits, batch.labels, pad_id=model.pad_id).item()
        right += int((logits.argmax(dim=-1) == batch.labels)[real].sum())
        tokens += count
    return loss / tokens, right / tokens


def point(against: str, passes: int) -> dict[str, list[float]]:
    """Train one model and measure it after each pass."""
    tokenizer, train, held_out = data()
    model = build(
        TransformerConfig(
            len(tokenizer),
            len(tokenizer),
            64,
            num_heads=4,
            d_ff=256,
            num_encoder_layers=2,
            num_decoder_layers=2,
            dropout=DROPOUT.get(against, 0.0),
            residual="pre",
            tie_embeddings=True,
        )
    )
    batches = Batches(train, tokenizer, TOKENS)
    trainer = Trainer(
        model,
        batches,
        partial(inverse_root, peak=PEAK, warm_up=WARM_UP),
        label_smoothing=0.0,
        weight_decay=DECAY.get(against, 0.0),
    )
    known, new = (Batches(pairs, tokenizer, TOKENS) for pairs in (train[:MEASURED], held_out))
    found: dict[str, list[float]] = {"training": [], "held out": [], "right": []}
    for _ in range(passes):
        trainer.run(len(batches))
        loss, right = loss_and_right(model, new.once())
        found["training"].append(loss_and_right(model, known.once())[0])
        found["held out"].append(loss)
        found["right"].append(right)
    return found
