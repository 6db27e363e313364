"""Chapter 01: Words as vectors: known by their company."""

from lessons.lazy import attributes

__all__ = ["WordPlane"]
__getattr__ = attributes(__name__, WordPlane="lessons.words_as_vectors.word_plane.word_plane")
