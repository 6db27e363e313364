"""Chapter 07: Scaling: why attention divides by a root."""

from lessons.lazy import attributes

__all__ = ["SoftmaxLab"]
__getattr__ = attributes(__name__, SoftmaxLab="lessons.scaling.softmax_lab.softmax_lab")
