"""Chapter 03: A probability for every sentence: language models."""

from lessons.lazy import attributes

__all__ = ["NgramWriter"]
__getattr__ = attributes(__name__, NgramWriter="lessons.language_models.ngram_writer.ngram_writer")
