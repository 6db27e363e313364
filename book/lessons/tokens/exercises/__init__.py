"""Tokens: the merge that comes next, what it saves, a word cut by rank, and bytes that arrive."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.tokens.exercises.cut import cut
    from lessons.tokens.exercises.next_merge import next_merge
    from lessons.tokens.exercises.stream import stream
    from lessons.tokens.exercises.tokens_saved import tokens_saved

__all__ = ["cut", "next_merge", "stream", "tokens_saved"]
