"""Scalings of rotary positions, with which a model reads texts longer than it was trained on.

Each changes the frequencies of the rotation. A pair that turns often within the trained length
has shown the model all its angles; a slow pair has not, so its new angles are unknown to the model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_number, check_size
from transformer_lite.layers.positions.sinusoidal import sinusoidal_frequencies


@dataclass(frozen=True)
class RotaryScaling:
    """The scaling that changes nothing. Others override `frequencies`.

    >>> RotaryScaling().frequencies(4, base=10000.0)
    tensor([1.0000, 0.0100], dtype=torch.float64)
    """

    def frequencies(self, d_head: int, base: float) -> Float[Tensor, " {d_head}//2"]:
        """Return the scaled ωᵢ; arguments and errors as in :func:`sinusoidal_frequencies`."""
        return sinusoidal_frequencies(d_head, base)

    @property
    def magnitude(self) -> float:
        """The factor by which a rotated query or key becomes longer."""
        return 1.0


@dataclass(frozen=True)
class LinearScaling(RotaryScaling):
    """Slow down all pairs equally: ωᵢ / factor, as if the positions were closer together.

    Args:
        factor: how many times longer the texts become, at least 1.

    Raises:
        TypeError, ValueError: `factor` is not such a number.

    Reference: Chen et al. 2023.

    >>> LinearScaling(factor=8.0).frequencies(4, base=10000.0)
    tensor([0.1250, 0.0013], dtype=torch.float64)
    """

    factor: float

    def __post_init__(self) -> None:
        check_number("factor", self.factor, low=1.0)

    def frequencies(self, d_head: int, base: float) -> Float[Tensor, " {d_head}//2"]:
        """Return ωᵢ / factor for every pair."""
        return super().frequencies(d_head, base) / self.factor


@dataclass(frozen=True)
class Llama3Scaling(LinearScaling):
    """Slow down the pairs that turn seldom within the trained length, and keep the fast ones.

    ωᵢ · (γ + (1 − γ) / factor) with γ = (turns − low) / (high − low), limited to 0 … 1, where
    turns = ωᵢ · L / 2π, for the trained length L

    Args:
        factor: as in :class:`LinearScaling`.
        low_freq_factor, high_freq_factor: the turns up to which a pair is slowed down fully, and
            from which on it is kept.
        original_max_len: L, the length that the model was first trained on.

    Raises:
        TypeError: an argument is not a number, or `original_max_len` is not an int.
        ValueError: an argument is out of range, or `high_freq_factor` not above the other.

    Reference: Grattafiori et al. 2024; the released code of Llama 3.1.

    >>> Llama3Scaling(8.0, 1.0, 4.0, original_max_len=100).frequencies(4, base=100.0)
    tensor([1.0000, 0.0298], dtype=torch.float64)
    """

    low_freq_factor: float
    high_freq_factor: float
    original_max_len: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("low_freq_factor", self.low_freq_factor)
        check_number("high_freq_factor", self.high_freq_factor)
        check_size("original_max_len", self.original_max_len)
        if self.high_freq_factor <= self.low_freq_factor:
            raise ValueError(
                f"high_freq_factor must be above low_freq_factor, {self.low_freq_factor}, "
                f"got {self.high_freq_factor}"
            )

    def frequencies(self, d_head: int, base: float) -> Float[Tensor, " {d_head}//2"]:
        """Return the scaled ωᵢ."""
        kept = sinusoidal_frequencies(d_head, base)
        turns = kept * self.original_max_len / (2 * math.pi)
        low, high = self.low_freq_factor, self.high_freq_factor
        weight = ((turns - low) / (high - low)).clamp(0, 1)
        return weight * kept + (1 - weight) * kept / self.factor


@dataclass(frozen=True)
class YarnScaling(LinearScaling):
    """Slow down the slow pairs, keep the fast ones, and lengthen queries and keys a little.

    ωᵢ · (γᵢ + (1 − γᵢ) / factor), where γᵢ falls from 1 to 0 between the pair that turns
    `beta_fast` times within the trained length and the one that turns `beta_slow` times. Longer
    queries and keys have larger scores, so the softmax becomes sharper.

    Args:
        factor: as in :class:`LinearScaling`.
        original_max_len: the length that the model was first trained on.
        beta_fast, beta_slow: the two numbers of turns, both above 0.
        attention_factor: what queries and keys are multiplied by; None means 0.1 ln(factor) + 1.

    Raises:
        TypeError: an argument is not a number, or `original_max_len` is not an int.
        ValueError: an argument is out of range, or `beta_fast` below `beta_slow`.

    Reference: Peng et al. 2024, section 3. Differs from the paper: γ is linear in i, as
    in the released code, where the paper's is linear in the number of turns.

    >>> round(YarnScaling(4.0, original_max_len=100).magnitude, 4)
    1.1386
    """

    original_max_len: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    attention_factor: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_size("original_max_len", self.original_max_len)
        check_number("beta_fast", self.beta_fast)
        check_number("beta_slow", self.beta_slow)
        if not 0 < self.beta_slow <= self.beta_fast:
            raise ValueError(
                "beta_slow must be above 0 and at most beta_fast, "
                f"got beta_slow={self.beta_slow}, beta_fast={self.beta_fast}"
            )
        if self.attention_factor is not None:
            check_number("attention_factor", self.attention_factor)

    def frequencies(self, d_head: int, base: float) -> Float[Tensor, " {d_head}//2"]:
        """Return the scaled ωᵢ."""
        kept = sinusoidal_frequencies(d_head, base)
        first = max(0, math.floor(self._pair(self.beta_fast, d_head, base)))
        last = min(d_head - 1, math.ceil(self._pair(self.beta_slow, d_head, base)))
        pair = torch.arange(d_head // 2, dtype=torch.float64)
        slowed = ((pair - first) / (last - first or 0.001)).clamp(0, 1)
        return (1 - slowed) * kept + slowed * kept / self.factor

    @property
    def magnitude(self) -> float:
        """The factor by which a rotated query or key becomes longer."""
        if self.attention_factor is not None:
            return self.attention_factor
        return 0.1 * math.log(self.factor) + 1.0

    def _pair(self, turns: float, d_head: int, base: float) -> float:
        """Return the i, not rounded, for which ωᵢ · L / 2π is this number of turns."""
        if base <= 1:
            raise ValueError(f"base must be above 1, so that pairs differ in speed, got {base}")
        return d_head / 2 * math.log(self.original_max_len / (2 * math.pi * turns)) / math.log(base)
