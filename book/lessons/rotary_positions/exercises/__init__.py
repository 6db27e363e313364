"""Rotary positions: turn the pairs, change the layout of weights, and find two layouts mixed up."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.rotary_positions.exercises.rotary import rotary
    from lessons.rotary_positions.exercises.rotate_halves import rotate_halves
    from lessons.rotary_positions.exercises.to_half_split import to_half_split

__all__ = ["rotary", "rotate_halves", "to_half_split"]
