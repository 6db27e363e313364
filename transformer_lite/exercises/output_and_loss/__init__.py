"""Output and loss: a mean over tokens, its gradient, the shift by one, and perplexity."""

from transformer_lite.exercises.output_and_loss.logit_gradient import logit_gradient
from transformer_lite.exercises.output_and_loss.mean_loss import mean_loss
from transformer_lite.exercises.output_and_loss.next_token_loss import next_token_loss
from transformer_lite.exercises.output_and_loss.perplexity import perplexity

__all__ = ["BUG_HUNTS", "logit_gradient", "mean_loss", "next_token_loss", "perplexity"]

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("next_token_loss", "perplexity")
