"""The feed-forward layer: unit by unit, as a convolution, and in its block."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.feed_forward.exercises.by_convolution import by_convolution
    from lessons.feed_forward.exercises.contributions import contributions
    from lessons.feed_forward.exercises.finish_block import finish_block

__all__ = ["by_convolution", "contributions", "finish_block"]
