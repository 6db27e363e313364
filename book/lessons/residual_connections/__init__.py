"""Chapter 17: Residual connections: keep the input, add to it."""

from lessons.lazy import attributes

__all__ = ["DepthLab"]
__getattr__ = attributes(__name__, DepthLab="lessons.residual_connections.depth_lab.depth_lab")
