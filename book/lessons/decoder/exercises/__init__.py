"""The decoder: look across at the source, shift the target by one, and find out what leaks."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
