"""Chapter 16: Layer normalization, step by step."""

from lessons.lazy import attributes

__all__ = ["LayerNormLab", "NormSpace"]
__getattr__ = attributes(
    __name__,
    LayerNormLab="lessons.layer_norm.layer_norm_lab.layer_norm_lab",
    NormSpace="lessons.layer_norm.norm_space.norm_space",
)
