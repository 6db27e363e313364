"""What attention costs and what it cannot see: a count, a test of equivariance, and chunks."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
