"""Normalization inside a network: groups of features, the wrong axis, and pads that count."""

from transformer_lite.exercises.normalization.batch_norm import batch_norm
from transformer_lite.exercises.normalization.batch_norm_without_pads import batch_norm_without_pads
from transformer_lite.exercises.normalization.group_norm import group_norm

__all__ = ["batch_norm", "batch_norm_without_pads", "group_norm"]
