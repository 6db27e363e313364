"""Chapter 23: Decoding: which word comes next."""

from lessons.lazy import attributes

__all__ = ["TranslatorLab"]
__getattr__ = attributes(__name__, TranslatorLab="lessons.decoding.translator.translator")
