"""Tensors and gradients in small steps: shapes, products, a gradient, and two ways to go astray."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
