"""The feed-forward layer: unit by unit, as a convolution, and in its block."""

from transformer_lite.exercises.feed_forward.by_convolution import by_convolution
from transformer_lite.exercises.feed_forward.contributions import contributions
from transformer_lite.exercises.feed_forward.finish_block import finish_block

__all__ = ["BUG_HUNTS", "by_convolution", "contributions", "finish_block"]

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("by_convolution",)
