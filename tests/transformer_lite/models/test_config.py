"""What the fields of a config mean."""

import dataclasses

import pytest
import torch
from tiny_models import D, H, K, config, each_position
from torch.testing import assert_close

from transformer_lite import FeedForward, MultiHeadAttention, PostNorm, PreNorm, TransformerConfig
from transformer_lite.layers import DeepNorm, SwiGLU
from transformer_lite.layers.feed_forward import ACTIVATIONS
from transformer_lite.layers.norms import RMSNorm
from transformer_lite.layers.positions import (
    ALiBi,
    LearnedPositions,
    PositionScheme,
    Rotary,
    ShawRelative,
    SinusoidalPositions,
    T5Relative,
)
from transformer_lite.models.build import (
    make_decoder,
    make_embedding,
    make_encoder,
    make_residual,
    make_self_attention,
)
from transformer_lite.models.variants import FEED_FORWARDS

# Where a scheme acts: on the embeddings, or in every self-attention.
AT_THE_EMBEDDINGS = {"sinusoidal": SinusoidalPositions, "learned": LearnedPositions}
IN_THE_ATTENTIONS = {"rotary": Rotary, "alibi": ALiBi, "t5": T5Relative, "shaw": ShawRelative}


def test_the_defaults_are_the_papers_base_model():
    base = TransformerConfig(37_000, 37_000)
    assert (base.d_model, base.num_heads, base.d_ff) == (512, 8, 2048)
    assert (base.num_encoder_layers, base.num_decoder_layers, base.dropout) == (6, 6, 0.1)
    assert (base.norm, base.residual, base.positions) == ("layer", "post", "sinusoidal")
    assert (base.activation, base.tie_embeddings, base.pad_id) == ("relu", False, 0)
    assert base.max_len == 1024


def test_a_config_cannot_change_and_compares_by_its_fields():
    first = config()
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.d_model = 24
    assert first == config() != config(d_ff=21)
    assert len({first, config(), config(pad_id=1)}) == 2
    assert dataclasses.replace(first, pad_id=1).pad_id == 1
    with pytest.raises(ValueError, match="num_heads=5"):
        dataclasses.replace(first, num_heads=5)


@pytest.mark.parametrize(
    ("residual", "kind"), [("post", PostNorm), ("pre", PreNorm), ("deep", DeepNorm)]
)
def test_the_residual_recipe_has_the_norm_and_dropout_of_the_config(residual, kind):
    recipe = make_residual(config(residual=residual, norm="rms", dropout=0.25), alpha=3.0)
    assert type(recipe) is kind and type(recipe.norm) is RMSNorm
    assert recipe.dropout == 0.25
    assert getattr(recipe, "alpha", None) == (3.0 if kind is DeepNorm else None)


@pytest.mark.parametrize("activation", FEED_FORWARDS)
def test_the_feed_forward_has_its_activation_and_width(activation):
    layer = FEED_FORWARDS[activation](D, 20)
    assert type(layer) is (SwiGLU if activation == "swiglu" else FeedForward)
    assert layer.up.weight.shape == (20, D)
    assert layer.dropout == 0, "only a sub-layer's output is dropped, as in the paper"
    x = torch.randn(2, 3, D)
    if activation == "swiglu":
        hidden = torch.nn.functional.silu(layer.gate(x)) * layer.up(x)
    else:
        hidden = ACTIVATIONS[activation](layer.up(x))
    assert_close(layer(x), layer.down(hidden))


@each_position
def test_positions_act_either_at_the_embeddings_or_in_attention(positions):
    made = config(positions=positions)
    at_embeddings = AT_THE_EMBEDDINGS.get(positions, PositionScheme)
    in_attentions = IN_THE_ATTENTIONS.get(positions, PositionScheme)
    assert type(make_embedding(made, 9).positions) is at_embeddings
    for causal in (True, False):
        attention = make_self_attention(made, causal)
        assert type(attention) is MultiHeadAttention
        assert type(attention.positions) is in_attentions
        assert (attention.d_model, attention.num_heads, attention.dropout) == (D, H, 0.0)
    layer = make_decoder(made, 1.0, 1.0, crosses=True).layers[0]
    assert type(layer.cross_attention.positions) is PositionScheme


def test_t5_has_buckets_for_the_future_only_without_a_causal_mask():
    made, query = config(positions="t5"), torch.zeros(1, H, 3, K)
    stacks = make_encoder(made, 1.0, 1.0), make_decoder(made, 1.0, 1.0, crosses=False)
    both, past = (stack.layers[0].self_attention.positions for stack in stacks)
    for scheme in (both, past):
        torch.nn.init.normal_(scheme.table.weight)
    assert torch.unique(both.bias(query, 3)[0]).numel() == 5  # −2 … 2
    assert torch.unique(past.bias(query, 3)[0]).numel() == 3  # −2 … 0
