"""Position families: vectors for offsets, slopes for distances, and a bias that lost its place."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
