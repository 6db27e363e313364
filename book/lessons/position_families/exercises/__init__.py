"""Position families: vectors for offsets, slopes for distances, and a bias that lost its place."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.position_families.exercises.alibi_scores import alibi_scores
    from lessons.position_families.exercises.cached_bias import cached_bias
    from lessons.position_families.exercises.shaw_scores import shaw_scores

__all__ = ["alibi_scores", "cached_bias", "shaw_scores"]
