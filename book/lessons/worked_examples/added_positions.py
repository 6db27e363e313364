"""Word embeddings with sinusoidal positions added, by :mod:`transformer_lite.layers.positions`."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from lessons.worked_examples.positions import encoding
from lessons.worked_examples.registry import computes
from lessons.worked_examples.residuals import attend
from transformer_lite.layers.norms import layer_norm
from transformer_lite.layers.positions import sinusoidal_positions


def with_positions(x: Tensor, start: int = 0) -> Tensor:
    """Add the encoding of its position to every row."""
    length, d_model = x.shape
    return x + sinusoidal_positions(length, d_model, start=start)


@computes("pe-sum-the")
def embedding_plus_encoding(embedding: Tensor, pos: int) -> Tensor:
    """Add PE(pos) to one embedding."""
    return with_positions(embedding[None], pos)[0]


@computes("pe-sum-cat")
def two_sums(embedding: Tensor, pos: int, printed_pe: Tensor) -> dict[str, Tensor]:
    """Add PE(pos) to an embedding, and the encoding that is printed."""
    return {
        "embedding + PE(1)": embedding_plus_encoding(embedding, pos),
        "embedding + the printed PE": embedding + printed_pe,
    }


@computes("pe-sum-sat")
def encoding_and_sum(embedding: Tensor, pos: int) -> dict[str, Tensor]:
    """Return PE(pos) and its sum with an embedding."""
    return {
        "PE(2)": encoding(pos, len(embedding)),
        "embedding + PE(2)": embedding_plus_encoding(embedding, pos),
    }


@computes("pe-no-sqrt-dmodel-factor")
def scaled_embedding_plus_encoding(embedding: Tensor, pos: int) -> dict[str, Tensor]:
    """Scale an embedding by √D, then add PE(pos)."""
    scaled = math.sqrt(len(embedding)) * embedding
    return {"√4 × CAT + PE(1)": embedding_plus_encoding(scaled, pos)}


@computes("concatenate-versus-add")
def concatenated_or_added(embedding: Tensor, pos: int) -> dict[str, object]:
    """Compare the widths of an embedding joined with PE(pos) and added to it."""
    r, added = encoding(pos, len(embedding)), embedding_plus_encoding(embedding, pos)
    return {
        "width when concatenated": torch.cat([embedding, r]).numel(),
        "width when added": added.numel(),
        "x + r for The": added,
    }


@computes("layernorm-after-pe")
def normalized_after_encoding(embedding: Tensor) -> Tensor:
    """Add the positions to a table of embeddings and normalize each row."""
    return layer_norm(with_positions(embedding))


@computes("permutation-the-cat-sat")
def shuffled_words(x: Tensor, order: Tensor) -> dict[str, Tensor]:
    """Measure what the order of the words of x changes, without positions and with them."""

    def change(encode: Callable[[Tensor], Tensor]) -> Tensor:
        """Return how far the outputs of shuffled words are from the shuffled outputs."""
        return (attend(encode(x[order])) - attend(encode(x))[order]).abs().max()

    return {
        "largest difference": change(lambda words: words),
        "largest difference with the encoding added": change(with_positions),
    }
