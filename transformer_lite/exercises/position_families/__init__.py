"""Position families: vectors for offsets, slopes for distances, and a bias that lost its place."""

from transformer_lite.exercises.position_families.alibi_scores import alibi_scores
from transformer_lite.exercises.position_families.cached_bias import cached_bias
from transformer_lite.exercises.position_families.shaw_scores import shaw_scores

__all__ = ["alibi_scores", "cached_bias", "shaw_scores"]
