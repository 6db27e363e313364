"""A state-space layer: a linear recurrence that can also be computed all at once.

Each of the D channels of a token has N states of its own. Channels are not mixed.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_same, check_shape, check_size, check_tokens


class DiagonalStateSpace(nn.Module):
    """A memory of N decaying numbers for each channel, computed in one of two equal ways.

    h_t = a ⊙ h_{t−1} + b x_t and y_t = Σ_n c_n h_{t,n} + d x_t, step by step; or all at once the
    convolution y = k * x + d x with the kernel k_t = Σ_n c_n b_n a_n^t

    Here a = exp(−λ Δ) and b = (1 − a)/λ come from a rate λ > 0 and a step Δ > 0 that are learned:
    the exact solution of h′ = −λ h + x while x stays the same for a time Δ.

    Args:
        d_model: the width D of a token.
        num_states: N, the number of states of each channel.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is smaller than 1.

    Reference: Gu, Gupta, Goel and Ré 2022, sections 3 and 4, with real rates 1 to N. Differs from
    Mamba (Gu and Dao 2023): there b, c and Δ depend on the token, which is what lets it select.
    Here they are the same for all tokens, and only so is the layer a convolution.

    >>> DiagonalStateSpace(d_model=4, num_states=3)(torch.zeros(2, 7, 4)).shape
    torch.Size([2, 7, 4])
    """

    def __init__(self, d_model: int, num_states: int) -> None:
        super().__init__()
        check_size("d_model", d_model)
        check_size("num_states", num_states)
        rates = torch.arange(1.0, num_states + 1).log()
        self.log_rates = nn.Parameter(rates.repeat(d_model, 1))
        steps = torch.empty(d_model, 1).uniform_(math.log(0.001), math.log(0.1))
        self.log_step = nn.Parameter(steps)
        self.readout = nn.Parameter(torch.randn(d_model, num_states))
        self.skip = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "B T D"]) -> Float[Tensor, "B T D"]:
        """Return the outputs for `x`, shape (B, T, D), by :meth:`convolution`."""
        return self.convolution(x)

    def decay(self) -> tuple[Float[Tensor, "D N"], Float[Tensor, "D N"]]:
        """Return a and b, each of shape (D, N): the factors of the old state and of the input."""
        rates = self.log_rates.exp()
        exponent = -rates * self.log_step.exp()
        return exponent.exp(), -torch.expm1(exponent) / rates

    def start(self, batch: int) -> Float[Tensor, "{batch} D N"]:
        """Return the states before the first token: zeros, shape (B, D, N).

        Raises:
            TypeError: `batch` is not an int.
            ValueError: `batch` is smaller than 1.
        """
        check_size("batch", batch)
        return self.readout.new_zeros(batch, *self.readout.shape)

    def step(
        self, x: Float[Tensor, "B D"], state: Float[Tensor, "B D N"]
    ) -> tuple[Float[Tensor, "B D"], Float[Tensor, "B D N"]]:
        """Read one token of each row: return its output, and the states after it.

        Args:
            x: one token of each row, shape (B, D).
            state: the states after the tokens before it, shape (B, D, N).

        Raises:
            TypeError: an argument does not hold floats, or the dtypes or devices differ.
            ValueError: an argument has another shape.
        """
        check_shape("x", x, "B", len(self.skip))
        check_shape("state", state, len(x), *self.readout.shape)
        check_same("x, state and weights", x=x, state=state, weights=self.skip)
        keep, take = self.decay()
        state = keep * state + take * x[..., None]
        return (self.readout * state).sum(dim=-1) + self.skip * x, state

    def recurrence(self, x: Float[Tensor, "B T D"]) -> Float[Tensor, "B T D"]:
        """Return the outputs token by token: T steps, with a memory that does not grow.

        Raises:
            TypeError, ValueError: as in :meth:`convolution`.
        """
        self._check(x)
        state, outputs = self.start(len(x)), []
        for token in x.unbind(dim=1):
            output, state = self.step(token, state)
            outputs.append(output)
        return torch.stack(outputs, dim=1)

    def kernel(self, length: int) -> Float[Tensor, "D {length}"]:
        """Return k, shape (D, T): the effect of a token t steps later.

        Raises:
            TypeError: `length` is not an int.
            ValueError: `length` is smaller than 1.
        """
        check_size("length", length)
        rates = self.log_rates.exp() * self.log_step.exp()
        powers = (-rates[..., None] * torch.arange(length, device=rates.device)).exp()
        return ((self.readout * self.decay()[1])[..., None] * powers).sum(dim=1)

    def convolution(self, x: Float[Tensor, "B T D"]) -> Float[Tensor, "B T D"]:
        """Return the outputs of all tokens at once, by a product of Fourier transforms.

        PyTorch transforms float32 and float64 only; :meth:`recurrence` also takes shorter types.

        Args:
            x: tokens, shape (B, T, D).

        Raises:
            TypeError: `x` is not a float tensor, or differs from the weights in dtype or device.
            ValueError: `x` does not have shape (B, T, D) with T at least 1.
        """
        self._check(x)
        x, length = x.to(self.skip.dtype), x.shape[1]  # under autocast the two may differ
        # Twice the length, so that the end of the convolution does not wrap around to the
        # beginning.
        kernel = torch.fft.rfft(self.kernel(length), n=2 * length).T
        product = torch.fft.rfft(x, n=2 * length, dim=1) * kernel
        return torch.fft.irfft(product, n=2 * length, dim=1)[:, :length] + self.skip * x

    def _check(self, x: Tensor) -> None:
        check_tokens(x, weights=self.skip)
        if x.ndim != 3 or x.shape[1] == 0:
            raise ValueError(
                f"x must have shape (B, T, {len(self.skip)}) with T at least 1, "
                f"got {tuple(x.shape)}"
            )
