"""Chapter 05: Attention: look it up, softly."""

from lessons.lazy import attributes

__all__ = ["SoftRetrieval"]
__getattr__ = attributes(__name__, SoftRetrieval="lessons.attention.soft_retrieval.soft_retrieval")
