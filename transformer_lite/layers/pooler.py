"""The pooler: one vector for a whole sentence, read from its first token."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_shape, check_size
from transformer_lite.layers.linear import Linear


class Pooler(nn.Module):
    """Return tanh(x₀ W + b), where x₀ is the vector of the sentence's first token.

    Args:
        d_model: the width D.

    Raises:
        TypeError: `d_model` is not an int.
        ValueError: `d_model` is smaller than 1.

    Reference: Devlin et al. 2019, section 3.1, where the first token is [CLS].

    >>> import torch
    >>> Pooler(4)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 4])
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        check_size("d_model", d_model)
        self.d_model = d_model
        self.proj = Linear(d_model, d_model)

    def forward(self, x: Float[Tensor, "B S D"]) -> Float[Tensor, "B D"]:
        """Return one vector for each sentence of `x`, shape (B, S, D): shape (B, D).

        Raises:
            TypeError: `x` is not a float tensor.
            ValueError: `x` does not have shape (B, S, D).
        """
        check_shape("x", x, "B", "S", self.d_model)
        return self.proj(x[:, 0]).tanh()
