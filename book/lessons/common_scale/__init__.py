"""Chapter 14: A common scale: numbers that can be compared."""

from lessons.lazy import attributes

__all__ = ["ScaleLab"]
__getattr__ = attributes(__name__, ScaleLab="lessons.common_scale.scale_lab.scale_lab")
