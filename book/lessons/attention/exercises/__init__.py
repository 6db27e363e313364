"""Attention: a soft look-up, a batch of sentences, and keys that ask."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.attention.exercises.attend import attend
    from lessons.attention.exercises.contextual import contextual
    from lessons.attention.exercises.soft_lookup import soft_lookup

__all__ = ["attend", "contextual", "soft_lookup"]
