"""Layers, sub-layers and widths of the base model, counted on the model itself."""

import torch
from torch import Tensor, nn

from transformer_lite.config import TransformerConfig
from transformer_lite.residual import PostNorm
from transformer_lite.transformer import Transformer
from transformer_lite.worked_examples.registry import computes

CONFIGS = {"base": {}}  # the defaults are the paper's base model


def build(model: str = "base", vocab_size: int = 37_000, **fields: object) -> Transformer:
    """Return a model of the paper without memory for its weights: they are only counted."""
    config = TransformerConfig(vocab_size, vocab_size, **CONFIGS[model] | fields)
    with torch.device("meta"):
        return Transformer(config)


def sublayers(part: nn.Module) -> int:
    """Return the number of sub-layers: each stands inside one residual connection, Add & Norm."""
    return sum(isinstance(module, PostNorm) for module in part.modules())


def ids(length: int) -> Tensor:
    """Return a sentence of which only the length counts."""
    return torch.ones(1, length, dtype=torch.long, device="meta")


@computes("encoder-layers-n6-dmodel-512")
def encoder_of_the_base_model(model):
    encoder = build(model).encoder
    return {
        "layers": len(encoder.layers),
        "d_model": encoder.layers[0].self_attention.d_model,
        "sub-layers in an encoder layer": sublayers(encoder.layers[0]),
        "sub-layers in the encoder": sublayers(encoder),
    }


@computes("decoder-stack-n6")
def decoder_layers(model):
    return len(build(model).decoder.layers)


@computes("addnorm-two-vs-three-sublayers")
def add_and_norm_steps(model):
    built = build(model)
    return {
        "sub-layers in an encoder layer": sublayers(built.encoder.layers[0]),
        "sub-layers in a decoder layer": sublayers(built.decoder.layers[0]),
        "Add & Norm steps in the base model": sublayers(built),
    }


@computes("je-suis-etudiant-dims")
def size_of_a_sentence(tokens, width):
    _, length, d_model = build(d_model=width).src_embedding(ids(tokens)).shape
    return {"width": d_model, "tokens": length}


@computes("vocab-10000-logits")
def output_layer(**sizes):
    model = build(vocab_size=sizes["V"], d_model=sizes["d_model"])
    logits, weights = model(ids(1), ids(1)).shape[-1], model.output.weight.numel()
    return {"logits": logits, "weights": weights, "weights and biases": weights + logits}
