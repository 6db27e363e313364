"""What attention costs: multiply–adds and bytes, counted before anything is computed."""

from typing import NamedTuple

from transformer_lite.checks import check_head_sizes, check_size


class AttentionCost(NamedTuple):
    """The multiply–adds and bytes of one multi-head attention, part by part."""

    projection_multiply_adds: int
    score_multiply_adds: int
    mixing_multiply_adds: int
    weight_bytes: int
    activation_bytes: int
    table_bytes: int

    @property
    def multiply_adds(self) -> int:
        """The sum of all multiply–adds. PyTorch's counter reports twice as many operations."""
        return self.projection_multiply_adds + self.score_multiply_adds + self.mixing_multiply_adds


def attention_cost(
    batch: int,
    query_length: int,
    key_length: int,
    d_model: int,
    num_heads: int,
    bytes_per_number: int = 4,
) -> AttentionCost:
    """Count the multiply–adds and the bytes of one multi-head attention.

    Projections: 2·B·(T + S)·D². Scores: B·T·S·D. Mixing the values: B·T·S·D. The number of heads
    changes none of these: H heads of width D/H multiply as much as one head of width D. It changes
    the size of the score matrices, B·H·T·S, which only the teaching form stores.

    Args:
        batch: B, the number of texts.
        query_length: T, the number of queries.
        key_length: S, the number of keys.
        d_model: D, the width of a token.
        num_heads: H, a divisor of D.
        bytes_per_number: 4 for float32, 2 for bfloat16.

    Returns:
        :class:`AttentionCost`; `weight_bytes` are the four matrices, `activation_bytes` query,
        key, value and output, and `table_bytes` one table of scores or weights.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an argument is smaller than 1, or `num_heads` does not divide `d_model`.

    Reference: Vaswani et al. 2017, table 1.

    >>> attention_cost(1, 1000, 1000, d_model=512, num_heads=8).table_bytes
    32000000
    """
    check_size("batch", batch)
    check_size("query_length", query_length)
    check_size("key_length", key_length)
    check_head_sizes(d_model, num_heads)
    check_size("bytes_per_number", bytes_per_number)
    tokens = 2 * batch * (query_length + key_length)
    pairs = batch * query_length * key_length
    return AttentionCost(
        projection_multiply_adds=tokens * d_model**2,
        score_multiply_adds=pairs * d_model,
        mixing_multiply_adds=pairs * d_model,
        weight_bytes=4 * d_model**2 * bytes_per_number,
        activation_bytes=tokens * d_model * bytes_per_number,
        table_bytes=pairs * num_heads * bytes_per_number,
    )
