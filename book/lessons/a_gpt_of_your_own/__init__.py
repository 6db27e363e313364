"""Chapter 26: A GPT of your own."""

from lessons.lazy import attributes

__all__ = ["PromptBox"]
__getattr__ = attributes(__name__, PromptBox="lessons.a_gpt_of_your_own.prompt_box.prompt_box")
