"""From ids to vectors: look up, scale, add positions."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from transformer_lite.checks import check_batch_of_ids, check_number, check_size
from transformer_lite.layers.dropout import dropout
from transformer_lite.layers.positions import PositionScheme


class TokenEmbedding(nn.Module):
    """Look up the vector of every token, scale it by √D, and add its position.

    Args:
        vocab_size: the number of tokens V.
        d_model: the width D.
        positions: a scheme that adds positions to the tokens; None adds nothing.
        dropout: the dropout probability for the sum, 0 ≤ dropout < 1.

    Raises:
        TypeError: a size is not an int, `dropout` not a number, or `positions` is not a position
            scheme.
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
    ) -> None:
        super().__init__()
        check_size("vocab_size", vocab_size)
        check_size("d_model", d_model)
        check_number("dropout", dropout, high=1.0)
        if not isinstance(positions, PositionScheme | None):
            raise TypeError(f"positions must be a PositionScheme or None, got {positions!r:.60}")
        self.vocab_size, self.d_model, self.dropout = vocab_size, d_model, dropout
        self.table = nn.Embedding(vocab_size, d_model)
        # Times √D, the entries have a variance of 1, the size of the sines they meet.
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.positions = positions or PositionScheme()

    def forward(self, ids: Integer[Tensor, "B T"], start: int = 0) -> Float[Tensor, "B T D"]:
        """Return the vectors of `ids`, whose first token is at position `start`.

        Args:
            ids: the tokens, shape (B, T).
            start: the position of the first token; greater than 0 when decoding with a cache.

        Returns:
            Tensor of shape (B, T, D).

        Raises:
            TypeError: `ids` does not hold integers, or is not on the device of the table.
            ValueError: `ids` is not of shape (B, T) with T at least 1, or an id is not in the
                vocabulary. (On a GPU, where reading an id would cost time, PyTorch reports it.)
        """
        check_token_ids("ids", ids, self)
        x = self.positions.embed(self.look_up(ids), start)
        return dropout(x, self.dropout, self.training)

    def look_up(self, ids: Integer[Tensor, "B T"]) -> Float[Tensor, "B T D"]:
        """Return the rows of the table that `ids` name, times √D, shape (B, T, D)."""
        return self.table(ids.long()) * math.sqrt(self.d_model)


class UnscaledEmbedding(TokenEmbedding):
    """The same without the factor √D: the embedding of GPT-2, BERT and Llama.

    Args, Raises: as in :class:`TokenEmbedding`.

    Reference: Radford et al. 2019; Devlin et al. 2019; Touvron et al. 2023.

    >>> import torch
    >>> embedding = UnscaledEmbedding(vocab_size=7, d_model=4)
    >>> bool((embedding(torch.tensor([[3]]))[0, 0] == embedding.table.weight[3]).all())
    True
    """

    def look_up(self, ids: Integer[Tensor, "B T"]) -> Float[Tensor, "B T D"]:
        """Return the rows of the table that `ids` name, shape (B, T, D)."""
        return self.table(ids.long())


class SegmentEmbedding(UnscaledEmbedding):
    """BERT's embedding: token, position and segment added up, normalized, then dropped.

    A segment says which of two sentences a token belongs to.

    Args:
        vocab_size, d_model, positions, dropout: as in :class:`TokenEmbedding`.
        num_segments: the number of segments, at least 1.
        norm: the normalization of the sum.

    Raises:
        TypeError, ValueError: as in :class:`TokenEmbedding`, and for `num_segments`.

    Reference: Devlin et al. 2019, figure 2.

    >>> import torch
    >>> parts = {"positions": PositionScheme(), "num_segments": 2, "norm": nn.LayerNorm(4)}
    >>> embedding = SegmentEmbedding(7, 4, **parts)
    >>> embedding(torch.tensor([[1, 2, 3]]), segments=torch.tensor([[0, 0, 1]])).shape
    torch.Size([1, 3, 4])
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        positions: PositionScheme | None,
        num_segments: int,
        norm: nn.Module,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(vocab_size, d_model, positions, dropout)
        check_size("num_segments", num_segments)
        self.segment_table = nn.Embedding(num_segments, d_model)
        nn.init.normal_(self.segment_table.weight, std=d_model**-0.5)
        self.norm = norm

    def forward(
        self,
        ids: Integer[Tensor, "B T"],
        start: int = 0,
        segments: Integer[Tensor, "B T"] | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Return the vectors of `ids`, as :meth:`TokenEmbedding.forward` does.

        Args:
            ids, start: as there.
            segments: the segment of each token, shape (B, T); None means the first for all.

        Raises:
            TypeError, ValueError: as there, and the same for `segments`.
        """
        check_token_ids("ids", ids, self)
        if segments is None:
            segments = ids.new_zeros(()).expand_as(ids)
        check_batch_of_ids("segments", segments, self.segment_table.num_embeddings)
        if segments.shape != ids.shape:
            raise ValueError(
                "segments must have the shape of ids, "
                f"{tuple(ids.shape)}, got {tuple(segments.shape)}"
            )
        x = self.positions.embed(self.look_up(ids), start) + self.segment_table(segments.long())
        return dropout(self.norm(x), self.dropout, self.training)


def vocab_size_of(embedding: nn.Module) -> int:
    """Return the size of the vocabulary; a very large number if the embedding does not have it."""
    return getattr(embedding, "vocab_size", torch.iinfo(torch.int64).max)


def check_token_ids(name: str, ids: Tensor, embedding: nn.Module) -> None:
    """Require ids of shape (B, T) in the vocabulary of an embedding, on its device.

    Args:
        name: the name of `ids` in error messages.
        ids: the tokens, shape (B, T).
        embedding: the module that looks them up; it need not have a `vocab_size`.

    Raises:
        TypeError: `ids` does not hold integers, or is on another device.
        ValueError: `ids` is not of shape (B, T) with T at least 1, or an id is out of range.
    """
    check_batch_of_ids(name, ids, vocab_size_of(embedding))
    weight = next(embedding.parameters(), ids)
    if ids.device != weight.device:
        raise TypeError(f"{name} must be on device {weight.device}, got {ids.device}")
