"""Fast generation: a step's speed, a draft checked, its best length, and weights of few bits."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
