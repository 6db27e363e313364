"""The decoder: look across at the source, shift the target by one, and find out what leaks."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.decoder.exercises.cross_attend import cross_attend
    from lessons.decoder.exercises.decoder_inputs import decoder_inputs
    from lessons.decoder.exercises.reach import reach

__all__ = ["cross_attend", "decoder_inputs", "reach"]
