"""Residual connections: keep the norm off the skip, walk a gradient back, sort the paths."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
