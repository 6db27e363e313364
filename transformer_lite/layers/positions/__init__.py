"""Position schemes: seven ways to give attention the position of a token, one idea per file.

Each scheme overrides one hook of :class:`PositionScheme` and keeps the others. A scaling changes
the frequencies of rotary positions, for texts longer than those of the training.
"""

from transformer_lite.layers.positions.alibi import ALiBi, alibi_slopes
from transformer_lite.layers.positions.binary import binary_positions
from transformer_lite.layers.positions.learned import LearnedPositions
from transformer_lite.layers.positions.relative import ShawRelative, T5Relative, t5_buckets
from transformer_lite.layers.positions.rotary import (
    Rotary,
    half_split_order,
    rotate_half_split,
    rotate_interleaved,
)
from transformer_lite.layers.positions.scaling import (
    LinearScaling,
    Llama3Scaling,
    RotaryScaling,
    YarnScaling,
)
from transformer_lite.layers.positions.scheme import PositionScheme
from transformer_lite.layers.positions.sinusoidal import (
    SinusoidalPositions,
    shift_rotation,
    sinusoidal_frequencies,
    sinusoidal_positions,
)

__all__ = [
    "ALiBi",
    "LearnedPositions",
    "LinearScaling",
    "Llama3Scaling",
    "PositionScheme",
    "Rotary",
    "RotaryScaling",
    "ShawRelative",
    "SinusoidalPositions",
    "T5Relative",
    "YarnScaling",
    "alibi_slopes",
    "binary_positions",
    "half_split_order",
    "rotate_half_split",
    "rotate_interleaved",
    "shift_rotation",
    "sinusoidal_frequencies",
    "sinusoidal_positions",
    "t5_buckets",
]
