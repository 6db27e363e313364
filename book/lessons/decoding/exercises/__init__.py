"""Decoding: the loop, the nucleus, a beam search, a batch that ends row by row, a cached step."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
