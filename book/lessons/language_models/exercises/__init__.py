"""Language models: add-k, Kneser–Ney, the logarithm of a sentence, and a perplexity."""

from lessons.kit.exercises import load_exercises

EXERCISES = load_exercises(__name__, __path__)
__all__ = [*EXERCISES]
globals().update(EXERCISES)
