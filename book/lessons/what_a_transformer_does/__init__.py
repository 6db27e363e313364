"""Chapter 00: What a Transformer does: from half a sentence to the next word."""

from lessons.lazy import attributes

__all__ = ["NextWord"]
__getattr__ = attributes(__name__, NextWord="lessons.what_a_transformer_does.next_word.next_word")
