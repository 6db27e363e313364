"""Attention: a soft look-up, a batch of sentences, and keys that ask."""

from transformer_lite.exercises.attention.attend import attend
from transformer_lite.exercises.attention.contextual import contextual
from transformer_lite.exercises.attention.soft_lookup import soft_lookup

__all__ = ["BUG_HUNTS", "attend", "contextual", "soft_lookup"]

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("attend",)
