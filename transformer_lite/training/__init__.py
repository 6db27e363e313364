"""Training: the schedule, the loop, checkpoints that resume bit for bit, and evaluation."""

from transformer_lite.training.checkpoint import (
    load_checkpoint,
    read_checkpoint,
    save_checkpoint,
)
from transformer_lite.training.evaluation import (
    Bleu,
    corpus_bleu,
    exact_match,
    held_out_loss,
    translate,
)
from transformer_lite.training.long_run import Plan, has_stalled, train
from transformer_lite.training.schedule import cosine, inverse_root, paper_peak
from transformer_lite.training.trainer import LossNotFiniteError, Record, Trainer

__all__ = [
    "Bleu",
    "LossNotFiniteError",
    "Plan",
    "Record",
    "Trainer",
    "corpus_bleu",
    "cosine",
    "exact_match",
    "has_stalled",
    "held_out_loss",
    "inverse_root",
    "load_checkpoint",
    "paper_peak",
    "read_checkpoint",
    "save_checkpoint",
    "train",
    "translate",
]
