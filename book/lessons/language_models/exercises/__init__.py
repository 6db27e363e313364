"""Language models: add-k, Kneser–Ney, the logarithm of a sentence, and a perplexity."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.language_models.exercises.add_k_table import add_k_table
    from lessons.language_models.exercises.kneser_ney import kneser_ney
    from lessons.language_models.exercises.log_probability import log_probability
    from lessons.language_models.exercises.perplexity import perplexity

__all__ = ["add_k_table", "kneser_ney", "log_probability", "perplexity"]
