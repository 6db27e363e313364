"""Chapter 16: Layer normalization, step by step."""

from lessons.lazy import attributes

__all__ = ["LayerNormLab"]
__getattr__ = attributes(__name__, LayerNormLab="lessons.layer_norm.layer_norm_lab.layer_norm_lab")
