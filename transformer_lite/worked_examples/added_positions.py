"""Word embeddings with sinusoidal positions added, by :mod:`transformer_lite.positions`."""

import math

import torch

from transformer_lite.norms import layer_norm
from transformer_lite.positions import sinusoidal_positions
from transformer_lite.worked_examples.positions import encoding
from transformer_lite.worked_examples.registry import computes
from transformer_lite.worked_examples.residuals import attend


def with_positions(x, start=0):
    """Add the encoding of its position to every row."""
    return x + sinusoidal_positions(*x.shape, start=start)


@computes("pe-sum-the")
def embedding_plus_encoding(embedding, pos):
    return with_positions(embedding[None], pos)[0]


@computes("pe-sum-cat")
def two_sums(embedding, pos, printed_pe):
    return {
        "embedding + PE(1)": embedding_plus_encoding(embedding, pos),
        "embedding + the printed PE": embedding + printed_pe,
    }


@computes("pe-sum-sat")
def encoding_and_sum(embedding, pos):
    return {
        "PE(2)": encoding(pos, len(embedding)),
        "embedding + PE(2)": embedding_plus_encoding(embedding, pos),
    }


@computes("pe-no-sqrt-dmodel-factor")
def scaled_embedding_plus_encoding(embedding, pos):
    scaled = math.sqrt(len(embedding)) * embedding
    return {"√4 × CAT + PE(1)": embedding_plus_encoding(scaled, pos)}


@computes("concatenate-versus-add")
def concatenated_or_added(embedding, pos):
    r, added = encoding(pos, len(embedding)), embedding_plus_encoding(embedding, pos)
    return {
        "width when concatenated": torch.cat([embedding, r]).numel(),
        "width when added": added.numel(),
        "x + r for The": added,
    }


@computes("layernorm-after-pe")
def normalized_after_encoding(embedding):
    return layer_norm(with_positions(embedding))


@computes("permutation-the-cat-sat")
def shuffled_words(x, order):
    def change(encode):
        """How far the outputs of shuffled words are from the shuffled outputs."""
        return (attend(encode(x[order])) - attend(encode(x))[order]).abs().max()

    return {
        "largest difference": change(lambda words: words),
        "largest difference with the encoding added": change(with_positions),
    }
