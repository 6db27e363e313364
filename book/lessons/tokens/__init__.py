"""Chapter 02: Tokens: the pieces that a model reads."""

from lessons.lazy import attributes

__all__ = ["MergeSteps"]
__getattr__ = attributes(__name__, MergeSteps="lessons.tokens.merge_steps.merge_steps")
