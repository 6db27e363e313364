"""Looking inside: pooling without pads, a silenced head, a fair probe, and a patched run."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
