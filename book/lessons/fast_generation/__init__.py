"""Chapter 30: Fast generation."""

from lessons.lazy import attributes

__all__ = ["DraftAndVerify"]
__getattr__ = attributes(
    __name__, DraftAndVerify="lessons.fast_generation.draft_and_verify.draft_and_verify"
)
