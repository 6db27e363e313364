"""Learned positions: a table with one vector per position, trained like any other weight."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_same, check_shape, check_size
from transformer_lite.layers.positions.scheme import PositionScheme


class LearnedPositions(PositionScheme):
    """Add row `pos` of a learned table to the token at position `pos`.

    Args:
        d_model: the width D.
        max_len: the number of rows, and so the maximum sequence length.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an argument is smaller than 1.

    Reference: Devlin et al. 2019 (BERT); Radford et al. 2018 (GPT).

    >>> LearnedPositions(4, max_len=8).embed(torch.zeros(1, 3, 4)).shape
    torch.Size([1, 3, 4])
    """

    def __init__(self, d_model: int, max_len: int):
        super().__init__()
        check_size("d_model", d_model)
        check_size("max_len", max_len)
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)

    def embed(self, x: Float[Tensor, "B T D"], start: int = 0) -> Float[Tensor, "B T D"]:
        """Add the rows of the table from `start` on.

        Raises:
            TypeError: `x` is not a float tensor of the table's dtype and device, or `start` is not
                an int.
            ValueError: `x` does not have shape (B, T, D), `start` is negative, or the sequence
                ends beyond the table.
        """
        check_shape("x", x, "B", "T", self.table.shape[1])
        check_same("x and table", x=x, table=self.table)
        check_size("start", start, minimum=0)
        end = start + x.shape[1]
        if end > len(self.table):
            raise ValueError(
                f"sequence must fit into max_len={len(self.table)} learned positions, got {end}"
            )
        return x + self.table[start:end]
