"""Decoding: the nucleus, one step of a beam, a batch that ends row by row, and a cached step."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.decoding.exercises.attend_to_cache import attend_to_cache
    from lessons.decoding.exercises.extend_beams import extend_beams
    from lessons.decoding.exercises.greedy_batch import greedy_batch
    from lessons.decoding.exercises.nucleus import nucleus

__all__ = ["attend_to_cache", "extend_beams", "greedy_batch", "nucleus"]
