"""Looking inside: pooling without pads, a silenced head, BERT's input, and a fair similarity."""

from transformer_lite.exercises.looking_inside.mean_pool import mean_pool
from transformer_lite.exercises.looking_inside.same_word import same_word
from transformer_lite.exercises.looking_inside.segments import segments
from transformer_lite.exercises.looking_inside.silence_head import silence_head

__all__ = ["BUG_HUNTS", "mean_pool", "same_word", "segments", "silence_head"]

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("mean_pool", "segments")
