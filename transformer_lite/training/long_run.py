"""Long training runs: evaluate on held-out sentences, write checkpoints, and stop early."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_lite.checks import check_number, check_size
from transformer_lite.models.saving import save
from transformer_lite.models.transformer import Transformer
from transformer_lite.training.checkpoint import save_checkpoint
from transformer_lite.training.terminal import TerminalBar
from transformer_lite.training.trainer import Trainer

CHECKPOINT = "checkpoint.safetensors"


@dataclass(frozen=True)
class Plan:
    """How long to train, and how often to evaluate.

    Attributes:
        steps: the last step.
        every: the number of steps between evaluations, which also write a checkpoint.
        patience: stop after this many evaluations without a lower held-out loss; None never does.
        minutes: stop after this time, counted from the start or from resuming; None never does.

    Raises:
        TypeError, ValueError: a number is of the wrong type, or out of range.
    """

    steps: int
    every: int = 500
    patience: int | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        check_size("steps", self.steps)
        check_size("every", self.every)
        if self.patience is not None:
            check_size("patience", self.patience)
        if self.minutes is not None:
            check_number("minutes", self.minutes)


def train(
    trainer: Trainer,
    folder: str | Path,
    plan: Plan,
    evaluate: Callable[[Transformer], dict[str, float]] | None = None,
) -> str:
    """Continue training until the plan is done.

    A checkpoint is written after every interval, so killing the process loses at most the steps
    since then. The model with the lowest held-out loss so far is saved in `folder`, for
    ``transformer_lite.load``; without `evaluate`, the latest one.

    Args:
        trainer: a new one, or one that has loaded its checkpoint.
        folder: the folder of the checkpoint and the model.
        plan: how long to train, and how often to evaluate.
        evaluate: measures the model on held-out sentences and returns results by name; "loss" is
            the loss per token. The trainer stores them in its `evaluations`.

    Returns:
        The reason for the end: "steps", "minutes" or "patience".

    Raises:
        LossNotFiniteError: as in :meth:`Trainer.train_step`; the last checkpoint stays.
        OSError: a file cannot be written; the last checkpoint stays.
    """
    folder, start = Path(folder), time.monotonic()
    bar = TerminalBar(trainer.step, plan.steps)

    def keep() -> None:
        if evaluate_and_record(trainer, trainer.model, evaluate, bar):
            save(trainer.model, folder)
        save_checkpoint(trainer, folder / CHECKPOINT)

    def reason() -> str | None:
        return reason_to_stop(trainer, plan, time.monotonic() - start)

    return train_until(reason, trainer, plan, keep, bar)


def train_until(
    reason_to_end: Callable[[], str | None],
    trainer: Trainer,
    plan: Plan,
    keep: Callable[[], None],
    bar: TerminalBar,
) -> str:
    """Take steps until there is a reason to end, and return the reason.

    Args:
        reason_to_end: called before each step; None continues.
        trainer, plan: as in :func:`train`.
        keep: evaluates the model and writes the checkpoint, after every interval.
        bar: shows each step.
    """
    kept_at = -1
    while (reason := reason_to_end()) is None:
        record = trainer.train_step()
        bar.show(trainer.step, f"loss {record.loss:.3f}", record.tokens)
        if trainer.step % plan.every == 0 or trainer.step == plan.steps:
            keep()
            kept_at = trainer.step
    if reason == "minutes" and kept_at != trainer.step:  # in the middle of an interval
        keep()
    bar.close()
    return reason


def has_stalled(losses: Sequence[float], patience: int) -> bool:
    """Return whether none of the last `patience` losses is lower than the lowest before them.

    >>> has_stalled([3.0, 2.0, 2.1, 2.0], patience=2)
    True
    >>> has_stalled([3.0, 2.0, 2.1, 1.9], patience=2)
    False
    """
    before, latest = losses[:-patience], losses[-patience:]
    return bool(before) and min(latest) >= min(before)


def reason_to_stop(trainer: Trainer, plan: Plan, seconds: float) -> str | None:
    """Return the reason to stop now, as in :func:`train`; None to continue.

    Args:
        trainer: the trainer with its current step.
        plan: how long to train.
        seconds: how long it has trained.
    """
    losses = [measured["loss"] for measured in trainer.evaluations]
    if trainer.step >= plan.steps:
        return "steps"
    if plan.patience is not None and has_stalled(losses, plan.patience):
        return "patience"
    if plan.minutes is not None and seconds >= 60 * plan.minutes:
        return "minutes"
    return None


def evaluate_and_record(
    trainer: Trainer,
    model: Transformer,
    evaluate: Callable[[Transformer], dict[str, float]] | None,
    bar: TerminalBar,
) -> bool:
    """Evaluate a model, store the results, and return whether it is the best so far."""
    if evaluate is None:
        return True
    measured = {"step": trainer.step, **evaluate(model)}
    best = all(measured["loss"] < earlier["loss"] for earlier in trainer.evaluations)
    trainer.evaluations.append(measured)
    bar.note(", ".join(f"{name} {value:.4g}" for name, value in measured.items()))
    return best
