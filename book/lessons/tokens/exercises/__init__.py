"""Tokens: the merge that comes next, what it saves, a word cut by rank, and bytes that arrive."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
