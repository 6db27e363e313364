"""Helpers for the tests of whole models: small models of every kind, and their inputs."""

import functools

import pytest
import torch
from allpairspy import AllPairs

from transformer_lite import Transformer, TransformerConfig, build
from transformer_lite.models import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    build_decoder_only,
    build_encoder_only,
)
from transformer_lite.models.variants import FEED_FORWARDS, NORMS, POSITIONS, RESIDUALS

# All sizes differ, so that a transposed axis shows.
B, T, S, H, K = 2, 5, 7, 3, 4
D, D_FF, SRC_VOCAB, TGT_VOCAB = H * K, 20, 11, 13
SRC = torch.tensor([[3, 4, 5, 6, 7, 8, 9], [9, 3, 10, 0, 0, 0, 0]])
TGT = torch.tensor([[1, 4, 5, 6, 12], [1, 7, 8, 0, 0]])

BUILDERS = {
    Transformer: build,
    DecoderOnlyTransformer: build_decoder_only,
    EncoderOnlyTransformer: build_encoder_only,
}
MODELS = tuple(BUILDERS)
# Any two values of different kinds occur together in one of these.
KINDS = [[*kind] for kind in (POSITIONS, NORMS, RESIDUALS, FEED_FORWARDS)]
CHOICES = [tuple(row) for row in AllPairs(KINDS)]

each_model = pytest.mark.parametrize("kind", MODELS)
each_position = pytest.mark.parametrize("positions", POSITIONS)
each_residual = pytest.mark.parametrize("residual", RESIDUALS)
each_choice = pytest.mark.parametrize("choice", CHOICES, ids="-".join)


def config(**fields) -> TransformerConfig:
    """A config of tiny sizes, with one encoder layer and two decoder layers."""
    sizes = {"d_model": D, "num_heads": H, "d_ff": D_FF, "max_len": 32}
    sizes |= {"src_vocab_size": SRC_VOCAB, "tgt_vocab_size": TGT_VOCAB}
    sizes |= {"num_encoder_layers": 1, "num_decoder_layers": 2}
    return TransformerConfig(**(sizes | fields))


def chosen(choice, **fields) -> TransformerConfig:
    """The config of one entry of `CHOICES`."""
    words = ("positions", "norm", "residual", "activation")
    return config(**dict(zip(words, choice, strict=True)), **fields)


def make(kind, dtype=torch.float64, **fields):
    """A tiny model without dropout, in evaluation mode, none of whose weights is 0 or 1."""
    return randomized(BUILDERS[kind](config(dropout=0.0, **fields)).to(dtype).eval())


@functools.cache
def make_chosen(kind, choice):
    """The model of one entry of `CHOICES`, made once for all tests: leave its weights alone."""
    torch.manual_seed(6)
    return randomized(BUILDERS[kind](chosen(choice, dropout=0.0)).double().eval())


def randomized(module):
    """Move all biases and gains away from 0 and 1, where omitting one would go unnoticed."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim == 1:
                parameter.add_(torch.empty_like(parameter).uniform_(0.1, 0.5))
    return module


def hooks(model) -> int:
    """How many hooks the parts of a model have."""
    kinds = ("_forward_hooks", "_forward_hooks_with_kwargs", "_forward_pre_hooks")
    return sum(len(getattr(module, kind)) for module in model.modules() for kind in kinds)


def inputs_of(kind, src=SRC, tgt=TGT):
    """What a model of this kind reads: both sentences, or the one that it knows."""
    if kind is Transformer:
        return src, tgt
    return (tgt,) if kind is DecoderOnlyTransformer else (src,)


def pads(ids, count):
    """Sentences with more padding after them."""
    return torch.cat([ids, ids.new_zeros(len(ids), count)], dim=1)
