"""Schemes that act on the scores: relative, rotary, ALiBi."""

import torch
from torch import Tensor

from lessons.worked_examples.registry import computes
from transformer_lite.layers.positions import (
    ALiBi,
    alibi_slopes,
    rotate_interleaved,
    sinusoidal_frequencies,
)
from transformer_lite.layers.positions.relative import offsets


@computes("relative-distance-i-like-pizza")
def signed_distances(positions: dict[str, int]) -> dict[str, Tensor]:
    """Return the signed distances between three words."""
    table = offsets(len(positions), len(positions))
    pairs = [("I", "like"), ("like", "pizza"), ("pizza", "I")]
    return {f"{a} to {b}": table[positions[b], positions[a]] for a, b in pairs}


@computes("relative-bias-formula")
def offset_table(length: int) -> dict[str, object]:
    """Return the table of offsets, query minus key, and how many differ."""
    table = -offsets(length, length)  # the document writes query minus key
    return {"offsets i − j": table, "different offsets": len(torch.unique(table))}


@computes("rope-formula")
def rotated_scores(query: Tensor, key: Tensor) -> dict[str, Tensor]:
    """Return the score of a rotated query and key at three pairs of positions."""

    def score(query_position: int, key_position: int) -> Tensor:
        turned_query = rotate_interleaved(query[None], start=query_position)
        turned_key = rotate_interleaved(key[None], start=key_position)
        return (turned_query @ turned_key.T).squeeze()

    return {
        "θ for d = 4": sinusoidal_frequencies(len(query)),
        "score at positions 1 and 0": score(1, 0),
        "score at positions 6 and 5": score(6, 5),
        "score at positions 0 and 0": score(0, 0),
    }


@computes("alibi-formula")
def alibi_penalties(num_heads: int, length: int) -> dict[str, Tensor]:
    """Return ALiBi's slopes, and the penalties of the last query."""
    last_query = torch.zeros(1, num_heads, 1, 1, dtype=torch.float64)
    bias = ALiBi(num_heads).bias(last_query, key_length=length, start=length - 1)
    return {
        "slopes of 8 heads": alibi_slopes(num_heads),
        "bias of query 3 with slope 1/2": bias[0, 0],
    }
