"""Output and loss: a mean over tokens, its gradient, the shift by one, and the ends."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
