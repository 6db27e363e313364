"""Chapter 11: Sinusoidal positions: a clock for every word."""

from lessons.lazy import attributes

__all__ = ["PositionMap"]
__getattr__ = attributes(
    __name__, PositionMap="lessons.sinusoidal_positions.position_map.position_map"
)
