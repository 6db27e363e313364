"""Rotary positions: turn the pairs, change the layout of weights, and find two layouts mixed up."""

from transformer_lite.exercises.rotary_positions.rotary import rotary
from transformer_lite.exercises.rotary_positions.rotate_halves import rotate_halves
from transformer_lite.exercises.rotary_positions.to_half_split import to_half_split

__all__ = ["rotary", "rotate_halves", "to_half_split"]
