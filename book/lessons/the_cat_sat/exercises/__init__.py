"""Attention by hand: write it, spot what it cannot give, find a softmax that runs the wrong way."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
