"""The feed-forward layer: every token by itself, with the same weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import (
    check_choice,
    check_number,
    check_shape,
    check_size,
    check_tokens,
)
from transformer_lite.layers.dropout import dropout
from transformer_lite.layers.linear import Linear, weight_to_check

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
}


class FeedForward(nn.Module):
    """Project each token to a wider layer, apply an activation, and project it back.

    FF(x) = f(x W₁ + b₁) W₂ + b₂

    Args:
        d_model: the width D of a token.
        d_ff: the width of the hidden layer.
        activation: a name of ``ACTIVATIONS``; "gelu_tanh" is GPT-2's approximation of "gelu".
        dropout: the dropout probability for the hidden units, 0 ≤ dropout < 1.
        bias: whether the layer has b₁ and b₂.

    Raises:
        TypeError: a width is not an int or `dropout` not a number.
        ValueError: a width is below 1, `activation` unknown or `dropout` out of range.

    Reference: Vaswani et al. 2017, equation 2; Hendrycks and Gimpel 2016 for GELU. Differs from
    the paper: `dropout` acts on the hidden units. The residual connection drops the output.

    >>> import torch
    >>> FeedForward(d_model=4, d_ff=16)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        activation: str = "relu",
        dropout: float = 0.0,
        bias: bool = True,
    ):
        super().__init__()
        check_size("d_model", d_model)
        check_size("d_ff", d_ff)
        check_number("dropout", dropout, high=1.0)
        check_choice("activation", activation, ACTIVATIONS)
        self.activation = ACTIVATIONS[activation]
        self.dropout = dropout
        self.up = Linear(d_model, d_ff, bias=bias)
        self.down = Linear(d_ff, d_model, bias=bias)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Transform every token of `x`, shape (..., D).

        Raises:
            TypeError: `x` is not a float tensor, or differs from the weights in dtype or device.
            ValueError: the last axis of `x` is not `d_model` wide.
        """
        check_tokens(x, weights=weight_to_check(self.up, default=x))
        hidden = self.activation(self.up(x))
        return self.down(dropout(hidden, self.dropout, self.training))


class SwiGLU(nn.Module):
    """A feed-forward layer with a gate: one half of the hidden layer multiplies the other.

    FF(x) = (swish(x W₁) ⊙ x W₃) W₂, with swish(z) = z · sigmoid(z), and no biases

    Args:
        d_model: the width D of a token.
        d_ff: the width of the hidden layer; two thirds of the usual width keep the parameter count.
        dropout: the dropout probability for the hidden units, 0 ≤ dropout < 1.

    Raises:
        TypeError, ValueError: as in :class:`FeedForward`.

    Reference: Shazeer 2020, equation 6.

    >>> import torch
    >>> SwiGLU(d_model=4, d_ff=8)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0):
        super().__init__()
        check_size("d_model", d_model)
        check_size("d_ff", d_ff)
        check_number("dropout", dropout, high=1.0)
        self.dropout = dropout
        self.gate = Linear(d_model, d_ff, bias=False)
        self.up = Linear(d_model, d_ff, bias=False)
        self.down = Linear(d_ff, d_model, bias=False)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Transform every token of `x`, shape (..., D).

        Raises:
            TypeError: `x` is not a float tensor, or differs from the weights in dtype or device.
            ValueError: the last axis of `x` is not `d_model` wide.
        """
        check_tokens(x, weights=weight_to_check(self.up, default=x))
        hidden = self.open(self.gate(x)) * self.up(x)
        return self.down(dropout(hidden, self.dropout, self.training))

    def open(self, gate: Float[Tensor, "*B F"]) -> Float[Tensor, "*B F"]:
        """Return how far each hidden unit is open, of the shape of `gate`."""
        return F.silu(gate)


class GEGLU(SwiGLU):
    """The same with GELU, by its tanh formula, instead of swish: the layer of T5 version 1.1.

    FF(x) = (gelu(x W₁) ⊙ x W₃) W₂, and no biases

    Args, Raises: as in :class:`SwiGLU`.

    Reference: Shazeer 2020, equation 6.

    >>> import torch
    >>> GEGLU(d_model=4, d_ff=8)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def open(self, gate: Float[Tensor, "*B F"]) -> Float[Tensor, "*B F"]:
        """Return how far each hidden unit is open, of the shape of `gate`."""
        return F.gelu(gate, approximate="tanh")


def feed_forward_from_keys(
    x: Float[Tensor, "*B D"], keys: Float[Tensor, "M D"], values: Float[Tensor, "M D"]
) -> Float[Tensor, "*B D"]:
    """Return the output of the same layer, read as a memory: FF(x) = relu(x keysᵀ) values.

    Row m of `keys` measures how well a token fits pattern m, and row m of `values` is added in
    proportion. With keys = W₁ᵀ and values = W₂ this is :class:`FeedForward` without biases.

    Args:
        x: tokens, shape (..., D).
        keys: one pattern per row, shape (M, D).
        values: one value per row, shape (M, D).

    Returns:
        Tensor of shape (..., D).

    Raises:
        TypeError: an input is not a float tensor, or dtypes or devices differ.
        ValueError: the shapes do not fit.

    Reference: Geva et al. 2021, equation 2.

    >>> import torch
    >>> feed_forward_from_keys(torch.ones(1, 2), torch.eye(2), torch.eye(2))
    tensor([[1., 1.]])
    """
    check_shape("keys", keys, "M", "D")
    check_shape("values", values, *keys.shape)
    check_tokens(x, keys=keys, values=values)
    return F.relu(x @ keys.T) @ values
