"""Multi-head attention: a split that mixes the words up, the joining of heads, and the whole."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
