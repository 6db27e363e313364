"""Sinusoidal positions: write the table, turn it by an offset, and find the wrong axis."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.sinusoidal_positions.exercises.add_positions import add_positions
    from lessons.sinusoidal_positions.exercises.encode import encode
    from lessons.sinusoidal_positions.exercises.shift import shift

__all__ = ["add_positions", "encode", "shift"]
