"""Chapter 24: Looking inside: what a real model does."""

from lessons.lazy import attributes

__all__ = ["HeadReader"]
__getattr__ = attributes(__name__, HeadReader="lessons.looking_inside.head_reader.head_reader")
