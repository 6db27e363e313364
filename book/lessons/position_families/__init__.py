"""Chapter 13: Position families: tables, offsets, slopes."""

from lessons.lazy import attributes

__all__ = ["PositionSchemes"]
__getattr__ = attributes(
    __name__, PositionSchemes="lessons.position_families.position_schemes.position_schemes"
)
