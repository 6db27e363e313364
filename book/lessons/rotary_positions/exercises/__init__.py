"""Rotary positions: turn the pairs, change the layout of weights, and find two layouts mixed up."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
