"""Chapter 08: Masks: which query may attend to which key."""

from lessons.lazy import attributes

__all__ = ["MaskLab"]
__getattr__ = attributes(__name__, MaskLab="lessons.masks.mask_lab.mask_lab")
