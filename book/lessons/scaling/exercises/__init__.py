"""Scaling: gaps, temperature, the gradient of softmax, a scale upside down."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.scaling.exercises.attend_scaled import attend_scaled
    from lessons.scaling.exercises.gap_for import gap_for
    from lessons.scaling.exercises.softmax_backward import softmax_backward
    from lessons.scaling.exercises.tempered import tempered

__all__ = ["attend_scaled", "gap_for", "softmax_backward", "tempered"]
