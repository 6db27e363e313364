"""The walk: one sentence through the whole machine, station by station."""

from lessons.lazy import attributes

__all__ = ["Walk"]
__getattr__ = attributes(__name__, Walk="lessons.the_walk.walk.walk")
