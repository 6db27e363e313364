"""Multi-head attention: a split that mixes the words up, the joining of heads, and the whole."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.multi_head.exercises.attend import attend
    from lessons.multi_head.exercises.join_heads import join_heads
    from lessons.multi_head.exercises.split_heads import split_heads

__all__ = ["attend", "join_heads", "split_heads"]
