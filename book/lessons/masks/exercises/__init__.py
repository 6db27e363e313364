"""Masks: hide before the softmax, mask a batch, and find the mask that empties whole rows."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
