"""Output and loss: a mean over tokens, its gradient, the shift by one, and the ends."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.output_and_loss.exercises.counted_places import counted_places
    from lessons.output_and_loss.exercises.logit_gradient import logit_gradient
    from lessons.output_and_loss.exercises.mean_loss import mean_loss
    from lessons.output_and_loss.exercises.next_token_loss import next_token_loss

__all__ = ["counted_places", "logit_gradient", "mean_loss", "next_token_loss"]
