"""Residual connections: keep the norm off the skip, walk a gradient back, sort the paths."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.residual_connections.exercises.by_path_length import by_path_length
    from lessons.residual_connections.exercises.pre_norm import pre_norm
    from lessons.residual_connections.exercises.walk_back import walk_back

__all__ = ["by_path_length", "pre_norm", "walk_back"]
