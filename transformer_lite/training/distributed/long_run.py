"""Long training runs with many workers: all stop together, and one of them reports."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

from transformer_lite.models.saving import save
from transformer_lite.models.transformer import Transformer
from transformer_lite.training.distributed.checkpoints import save_sharded
from transformer_lite.training.distributed.trainer import WorkerTrainer
from transformer_lite.training.long_run import (
    Plan,
    evaluate_and_record,
    reason_to_stop,
    train_until,
)
from transformer_lite.training.terminal import TerminalBar

Evaluate = Callable[[Transformer], dict[str, float]]


def train_distributed(
    trainer: WorkerTrainer, folder: str | Path, plan: Plan, evaluate: Evaluate | None = None
) -> str:
    """Continue training on all workers until the plan is done.

    After every interval the checkpoint is written; a worker that is killed at any moment costs at
    most the steps after the last one. The model with the lowest held-out loss so far is saved in
    `folder`, whole, for ``transformer_lite.load``; without `evaluate`, the latest one.

    Args:
        trainer: each worker its own, fresh or with its checkpoint loaded.
        folder, plan: as in :func:`transformer_lite.training.train`.
        evaluate: from a whole copy of the model to what is measured, the same on all workers. All
            call it at the same time, so it may share the work, as
            :func:`distributed_evaluation` does.

    Returns:
        What ended the training, "steps", "minutes" or "patience".

    Raises:
        LossNotFiniteError: as in :meth:`transformer_lite.training.Trainer.train_step`, on all.
        OSError: a file cannot be written; the last checkpoint stays.
    """
    folder, start = Path(folder), time.monotonic()
    stream = sys.stderr if trainer.workers.first else io.StringIO()  # only the first one reports
    bar = TerminalBar(trainer.step, plan.steps, stream)

    def keep() -> None:
        whole = trainer.strategy.whole_model()
        if evaluate_and_record(trainer, whole, evaluate, bar):
            trainer.workers.run_on_first(lambda: save(whole, folder))
        save_sharded(trainer, folder)

    return train_until(
        lambda: _common_reason_to_stop(trainer, plan, start), trainer, plan, keep, bar
    )


def _common_reason_to_stop(trainer: WorkerTrainer, plan: Plan, start: float) -> str | None:
    """Return the reason to stop now, by the first worker's clock, because clocks differ."""
    if plan.minutes is None:
        return reason_to_stop(trainer, plan, 0.0)
    return trainer.workers.run_on_first(
        lambda: reason_to_stop(trainer, plan, time.monotonic() - start)
    )
