"""Training a translator: clip a gradient, count n-grams, find the schedule that stands still."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.training_a_translator.exercises.clipped_gradients import clipped_gradients
    from lessons.training_a_translator.exercises.ngram_counts import ngram_counts
    from lessons.training_a_translator.exercises.rates_of_run import rates_of_run

__all__ = ["clipped_gradients", "ngram_counts", "rates_of_run"]
