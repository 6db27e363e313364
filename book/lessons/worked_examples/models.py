"""Layers, sub-layers and widths of the base model, counted on the model itself."""

from typing import Any

import torch
from torch import Tensor, nn

from lessons.worked_examples.registry import computes
from transformer_lite.layers.residual import Residual
from transformer_lite.models.build import build
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.decoder import DecoderLayer
from transformer_lite.models.encoder import EncoderLayer
from transformer_lite.models.transformer import Transformer

CONFIGS: dict[str, dict[str, Any]] = {"base": {}}  # the defaults are the paper's base model


def of_the_paper(model: str = "base", vocab_size: int = 37_000, **fields: Any) -> Transformer:
    """Return a model of the paper without memory for its weights: they are only counted."""
    config = TransformerConfig(vocab_size, vocab_size, **CONFIGS[model] | fields)
    with torch.device("meta"):
        return build(config)


def count(part: nn.Module, kind: type[nn.Module]) -> int:
    """Return the number of modules of one kind in a part."""
    return sum(isinstance(module, kind) for module in part.modules())


def first(part: nn.Module, kind: type[nn.Module]) -> nn.Module:
    """Return the first module of one kind in a part."""
    return next(module for module in part.modules() if isinstance(module, kind))


def sublayers(part: nn.Module) -> int:
    """Return the number of sub-layers: each is inside one residual connection, Add & Norm."""
    return count(part, Residual)


def ids(length: int) -> Tensor:
    """Return a sentence; only its length matters."""
    return torch.ones(1, length, dtype=torch.long, device="meta")


@computes("encoder-layers-n6-dmodel-512")
def encoder_of_the_base_model(model: str) -> dict[str, int]:
    """Count the layers, the widths and the sub-layers of a model's encoder."""
    built = of_the_paper(model)
    return {
        "layers": count(built.encoder, EncoderLayer),
        "d_model": built.src_embedding(ids(1)).shape[-1],
        "sub-layers in an encoder layer": sublayers(first(built, EncoderLayer)),
        "sub-layers in the encoder": sublayers(built.encoder),
    }


@computes("decoder-stack-n6")
def decoder_layers(model: str) -> int:
    """Count the layers of a model's decoder."""
    return count(of_the_paper(model), DecoderLayer)


@computes("addnorm-two-vs-three-sublayers")
def add_and_norm_steps(model: str) -> dict[str, int]:
    """Count the Add & Norm steps of a model and of its layers."""
    built = of_the_paper(model)
    return {
        "sub-layers in an encoder layer": sublayers(first(built, EncoderLayer)),
        "sub-layers in a decoder layer": sublayers(first(built, DecoderLayer)),
        "Add & Norm steps in the base model": sublayers(built),
    }


@computes("je-suis-etudiant-dims")
def size_of_a_sentence(tokens: int, width: int) -> dict[str, int]:
    """Return the width and the length of an embedded sentence."""
    _, length, d_model = of_the_paper(d_model=width).src_embedding(ids(tokens)).shape
    return {"width": d_model, "tokens": length}


@computes("vocab-10000-logits")
def output_layer(**sizes: int) -> dict[str, int]:
    """Count the logits, weights and biases of an output layer, from the sizes V and d_model."""
    model = of_the_paper(vocab_size=sizes["V"], d_model=sizes["d_model"])
    logits = model(ids(1), ids(1)).shape[-1]
    weights = model.output.get_parameter("weight").numel()
    return {"logits": logits, "weights": weights, "weights and biases": weights + logits}
