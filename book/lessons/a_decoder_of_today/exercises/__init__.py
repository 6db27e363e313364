"""A decoder of today: attend to latents, keep sinks, stretch rotations, and update a state."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
