"""Attention: a soft look-up, a batch of sentences, and keys that ask."""

from transformer_lite.exercises.attention.attend import attend
from transformer_lite.exercises.attention.contextual import contextual
from transformer_lite.exercises.attention.soft_lookup import soft_lookup

__all__ = ["attend", "contextual", "soft_lookup"]
