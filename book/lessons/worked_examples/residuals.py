"""Add & Norm, step by step: attention, an addition, a layer normalization; and DeepNorm."""

import torch
from torch import Tensor

from lessons.worked_examples.masks import decoder_mask
from lessons.worked_examples.registry import computes
from transformer_lite.layers.attention import scaled_dot_product_attention
from transformer_lite.layers.norms import layer_norm
from transformer_lite.layers.residual import deepnorm_constants


def attend(x: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return self-attention with identity weights."""
    return scaled_dot_product_attention(x, x, x, mask)


@computes("residual-addnorm-pseudo-code")
def add_and_norm(x: Tensor) -> dict[str, Tensor]:
    """Return x plus self-attention, and its layer normalization."""
    return {"X + attention": x + attend(x), "layer normalization": layer_norm(x + attend(x))}


@computes("residual-formula-without-norm")
def skip_with_and_without_norm(x: Tensor) -> dict[str, Tensor]:
    """Return the first row of x plus self-attention, with the norm and without."""
    added = (x + attend(x))[0]
    return {"without the norm": added, "with the norm": layer_norm(added)}


@computes("pre-norm-vs-post-norm-on-the-cat-sat")
def two_placements(x: Tensor) -> dict[str, Tensor]:
    """Return post-norm and pre-norm of x around self-attention."""
    return {
        "post-norm": layer_norm(x + attend(x)),
        "pre-norm": x + attend(layer_norm(x)),
        "the norm of X": layer_norm(x),
    }


@computes("bad-update-residual-claim")
def bad_update(x: Tensor, update: Tensor) -> dict[str, Tensor]:
    """Add a bad update to x, and measure how far the sum turns away from x."""
    added = x + update
    return {
        "x + F(x)": added,
        "post-norm": layer_norm(added),
        "cosine of x and x + F(x)": torch.cosine_similarity(x, added, dim=0),
    }


@computes("layernorm-on-masked-example-embeddings")
def masked_add_and_norm(x: Tensor, token_ids: Tensor) -> dict[str, Tensor]:
    """Return x plus masked self-attention, and its layer normalization."""
    added = x + attend(x, decoder_mask(token_ids))
    return {"X + attention": added, "layer normalization": layer_norm(added)}


@computes("deepnorm-alpha")
def deepnorm(layers: Tensor) -> dict[str, object]:
    """Return DeepNorm's α and β for encoders of these depths."""
    constants = [deepnorm_constants(depth, 0) for depth in layers.tolist()]
    return {
        "α": [depth["encoder_alpha"] for depth in constants],
        "β": [depth["encoder_beta"] for depth in constants],
    }
