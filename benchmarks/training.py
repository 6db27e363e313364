"""Compare training speed in tokens a second with nn.Transformer and Hugging Face's Marian.

The package's trainer is compared with the same loop around the other models: the same batches of
the grammar corpus, sizes, loss, clipping and optimizer, taking turns in one process. It runs in
float32 on a CPU, and under bfloat16 autocast on a GPU.
"""

import itertools
from collections.abc import Callable

import torch
import torch.nn.functional as F
from peers import (
    DEVICE,
    ON_GPU,
    PAD,
    VOCABULARY,
    Marian,
    TorchTransformer,
    milliseconds,
    ours,
    report,
    rounded,
)
from torch import nn

from lessons.trained.grammar import grammar_corpus
from transformer_lite.text import Batch, Batches, WordTokenizer
from transformer_lite.training import Trainer

PAIRS, MAX_TOKENS, STEPS, ROUNDS = 5000, 16384 if ON_GPU else 1024, 8, 15 if ON_GPU else 5
PEERS = {"ours, untied": "nn.Transformer", "ours, tied": "Marian"}


def some_batches() -> list[Batch]:
    """Return the batches that all models train on repeatedly."""
    pairs = grammar_corpus(size=PAIRS, held_out=1).train
    tokenizer = WordTokenizer.train(text for pair in pairs for text in pair[:2])
    return list(itertools.islice(Batches(pairs, tokenizer, MAX_TOKENS), STEPS))


def our_steps(model: nn.Module, batches: list[Batch]) -> Callable[[], None]:
    """Return a function that trains on all batches once with the package's trainer."""
    trainer = Trainer(model, itertools.cycle(batches), lambda step: 1e-4)

    def run() -> None:
        for _ in batches:
            trainer.train_step()

    return run


def plain_steps(model: nn.Module, batches: list[Batch]) -> Callable[[], None]:
    """Return a function that does the same with another library's model, in a plain loop."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), fused=True)

    def run() -> None:
        model.train()
        for batch in batches:
            source, inputs, labels = (
                ids.to(DEVICE) for ids in (batch.src, batch.inputs, batch.labels)
            )
            optimizer.zero_grad()
            with torch.autocast(DEVICE.type, torch.bfloat16, enabled=ON_GPU):
                logits = model(source, inputs).reshape(-1, VOCABULARY)
                loss = F.cross_entropy(
                    logits, labels.reshape(-1), ignore_index=PAD, label_smoothing=0.1
                )
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            loss.item()  # read every step, as in the trainer

    return run


def main() -> None:
    batches = some_batches()
    tokens = sum(int((batch.labels != PAD).sum()) for batch in batches)
    runs = {
        "nn.Transformer": plain_steps(TorchTransformer().to(DEVICE), batches),
        "ours, untied": our_steps(ours(tied=False), batches),
        "Marian": plain_steps(Marian().to(DEVICE), batches),
        "ours, tied": our_steps(ours(tied=True), batches),
    }
    times = milliseconds(runs, ROUNDS, warm_up=1)
    rows = [
        {
            "model": name,
            "target tokens/s": round(1000 * tokens / took),
            "times the peer's": rounded(times[PEERS[name]] / took) if name in PEERS else "",
        }
        for name, took in times.items()
    ]
    rates = {row["model"]: row["target tokens/s"] for row in rows}
    note = f"{STEPS} batches of up to {MAX_TOKENS} tokens of either side, {tokens} target tokens."
    note += f" Ours, tied, trains at {rates['ours, tied'] / rates['Marian']:.2f} times Marian's."
    report("training_gpu" if ON_GPU else "training", "Training on real sentences", rows, note)


if __name__ == "__main__":
    main()
