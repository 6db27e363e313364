"""From ids to vectors: look up, scale, add positions."""

from __future__ import annotations

import math

from jaxtyping import Float, Integer
from torch import Tensor, nn

from transformer_lite._checks import check_batch_of_ids, check_number, check_size
from transformer_lite.dropout import dropout
from transformer_lite.positions import PositionScheme


class TokenEmbedding(nn.Module):
    """Look up the vector of every token, scale it by √D, and tell it its position.

    Args:
        vocab_size: the number of tokens V.
        d_model: the width D.
        positions: a scheme that adds positions to the tokens; None adds nothing.
        dropout: the share of the sum to drop in training, 0 ≤ dropout < 1.

    Raises:
        TypeError: a size is not an int, `dropout` not a number, or `positions` no position scheme.
        ValueError: a size is smaller than 1, or `dropout` is out of range.

    Reference: Vaswani et al. 2017, sections 3.4 and 5.4.

    >>> import torch
    >>> TokenEmbedding(vocab_size=7, d_model=4)(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 4])
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        positions: PositionScheme | None = None,
        dropout: float = 0.0,
    ):
        super().__init__()
        check_size("vocab_size", vocab_size)
        check_size("d_model", d_model)
        check_number("dropout", dropout, high=1.0)
        if not isinstance(positions, PositionScheme | None):
            raise TypeError(f"positions must be a PositionScheme or None, got {positions!r:.60}")
        self.table = nn.Embedding(vocab_size, d_model)
        # Times √D, the entries have a variance of 1, the size of the sines they meet.
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.positions = positions or PositionScheme()
        self.dropout = dropout

    def forward(
        self, ids: Integer[Tensor, "B T"], start: int = 0, name: str = "ids"
    ) -> Float[Tensor, "B T D"]:
        """Return the vectors of `ids`, whose first token stands at position `start`.

        Args:
            ids: the tokens, shape (B, T).
            start: the position of the first one: not 0 when decoding with a cache.
            name: what errors call `ids`.

        Returns:
            Tensor of shape (B, T, D).

        Raises:
            TypeError: `ids` does not hold integers, or is not on the device of the table.
            ValueError: `ids` is not of shape (B, T) with T at least 1, or an id is not in the
                vocabulary. (On a GPU, where reading an id would wait, PyTorch reports it.)
        """
        check_batch_of_ids(name, ids, self.table.num_embeddings)
        device = self.table.weight.device
        if ids.device != device:
            raise TypeError(f"{name} must be on device {device}, got {ids.device}")
        x = self.table(ids.long()) * math.sqrt(self.table.embedding_dim)
        return dropout(self.positions.embed(x, start), self.dropout, self.training)
