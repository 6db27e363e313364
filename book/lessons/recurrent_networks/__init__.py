"""Chapter 04: Recurrent networks: one word after the other."""

from lessons.lazy import attributes

__all__ = ["RecurrentSteps"]
__getattr__ = attributes(
    __name__, RecurrentSteps="lessons.recurrent_networks.recurrent_translator.recurrent_translator"
)
