"""The encoder: pads in a batch, the weights of a stack, and how alike its tokens become."""

from transformer_lite.exercises.encoder.attend_in_batch import attend_in_batch
from transformer_lite.exercises.encoder.count_encoder import count_encoder
from transformer_lite.exercises.encoder.similarity import similarity

__all__ = ["attend_in_batch", "count_encoder", "similarity"]
