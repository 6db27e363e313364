"""The decoder: look across at the source, shift the target by one, and find out what leaks."""

from transformer_lite.exercises.decoder.cross_attend import cross_attend
from transformer_lite.exercises.decoder.decoder_inputs import decoder_inputs
from transformer_lite.exercises.decoder.reach import reach

__all__ = ["cross_attend", "decoder_inputs", "reach"]
