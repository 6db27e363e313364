"""Sinusoidal positions: write the table, turn it by an offset, and find the wrong axis."""

from transformer_lite.exercises.sinusoidal_positions.add_positions import add_positions
from transformer_lite.exercises.sinusoidal_positions.encode import encode
from transformer_lite.exercises.sinusoidal_positions.shift import shift

__all__ = ["add_positions", "encode", "shift"]
