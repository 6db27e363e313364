"""Training a translator: clip a gradient, count n-grams, find the schedule that never changes."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
