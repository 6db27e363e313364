"""Sinusoidal positions: write the table, turn it by an offset, and find the wrong axis."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
