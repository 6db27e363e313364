"""Words as vectors: windows, negative sampling, analogies, and two losses with a bug."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
