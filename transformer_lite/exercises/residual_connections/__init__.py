"""Residual connections: keep the norm off the skip, walk a gradient back, sort the paths."""

from transformer_lite.exercises.residual_connections.by_path_length import by_path_length
from transformer_lite.exercises.residual_connections.pre_norm import pre_norm
from transformer_lite.exercises.residual_connections.walk_back import walk_back

__all__ = ["by_path_length", "pre_norm", "walk_back"]
