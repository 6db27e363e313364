"""Descendants: experts chosen, a window with a cache, heads that share, and a table kept tied."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
