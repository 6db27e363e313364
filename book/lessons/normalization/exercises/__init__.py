"""Normalization inside a network: groups of features, the wrong axis, and pads that count."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.normalization.exercises.batch_norm import batch_norm
    from lessons.normalization.exercises.batch_norm_without_pads import batch_norm_without_pads
    from lessons.normalization.exercises.group_norm import group_norm

__all__ = ["batch_norm", "batch_norm_without_pads", "group_norm"]
