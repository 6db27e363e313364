"""The feed-forward layer: unit by unit, as a convolution, and in its block."""

from transformer_lite.exercises.feed_forward.by_convolution import by_convolution
from transformer_lite.exercises.feed_forward.contributions import contributions
from transformer_lite.exercises.feed_forward.finish_block import finish_block

__all__ = ["by_convolution", "contributions", "finish_block"]
