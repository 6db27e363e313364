"""Chapter 19: The encoder: one block, six times."""

from lessons.lazy import attributes

__all__ = ["EncoderClimb"]
__getattr__ = attributes(__name__, EncoderClimb="lessons.encoder.encoder_climb.encoder_climb")
