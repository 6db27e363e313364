"""Chapter 21: From vectors to words: output and loss."""

from lessons.lazy import attributes

__all__ = ["LogitsToLoss"]
__getattr__ = attributes(
    __name__, LogitsToLoss="lessons.output_and_loss.logits_to_loss.logits_to_loss"
)
