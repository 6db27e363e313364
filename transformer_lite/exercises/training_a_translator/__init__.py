"""Training a translator: clip a gradient, count n-grams, find the schedule that stands still."""

from transformer_lite.exercises.training_a_translator.clipped_gradients import clipped_gradients
from transformer_lite.exercises.training_a_translator.ngram_counts import ngram_counts
from transformer_lite.exercises.training_a_translator.rates_of_run import rates_of_run

__all__ = ["clipped_gradients", "ngram_counts", "rates_of_run"]
