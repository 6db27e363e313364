"""From ids to vectors: look up, scale, add positions."""

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
        TypeError: a size is not an int, or `dropout` not a number.
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
        self.table = nn.Embedding(vocab_size, d_model)
        # Times √D, the entries have a variance of 1, the size of the sines they meet.
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.positions = positions or PositionScheme()
        self.dropout = dropout

    def forward(self, ids: Integer[Tensor, "B T"], start: int = 0) -> Float[Tensor, "B T D"]:
        """Return the vectors of `ids`, whose first token stands at position `start`.

        Raises:
            TypeError: `ids` does not hold integers.
            ValueError: `ids` is not of shape (B, T) with T at least 1, or an id is not in the
                vocabulary. (On a GPU, where reading an id would wait, PyTorch reports it.)
        """
        check_batch_of_ids("ids", ids, self.table.num_embeddings)
        x = self.table(ids) * math.sqrt(self.table.embedding_dim)
        return dropout(self.positions.embed(x, start), self.dropout, self.training)
