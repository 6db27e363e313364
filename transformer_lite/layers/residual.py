"""Residual connections: keep the input and add the output of a sub-layer.

The four kinds differ in where they normalize. Each is called with the input and with the sub-layer
f as a function, so that f can take more than one argument.
"""

from __future__ import annotations

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_number, check_size
from transformer_lite.layers.dropout import dropout

Tokens = Float[Tensor, "*B D"]


class Residual(nn.Module):
    """The base of the residual connections, which hold a normalization and dropout.

    Args:
        norm: the normalization, of the width of the tokens.
        dropout: the dropout probability for the sub-layer's output, 0 ≤ dropout < 1.

    Raises:
        TypeError: `dropout` is not a number.
        ValueError: `dropout` is out of range.
    """

    def __init__(self, norm: nn.Module, dropout: float = 0.0) -> None:
        super().__init__()
        check_number("dropout", dropout, high=1.0)
        self.norm, self.dropout = norm, dropout

    def forward(self, x: Tokens, sublayer: Callable[[Tensor], Tensor]) -> Tokens:
        """Return the tokens with the output of `sublayer` added, shape (B, T, D)."""
        raise NotImplementedError(f"{type(self).__name__} must define forward")

    def drop(self, update: Tokens) -> Tokens:
        """Apply dropout to the output of a sub-layer, in training only."""
        return dropout(update, self.dropout, self.training)


class PostNorm(Residual):
    """Normalize after adding: y = Norm(x + f(x)), the original Transformer.

    Args, Raises: as in :class:`Residual`.

    Reference: Vaswani et al. 2017, sections 3.1 and 5.4.

    >>> import torch
    >>> PostNorm(nn.Identity())(torch.ones(1, 1, 2), lambda x: 2 * x)
    tensor([[[3., 3.]]])
    """

    def forward(self, x: Tokens, sublayer: Callable[[Tensor], Tensor]) -> Tokens:
        """Return the tokens with the output of `sublayer` added, shape (B, T, D)."""
        return self.norm(x + self.drop(sublayer(x)))


class PreNorm(Residual):
    """Normalize the input of the sub-layer: y = x + f(Norm(x)).

    The sum itself is never normalized, so a stack of these needs one more norm at its end.

    Args, Raises: as in :class:`Residual`.

    Reference: Xiong et al. 2020.

    >>> import torch
    >>> PreNorm(nn.LayerNorm(2))(torch.ones(1, 1, 2), torch.zeros_like)
    tensor([[[1., 1.]]])
    """

    def forward(self, x: Tokens, sublayer: Callable[[Tensor], Tensor]) -> Tokens:
        """Return the tokens with the output of `sublayer` added, shape (B, T, D)."""
        return x + self.drop(sublayer(self.norm(x)))


class SandwichNorm(Residual):
    """Normalize before and after the sub-layer: y = x + Norm₂(f(Norm₁(x))).

    What is added to the tokens has a size that Norm₂ sets, however large the output of f is. As
    with pre-norm, the sum itself is never normalized.

    Args:
        norm: the normalization of the sub-layer's input, of the width of the tokens.
        norm_after: the normalization of its output.
        dropout: as in :class:`Residual`.

    Raises:
        TypeError, ValueError: as in :class:`Residual`.

    Reference: Ding et al. 2021; Gemma Team 2025, section 2.

    >>> import torch
    >>> norm = nn.LayerNorm(2)
    >>> SandwichNorm(norm, nn.Identity())(torch.ones(1, 1, 2), torch.zeros_like)
    tensor([[[1., 1.]]])
    """

    def __init__(self, norm: nn.Module, norm_after: nn.Module, dropout: float = 0.0) -> None:
        super().__init__(norm, dropout)
        self.norm_after = norm_after

    def forward(self, x: Tokens, sublayer: Callable[[Tensor], Tensor]) -> Tokens:
        """Return the tokens with the output of `sublayer` added, shape (B, T, D)."""
        return x + self.drop(self.norm_after(sublayer(self.norm(x))))


class DeepNorm(Residual):
    """Post-norm that gives the input more weight: y = Norm(α · x + f(x)), for very deep stacks.

    Args:
        norm: the normalization, of the width of the tokens.
        dropout: the dropout probability for the sub-layer's output, 0 ≤ dropout < 1.
        alpha: α, at least 0, from :func:`deepnorm_constants`.

    Raises:
        TypeError: `dropout` or `alpha` is not a number.
        ValueError: `dropout` or `alpha` is out of range.

    Reference: Wang et al. 2022, section 3.

    >>> import torch
    >>> DeepNorm(nn.Identity(), alpha=3.0)(torch.ones(1, 1, 2), lambda x: 2 * x)
    tensor([[[5., 5.]]])
    """

    def __init__(self, norm: nn.Module, dropout: float = 0.0, alpha: float = 1.0) -> None:
        super().__init__(norm, dropout)
        check_number("alpha", alpha)
        self.alpha = alpha

    def forward(self, x: Tokens, sublayer: Callable[[Tensor], Tensor]) -> Tokens:
        """Return the tokens with the output of `sublayer` added, shape (B, T, D)."""
        return self.norm(self.alpha * x + self.drop(sublayer(x)))


def deepnorm_constants(num_encoder_layers: int, num_decoder_layers: int) -> dict[str, float]:
    """Return the factors α (of the input) and β (of the initial weights) of DeepNorm.

    Args:
        num_encoder_layers: N, or 0 for a decoder-only model.
        num_decoder_layers: M, or 0 for an encoder-only model.

    Returns:
        encoder_alpha, encoder_beta, decoder_alpha and decoder_beta. If there is only one
        stack, both pairs are its constants.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an argument is negative, or both are 0.

    Reference: Wang et al. 2022, figure 2.

    >>> round(deepnorm_constants(0, 8)["decoder_alpha"], 4)
    2.0
    """
    check_size("num_encoder_layers", num_encoder_layers, minimum=0)
    check_size("num_decoder_layers", num_decoder_layers, minimum=0)
    n, m = num_encoder_layers, num_decoder_layers
    if n == m == 0:
        raise ValueError("num_encoder_layers or num_decoder_layers must be at least 1, got 0 and 0")
    if n == 0 or m == 0:
        alpha, beta = (2 * (n + m)) ** 0.25, (8 * (n + m)) ** -0.25
        return dict.fromkeys(("encoder_alpha", "decoder_alpha"), alpha) | dict.fromkeys(
            ("encoder_beta", "decoder_beta"), beta
        )
    return {
        "encoder_alpha": 0.81 * (n**4 * m) ** (1 / 16),
        "encoder_beta": 0.87 * (n**4 * m) ** (-1 / 16),
        "decoder_alpha": (3 * m) ** 0.25,
        "decoder_beta": (12 * m) ** -0.25,
    }
