"""Chapter 18: The feed-forward layer, and one whole block."""

from lessons.lazy import attributes

__all__ = ["FeedForwardLab"]
__getattr__ = attributes(
    __name__, FeedForwardLab="lessons.feed_forward.feed_forward_lab.feed_forward_lab"
)
