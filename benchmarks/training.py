"""Compare a step of training with nn.Transformer's and with Hugging Face's models.

The package's trainer is compared with the same loop around the other translators: the same batches
of the grammar corpus, sizes, loss, clipping and optimizer. Our GPT-2 and Hugging Face's run in the
same loop. All take turns in one process, in float32 on one thread of a CPU, or under bfloat16
autocast on a GPU.
"""

import itertools
import statistics
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
    alternate,
    batch,
    ours,
    report,
    rounded,
)
from peers.machines import gpt2
from torch import Tensor, nn

from lessons.trained.grammar import grammar_corpus
from transformer_lite.models import from_hugging_face
from transformer_lite.text import Batch, Batches, WordTokenizer
from transformer_lite.training import Trainer

PAIRS, MAX_TOKENS, STEPS, ROUNDS = 5000, 16384 if ON_GPU else 1024, 2, 15 if ON_GPU else 5
TEXTS, LENGTH = (64, 256) if ON_GPU else (8, 128)
Runs = dict[str, Callable[[], None]]


def some_batches(steps: int) -> list[Batch]:
    """Return the batches that all translators train on repeatedly."""
    pairs = grammar_corpus(size=PAIRS, held_out=1).train
    tokenizer = WordTokenizer.train(text for pair in pairs for text in pair[:2])
    return list(itertools.islice(Batches(pairs, tokenizer, MAX_TOKENS), steps))


def our_steps(model: nn.Module, batches: list[Batch], autocast: bool) -> Callable[[], None]:
    """Return a function that trains on all batches once with the package's trainer."""
    trainer = Trainer(model, itertools.cycle(batches), lambda step: 1e-4, autocast=autocast)

    def run() -> None:
        for _ in batches:
            trainer.train_step()

    return run


def plain_steps(
    model: nn.Module,
    examples: list[tuple[tuple[Tensor, ...], Tensor]],
    smoothing: float,
    autocast: bool,
) -> Callable[[], None]:
    """Return a function that does the same in a plain loop around any model.

    Args:
        model: called with the inputs of an example; returns logits.
        examples: inputs and labels.
        smoothing: the label smoothing.
        autocast: whether to multiply in bfloat16.
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), fused=True)

    def run() -> None:
        model.train()
        for inputs, labels in examples:
            optimizer.zero_grad()
            with torch.autocast(DEVICE.type, torch.bfloat16, enabled=autocast):
                logits = model(*(ids.to(DEVICE) for ids in inputs))
                loss = F.cross_entropy(
                    logits.reshape(-1, VOCABULARY), labels.to(DEVICE).reshape(-1),
                    ignore_index=PAD, label_smoothing=smoothing,
                )  # fmt: skip
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            loss.item()  # read every step, as in the trainer

    return run


class Logits(nn.Module):
    """A model of Hugging Face that returns only its logits."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor) -> Tensor:
        return self.model(input_ids=ids, use_cache=False).logits


def training_runs(steps: int, autocast: bool = False) -> dict[str, Runs]:
    """Return, for each machine, functions that take this many steps of training."""
    batches = some_batches(steps)
    pairs = [((each.src, each.inputs), each.labels) for each in batches]
    texts = batch(steps * TEXTS, LENGTH + 1).split(TEXTS)
    lines = [((ids[:, :-1],), ids[:, 1:]) for ids in texts]
    theirs = gpt2().to(DEVICE)
    same = from_hugging_face(theirs)
    return {
        "translator": {
            "nn.Transformer": plain_steps(TorchTransformer().to(DEVICE), pairs, 0.1, autocast),
            "ours, untied": our_steps(ours(tied=False), batches, autocast),
        },
        "tied translator": {
            "Hugging Face's Marian": plain_steps(Marian().to(DEVICE), pairs, 0.1, autocast),
            "ours, tied": our_steps(ours(tied=True), batches, autocast),
        },
        "GPT-2": {
            "Hugging Face's GPT-2": plain_steps(Logits(theirs), lines, 0.0, autocast),
            "ours": plain_steps(same, lines, 0.0, autocast),
        },
    }


def compare(rounds: int, autocast: bool) -> list[dict]:
    """Return one row for each machine: its step next to the peer's."""
    rows = []
    for machine, runs in training_runs(STEPS, autocast).items():
        times = alternate(runs, rounds)
        peer, mine = runs
        middle, low, high = times[peer].times_faster(times[mine])
        rows.append({
            "machine": machine,
            "peer": peer,
            "peer's step, ms": rounded(statistics.median(times[peer].counted) / STEPS),
            "our step, ms": rounded(statistics.median(times[mine].counted) / STEPS),
            "our share of the peer's step": middle,
            "quartiles": f"{low} to {high}",
            "by the clock": round(
                statistics.median(times[mine].wall) / statistics.median(times[peer].wall), 2
            ),
        })  # fmt: skip
    return rows


def main() -> None:
    torch.manual_seed(6)
    torch.set_num_threads(1)
    rows = compare(ROUNDS, autocast=ON_GPU)
    clock = "by the clock" if ON_GPU else "in processor time, one thread"
    note = (
        f"Translators: batches of up to {MAX_TOKENS} tokens of either side. GPT-2: {TEXTS} texts "
    )
    note += (
        f"of {LENGTH} tokens. Milliseconds {clock}; medians of {ROUNDS} rounds of {STEPS} steps."
    )
    report("training_gpu" if ON_GPU else "training", "One step of training", rows, note)


if __name__ == "__main__":
    main()
