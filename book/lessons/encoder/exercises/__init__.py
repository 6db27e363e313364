"""The encoder: pads in a batch, the weights of a stack, and how alike its tokens become."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
