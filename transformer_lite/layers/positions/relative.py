"""Relative positions: the scores depend on the distance between query and key."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from transformer_lite.checks import check_shape, check_size
from transformer_lite.layers.positions.scheme import PositionScheme


def offsets(
    query_length: int, key_length: int, start: int = 0, device: torch.device | str | None = None
) -> Integer[Tensor, "{query_length} {key_length}"]:
    """Return the matrix of distances, key position minus query position.

    Args:
        query_length: the number of queries T, at least 0.
        key_length: the number of keys S, at least 0; the first is at position 0.
        start: the position of the first query, at least 0.
        device: where to put the table.

    Returns:
        Tensor of whole numbers, shape (T, S).

    Raises:
        TypeError: a length or `start` is not an int.
        ValueError: a length or `start` is negative.

    >>> offsets(2, 3).tolist()
    [[0, 1, 2], [-1, 0, 1]]
    """
    check_size("query_length", query_length, minimum=0)
    check_size("key_length", key_length, minimum=0)
    check_size("start", start, minimum=0)
    query = torch.arange(start, start + query_length, device=device)
    return torch.arange(key_length, device=device) - query[:, None]


def t5_buckets(
    offset: Integer[Tensor, "*B"],
    num_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> Integer[Tensor, "*B"]:
    """Sort distances into buckets: one for each small distance, wider ones for large distances.

    Half of the buckets hold the exact distances 0, 1, 2, …; the other half grow logarithmically up
    to `max_distance`, and the last one takes all larger distances. Bidirectional: the future has
    buckets of its own. Causal: all of the future falls into bucket 0.

    Args:
        offset: key position minus query position, whole numbers of any shape.
        num_buckets: the number of buckets, at least 4 (2 if causal), even if bidirectional.
        max_distance: where the last bucket begins; more than the exact distances.
        bidirectional: True in an encoder, False in a decoder.

    Returns:
        Bucket numbers from 0 to num_buckets − 1, the shape of `offset`.

    Raises:
        TypeError: `offset` does not hold integers, or a number is not an int.
        ValueError: too few or odd buckets, or `max_distance` does not exceed the exact ones.

    Reference: Raffel et al. 2020, section 2.1, and the released code.

    >>> t5_buckets(torch.tensor([-20, -1, 0, 1, 20])).tolist()
    [10, 1, 0, 17, 26]
    """
    if not isinstance(offset, Tensor) or offset.dtype not in (torch.int32, torch.int64):
        came = getattr(offset, "dtype", type(offset).__name__)
        raise TypeError(f"offset must be a tensor of int32 or int64, got {came}")
    check_size("num_buckets", num_buckets, minimum=4 if bidirectional else 2)
    check_size("max_distance", max_distance)
    if bidirectional and num_buckets % 2:
        raise ValueError(f"num_buckets must be even if bidirectional, got {num_buckets}")
    side = num_buckets // 2 if bidirectional else num_buckets
    exact = side // 2
    if max_distance <= exact:
        raise ValueError(f"max_distance must exceed the {exact} exact buckets, got {max_distance}")
    first = (offset > 0).long() * side if bidirectional else torch.zeros_like(offset)
    distance = offset.abs() if bidirectional else (-offset).clamp(min=0)
    growth = torch.log(distance.clamp(min=1).float() / exact) / math.log(max_distance / exact)
    far = exact + (growth * (side - exact)).long()
    return first + torch.where(distance < exact, distance, far.clamp(max=side - 1))


class T5Relative(PositionScheme):
    """Add a learned number to the scores, one for each head and bucket of distances.

    Args:
        num_heads: H, the number of heads.
        bidirectional: True in an encoder, False in a decoder.
        num_buckets, max_distance: as in :func:`t5_buckets`.

    Raises:
        TypeError, ValueError: as in :func:`t5_buckets`, and for `num_heads`.

    Reference: Raffel et al. 2020, section 2.1. Differs from T5: the scores stay divided by √K.

    >>> T5Relative(num_heads=2).bias(torch.zeros(1, 2, 3, 4), key_length=5).shape
    torch.Size([2, 3, 5])
    """

    def __init__(
        self,
        num_heads: int,
        bidirectional: bool = True,
        num_buckets: int = 32,
        max_distance: int = 128,
    ):
        super().__init__()
        check_size("num_heads", num_heads)
        self.buckets = (num_buckets, max_distance, bidirectional)
        t5_buckets(torch.zeros(1, dtype=torch.long), *self.buckets)  # checks the arguments
        self.table = nn.Embedding(num_buckets, num_heads)
        nn.init.normal_(self.table.weight, std=0.02)

    def bias(
        self, query: Float[Tensor, "B H T K"], key_length: int, start: int = 0
    ) -> Float[Tensor, "H T {key_length}"]:
        """Return one number for each head, query and key: shape (H, T, S).

        Raises:
            TypeError: `query` is not a float tensor, or a length or `start` is not an int.
            ValueError: `query` is not of shape (B, H, T, K), or a length or `start` is negative.
        """
        check_shape("query", query, "B", self.table.embedding_dim, "T", "K")
        distance = offsets(query.shape[-2], key_length, start, query.device)
        return self.table(t5_buckets(distance, *self.buckets)).permute(2, 0, 1).to(query.dtype)


class ShawRelative(PositionScheme):
    """Add a learned vector to every key, one for each distance: scores grow by query · aᵢⱼ / √K.

    Args:
        d_head: the width K of a head; the heads share the vectors.
        max_distance: distances are clipped to ± this, at least 1.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an argument is smaller than 1.

    Reference: Shaw, Uszkoreit and Vaswani 2018, equations 2 to 4. Differs from the paper: no
    vectors are added to the values, which the paper's own ablation finds to change nothing.

    >>> ShawRelative(d_head=4, max_distance=2).bias(torch.zeros(1, 2, 3, 4), key_length=5).shape
    torch.Size([1, 2, 3, 5])
    """

    def __init__(self, d_head: int, max_distance: int = 16):
        super().__init__()
        check_size("d_head", d_head)
        check_size("max_distance", max_distance)
        self.max_distance = max_distance
        self.table = nn.Embedding(2 * max_distance + 1, d_head)
        nn.init.normal_(self.table.weight, std=d_head**-0.5)

    def bias(
        self, query: Float[Tensor, "B H T K"], key_length: int, start: int = 0
    ) -> Float[Tensor, "B H T {key_length}"]:
        """Return query · aᵢⱼ / √K, shape (B, H, T, S).

        Raises:
            TypeError: `query` is not a float tensor, or a length or `start` is not an int.
            ValueError: `query` is not of shape (B, H, T, K), or a length or `start` is negative.
        """
        check_shape("query", query, "B", "H", "T", self.table.embedding_dim)
        distance = offsets(query.shape[-2], key_length, start, query.device)
        clipped = distance.clamp(-self.max_distance, self.max_distance) + self.max_distance
        keys = self.table(clipped).to(query.dtype)
        scores = torch.einsum("bhtk,tsk->bhts", query, keys)
        return scores / math.sqrt(query.shape[-1])
