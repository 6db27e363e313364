"""Looking inside: pooling without pads, a silenced head, a fair probe, and a patched run."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.looking_inside.exercises.leave_one_out import leave_one_out
    from lessons.looking_inside.exercises.mean_pool import mean_pool
    from lessons.looking_inside.exercises.patched_share import patched_share
    from lessons.looking_inside.exercises.silence_head import silence_head

__all__ = ["leave_one_out", "mean_pool", "patched_share", "silence_head"]
