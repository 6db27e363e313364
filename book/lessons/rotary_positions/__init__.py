"""Chapter 12: Rotary positions: turn, do not add."""

from lessons.lazy import attributes

__all__ = ["RotaryArrows"]
__getattr__ = attributes(
    __name__, RotaryArrows="lessons.rotary_positions.rotary_arrows.rotary_arrows"
)
