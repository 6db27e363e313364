"""Decoding: the nucleus, one step of a beam, a batch that ends row by row, and a cached step."""

from transformer_lite.exercises.decoding.attend_to_cache import attend_to_cache
from transformer_lite.exercises.decoding.extend_beams import extend_beams
from transformer_lite.exercises.decoding.greedy_batch import greedy_batch
from transformer_lite.exercises.decoding.nucleus import nucleus

__all__ = ["attend_to_cache", "extend_beams", "greedy_batch", "nucleus"]
