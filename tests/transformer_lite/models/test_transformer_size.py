"""The initial weights of the three assemblies, and their number: the paper's count and ours."""

import math

import pytest
import torch
from tiny_models import BUILDERS, D_FF, TGT, TGT_VOCAB, D, config, each_residual
from torch import nn

from transformer_lite import TransformerConfig, build
from transformer_lite.layers import DeepNorm, deepnorm_constants
from transformer_lite.models import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    build_decoder_only,
)

# How it starts


def limits(stack, beta):
    """For each matrix: how far Glorot's uniform distribution reaches, and how far ours does."""
    for name, layer in stack.named_modules():
        if isinstance(layer, nn.Linear):
            gain = 1.0 if "q_proj" in name or "k_proj" in name else beta
            reach = gain * math.sqrt(6 / (layer.in_features + layer.out_features))
            yield name, layer, reach


@each_residual
@pytest.mark.parametrize("activation", ["relu", "swiglu"])
def test_matrices_start_with_glorots_variance_which_deepnorm_shrinks(residual, activation):
    sizes = {"num_encoder_layers": 3, "num_decoder_layers": 5, "residual": residual}
    model = build(config(**sizes, activation=activation))
    constants = deepnorm_constants(3, 5) if residual == "deep" else {}
    for stack in ("encoder", "decoder"):
        beta, alpha = (constants.get(f"{stack}_{name}", 1.0) for name in ("beta", "alpha"))
        for name, layer, reach in limits(getattr(model, stack), beta):
            largest = layer.weight.abs().max()
            assert 0.9 * reach < largest <= reach, name
            assert layer.bias is None or not layer.bias.any(), name
        recipes = [m for m in getattr(model, stack).modules() if isinstance(m, DeepNorm)]
        assert [recipe.alpha for recipe in recipes] == len(recipes) * [alpha]
        assert bool(recipes) == (residual == "deep")


@pytest.mark.parametrize("kind", [DecoderOnlyTransformer, EncoderOnlyTransformer])
def test_models_with_one_stack_use_deepnorms_constants_for_one_stack(kind):
    layers = {"num_encoder_layers": 2, "num_decoder_layers": 2}
    model = BUILDERS[kind](config(**layers, residual="deep"))
    stack = model.decoder if kind is DecoderOnlyTransformer else model.encoder
    for name, layer, reach in limits(stack, beta=16**-0.25):  # (8M)^-¼ with M = 2
        assert 0.9 * reach < layer.weight.abs().max() <= reach, name
    alphas = {module.alpha for module in model.modules() if isinstance(module, DeepNorm)}
    assert alphas == {4**0.25}  # (2M)^¼


@pytest.mark.parametrize("tied", [True, False])
def test_logits_start_small_and_embeddings_of_size_1(tied):
    sizes = {"d_model": 64, "num_heads": 4, "tie_embeddings": tied}
    model = build(TransformerConfig(1000, 1000, **sizes, num_decoder_layers=1))
    for weight in (model.output.weight, model.tgt_embedding.table.weight):
        assert weight.std().item() == pytest.approx(1 / 8, rel=0.02)


# How large it is


def attention(width):
    return 4 * (width * width + width)


def feed_forward(width, hidden):
    return 2 * width * hidden + hidden + width


def layer(width, hidden, sublayers):
    """An encoder layer has two sub-layers, a decoder layer one attention more, all with norms."""
    return (sublayers - 1) * attention(width) + feed_forward(width, hidden) + sublayers * 2 * width


def count(model):
    return sum(parameter.numel() for parameter in model.parameters())


@pytest.mark.parametrize("tied", [True, False])
def test_tied_embeddings_are_one_tensor(tied):
    model = build(
        TransformerConfig(
            TGT_VOCAB, TGT_VOCAB, D, 3, D_FF, 1, 2, tie_embeddings=tied, positions="none"
        )
    )
    tables = {
        weight.data_ptr()
        for weight in (
            model.src_embedding.table.weight,
            model.tgt_embedding.table.weight,
            model.output.weight,
        )
    }
    assert len(tables) == (1 if tied else 3)
    stacks = layer(D, D_FF, 2) + 2 * layer(D, D_FF, 3)
    assert count(model) == len(tables) * TGT_VOCAB * D + stacks
    # One step moves the table for all three at once.
    model(TGT, TGT).sum().backward()
    torch.optim.SGD(model.parameters(), lr=1.0).step()
    assert torch.equal(model.output.weight, model.src_embedding.table.weight) == tied
    language_model = build_decoder_only(config(tie_embeddings=False))
    assert language_model.output.weight is not language_model.embedding.table.weight


def test_the_base_model_has_nearly_the_papers_size():
    """63.08 million weights, where table 3 of the paper prints 65 million.

    The paper says of its vocabulary "about 37000"; the lines of its table fit one of 41,000.
    """
    with torch.device("meta"):
        model = build(TransformerConfig(37_000, 37_000, tie_embeddings=True))
    encoder, decoder = 6 * layer(512, 2048, 2), 6 * layer(512, 2048, 3)
    assert count(model) == 37_000 * 512 + encoder + decoder == 63_082_496
    assert (count(model.encoder), count(model.decoder)) == (encoder, decoder)
