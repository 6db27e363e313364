"""Layer normalization: write it, find two common slips, and write it without a mean."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.layer_norm.exercises.layer_norm import layer_norm
    from lessons.layer_norm.exercises.normalize import normalize
    from lessons.layer_norm.exercises.rms_norm import rms_norm

__all__ = ["layer_norm", "normalize", "rms_norm"]
