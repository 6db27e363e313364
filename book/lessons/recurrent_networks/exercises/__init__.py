"""Recurrent networks: a state that stops at padding, a context, and two bugs in batches."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
