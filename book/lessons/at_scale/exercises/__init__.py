"""At scale: gradients averaged, dropout seeded, small batches accumulated, a step's time."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
