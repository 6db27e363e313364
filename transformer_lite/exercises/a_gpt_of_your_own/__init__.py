"""A GPT of your own: the answer's loss, the loss of a preference, and a change of adapters."""

from transformer_lite.exercises.a_gpt_of_your_own.answer_loss import answer_loss
from transformer_lite.exercises.a_gpt_of_your_own.dpo_loss import dpo_loss
from transformer_lite.exercises.a_gpt_of_your_own.swap_change import swap_change

__all__ = ["answer_loss", "dpo_loss", "swap_change"]
