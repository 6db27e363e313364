"""What ``python -m lessons.trained.train --strategy …`` does in each of its workers."""

from __future__ import annotations

from pathlib import Path

from lessons.trained.data import Data, save_data, size_of
from lessons.trained.options import RUN, Options
from transformer_lite.device import seed_everything
from transformer_lite.models.build import build
from transformer_lite.text import Batches
from transformer_lite.training.distributed.batches import WorkerBatches
from transformer_lite.training.distributed.checkpoints import load_sharded, newest_checkpoint
from transformer_lite.training.distributed.evaluation import distributed_evaluation
from transformer_lite.training.distributed.long_run import train_distributed
from transformer_lite.training.distributed.strategies import (
    STRATEGIES,
    checkpoint_layers,
    compile_layers,
)
from transformer_lite.training.distributed.trainer import WorkerTrainer
from transformer_lite.training.distributed.workers import Workers


def worker_trainer(options: Options, data: Data, workers: Workers) -> WorkerTrainer:
    """Return a fresh trainer of a fresh model, as the options say, on this worker.

    Args:
        options: with a strategy.
        data: the same on all workers, who have to call it all.
        workers: who this one is.
    """
    seed_everything(options.seed)  # the same weights everywhere
    model = build(options.config(len(data.tokenizer))).to(workers.device)
    if options.checkpointing:
        checkpoint_layers(model)
    if options.compile:
        compile_layers(model)
    batches = Batches(data.train, data.tokenizer, options.max_tokens, options.seed)
    return WorkerTrainer(
        STRATEGIES[str(options.strategy)](model, workers), WorkerBatches(batches, workers),
        options.rate, label_smoothing=options.label_smoothing,
        weight_decay=options.weight_decay, accumulate=options.accumulate,
        autocast=None if options.precision is None else options.precision == "bfloat16",
        seed=options.seed,
    )  # fmt: skip


def train_as_worker(
    options: Options, data: Data, folder: Path, resume: bool, sample: int
) -> tuple[Workers, str]:
    """Train with all workers; the first one reports.

    Args:
        options: with a strategy.
        data: the same on all workers.
        folder: of the checkpoints and of the best model.
        resume: whether to go on from the newest checkpoint, if there is one.
        sample: how many held-out sentences are translated at each evaluation.

    Returns:
        The workers, and how it ended in words.
    """
    workers = Workers.current()
    trainer = worker_trainer(options, data, workers)
    if resume and workers.run_on_first(lambda: newest_checkpoint(folder) is not None):
        load_sharded(trainer, folder)
    elif not resume:
        workers.run_on_first(lambda: save_data(options, data, folder))
    if workers.first:
        print(
            f"{size_of(data)}, {len(data.tokenizer):,} tokens, {options.strategy} on "
            f"{workers.world_size} workers, {workers.device}. From step {trainer.step:,}. "
            f"The options are in {folder / RUN}."
        )
    evaluate = distributed_evaluation(data.validation, data.tokenizer, workers, sample)
    why = train_distributed(trainer, folder, options.plan, evaluate)
    return workers, f"Ended by its {why} at step {trainer.step:,}."
