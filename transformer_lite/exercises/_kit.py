"""What an exercise is written with."""

from transformer_lite.exercises._exercise import Case, Exercise, mistakes
from transformer_lite.exercises._properties import (
    GRADIENT,
    NO_AUTOGRAD,
    NO_READY_NORM,
    NO_SQUARE_TABLE,
    OWN_GENERATOR,
)
from transformer_lite.exercises._random import normal_numbers

__all__ = [
    "GRADIENT",
    "NO_AUTOGRAD",
    "NO_READY_NORM",
    "NO_SQUARE_TABLE",
    "OWN_GENERATOR",
    "Case",
    "Exercise",
    "mistakes",
    "normal_numbers",
]
