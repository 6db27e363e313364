"""A GPT of your own: the answer's loss, the loss of a preference, and a change of adapters."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.a_gpt_of_your_own.exercises.answer_loss import answer_loss
    from lessons.a_gpt_of_your_own.exercises.dpo_loss import dpo_loss
    from lessons.a_gpt_of_your_own.exercises.swap_change import swap_change

__all__ = ["answer_loss", "dpo_loss", "swap_change"]
