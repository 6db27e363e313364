"""Descendants: weights counted, a small change merged, heads that share, and a table kept tied."""

from transformer_lite.exercises.descendants.count_decoder import count_decoder
from transformer_lite.exercises.descendants.group_heads import group_heads
from transformer_lite.exercises.descendants.low_rank import low_rank
from transformer_lite.exercises.descendants.tied_weights import tied_weights

__all__ = ["BUG_HUNTS", "count_decoder", "group_heads", "low_rank", "tied_weights"]

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("low_rank", "group_heads", "tied_weights")
