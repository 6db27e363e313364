"""Tokens: the merge that comes next, what it saves, a word cut by rank, and bytes that arrive."""

from transformer_lite.exercises.tokens.cut import cut
from transformer_lite.exercises.tokens.next_merge import next_merge
from transformer_lite.exercises.tokens.stream import stream
from transformer_lite.exercises.tokens.tokens_saved import tokens_saved

__all__ = ["cut", "next_merge", "stream", "tokens_saved"]
