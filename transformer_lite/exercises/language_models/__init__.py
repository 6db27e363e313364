"""Language models: add-k, Kneser–Ney, the logarithm of a sentence, and a perplexity."""

from transformer_lite.exercises.language_models.add_k_table import add_k_table
from transformer_lite.exercises.language_models.kneser_ney import kneser_ney
from transformer_lite.exercises.language_models.log_probability import log_probability
from transformer_lite.exercises.language_models.perplexity import perplexity

__all__ = ["add_k_table", "kneser_ney", "log_probability", "perplexity"]
