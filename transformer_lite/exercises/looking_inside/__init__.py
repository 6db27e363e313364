"""Looking inside: pooling without pads, a silenced head, a fair probe, and a patched run."""

from transformer_lite.exercises.looking_inside.leave_one_out import leave_one_out
from transformer_lite.exercises.looking_inside.mean_pool import mean_pool
from transformer_lite.exercises.looking_inside.patched_share import patched_share
from transformer_lite.exercises.looking_inside.silence_head import silence_head

__all__ = ["leave_one_out", "mean_pool", "patched_share", "silence_head"]
