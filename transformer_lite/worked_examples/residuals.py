"""Add & Norm, step by step: attention, an addition, a layer normalization; and DeepNorm."""

import torch

from transformer_lite.attention import scaled_dot_product_attention
from transformer_lite.norms import layer_norm
from transformer_lite.residual import deepnorm_constants
from transformer_lite.worked_examples.masks import decoder_mask
from transformer_lite.worked_examples.registry import computes


def attend(x, mask=None):
    """Return self-attention with identity weights."""
    return scaled_dot_product_attention(x, x, x, mask)


@computes("residual-addnorm-pseudo-code")
def add_and_norm(x):
    return {"X + attention": x + attend(x), "layer normalization": layer_norm(x + attend(x))}


@computes("residual-formula-without-norm")
def skip_with_and_without_norm(x):
    added = (x + attend(x))[0]
    return {"without the norm": added, "with the norm": layer_norm(added)}


@computes("pre-norm-vs-post-norm-on-the-cat-sat")
def two_placements(x):
    return {
        "post-norm": layer_norm(x + attend(x)),
        "pre-norm": x + attend(layer_norm(x)),
        "the norm of X": layer_norm(x),
    }


@computes("bad-update-residual-claim")
def bad_update(x, update):
    added = x + update
    return {
        "x + F(x)": added,
        "post-norm": layer_norm(added),
        "cosine of x and x + F(x)": torch.cosine_similarity(x, added, dim=0),
    }


@computes("layernorm-on-masked-example-embeddings")
def masked_add_and_norm(x, token_ids):
    added = x + attend(x, decoder_mask(token_ids))
    return {"X + attention": added, "layer normalization": layer_norm(added)}


@computes("deepnorm-alpha")
def deepnorm(layers):
    constants = [deepnorm_constants(depth, 0) for depth in layers.tolist()]
    return {
        "α": [depth["encoder_alpha"] for depth in constants],
        "β": [depth["encoder_beta"] for depth in constants],
    }
