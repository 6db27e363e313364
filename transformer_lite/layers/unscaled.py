"""Two parts of T5: attention without scaled scores, and an output with a scale."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_size
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.positions import PositionScheme


class UnscaledAttention(MultiHeadAttention):
    """Multi-head attention whose scores are not divided by √K, with heads of any width.

    T5 puts the factor into the initial weights of W^Q instead. There are no biases.

    Args:
        d_model: the width D of queries, memory and output.
        num_heads: H, any number of heads.
        d_head: the width K of a head; H · K need not be D.
        dropout, positions: as in :class:`MultiHeadAttention`.

    Raises:
        TypeError, ValueError: as in :class:`MultiHeadAttention`, and for `d_head`.

    Reference: Raffel et al. 2020, and the released code.

    >>> import torch
    >>> UnscaledAttention(d_model=8, num_heads=3, d_head=4)(torch.zeros(1, 5, 8)).shape
    torch.Size([1, 5, 8])
    """

    scale = 1.0

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_head: int,
        dropout: float = 0.0,
        positions: PositionScheme | None = None,
    ) -> None:
        check_size("d_head", d_head)
        super().__init__(d_model, num_heads, dropout, False, positions, d_head)


class ScaledOutput(Linear):
    """Turn vectors into logits with the embedding table: logits = x Wᵀ / √D.

    Args and Raises are those of ``torch.nn.Linear``, and so are the names of its weights.

    Reference: Raffel et al. 2020, the released code: the table's rows are of length √D.

    >>> import torch
    >>> ScaledOutput(4, 7, bias=False)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 7])
    """

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B E"]:
        """Return x Wᵀ / √D for tokens of shape (..., D): shape (..., E)."""
        return super().forward(x * self.in_features**-0.5)
