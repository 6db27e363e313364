"""Attention: a soft look-up, a batch of sentences, three matrices, and keys that ask."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
