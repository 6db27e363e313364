"""The encoder: pads in a batch, the weights of a stack, and how alike its tokens become."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.encoder.exercises.attend_in_batch import attend_in_batch
    from lessons.encoder.exercises.count_encoder import count_encoder
    from lessons.encoder.exercises.similarity import similarity

__all__ = ["attend_in_batch", "count_encoder", "similarity"]
