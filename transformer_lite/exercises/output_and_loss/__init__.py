"""Output and loss: a mean over tokens, its gradient, the shift by one, and the ends."""

from transformer_lite.exercises.output_and_loss.counted_places import counted_places
from transformer_lite.exercises.output_and_loss.logit_gradient import logit_gradient
from transformer_lite.exercises.output_and_loss.mean_loss import mean_loss
from transformer_lite.exercises.output_and_loss.next_token_loss import next_token_loss

__all__ = ["counted_places", "logit_gradient", "mean_loss", "next_token_loss"]
