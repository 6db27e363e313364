"""Chapter 15: Normalization: which numbers share a mean."""

from lessons.lazy import attributes

__all__ = ["NormAxes"]
__getattr__ = attributes(__name__, NormAxes="lessons.normalization.norm_axes.norm_axes")
