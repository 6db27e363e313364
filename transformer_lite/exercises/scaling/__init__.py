"""Scaling: gaps, temperature, the gradient of softmax, a scale upside down."""

from transformer_lite.exercises.scaling.attend_scaled import attend_scaled
from transformer_lite.exercises.scaling.gap_for import gap_for
from transformer_lite.exercises.scaling.softmax_backward import softmax_backward
from transformer_lite.exercises.scaling.tempered import tempered

__all__ = ["attend_scaled", "gap_for", "softmax_backward", "tempered"]
