"""Layer normalization: write it, find two common slips, and write it without a mean."""

from transformer_lite.exercises.layer_norm.layer_norm import layer_norm
from transformer_lite.exercises.layer_norm.normalize import normalize
from transformer_lite.exercises.layer_norm.rms_norm import rms_norm

__all__ = ["layer_norm", "normalize", "rms_norm"]
