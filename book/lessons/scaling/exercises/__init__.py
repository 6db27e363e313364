"""Scaling: gaps, temperature, the gradient of softmax, a scale upside down."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
