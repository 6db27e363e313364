"""Multi-head attention: a split that mixes the words up, the joining of heads, and the whole."""

from transformer_lite.exercises.multi_head.attend import attend
from transformer_lite.exercises.multi_head.join_heads import join_heads
from transformer_lite.exercises.multi_head.split_heads import split_heads

__all__ = ["attend", "join_heads", "split_heads"]
