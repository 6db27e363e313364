"""Latent attention: absorbed equals plain, cached equals uncached, and both equal DeepSeek-V3's."""

import pytest
import torch
from transformers import DeepseekV3Config
from transformers.models.deepseek_v3.modeling_deepseek_v3 import (
    DeepseekV3Attention,
    DeepseekV3RotaryEmbedding,
)

from lessons.a_decoder_of_today import LatentAttention
from transformer_lite.layers import KVCache

SIZES = {"d_model": 12, "num_heads": 3, "d_head": 6, "d_latent": 5, "d_rotary": 4}


@pytest.fixture
def layer() -> LatentAttention:
    return LatentAttention(**SIZES).double()


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(2, 7, SIZES["d_model"], dtype=torch.float64)


def test_absorbed_equals_plain(layer, x):
    torch.testing.assert_close(layer(x, way="absorbed"), layer(x, way="plain"))


@pytest.mark.parametrize("way", ["plain", "absorbed"])
@pytest.mark.parametrize("parts", [[1] * 7, [4, 3], [2, 1, 4]])
def test_cached_equals_uncached(layer, x, way, parts):
    cache = KVCache()
    found = [layer(part, cache, way) for part in x.split(parts, dim=1)]
    torch.testing.assert_close(torch.cat(found, dim=1), layer(x, way=way))


def test_the_cache_keeps_the_latent_and_one_rotated_key(layer, x):
    cache = KVCache()
    layer(x, cache)
    latent, key = cache.tensors()
    assert (latent.shape, key.shape) == ((2, 1, 7, 5), (2, 1, 7, 4))
    assert layer.numbers_per_token == 5 + 4


def test_the_future_cannot_change_the_past(layer, x):
    changed = x.clone()
    changed[:, 4:] += 1
    torch.testing.assert_close(layer(changed)[:, :4], layer(x)[:, :4])


def test_it_equals_the_attention_of_deepseek_v3(layer, x):
    config = DeepseekV3Config(
        hidden_size=SIZES["d_model"],
        num_attention_heads=SIZES["num_heads"],
        num_key_value_heads=SIZES["num_heads"],
        q_lora_rank=None,
        kv_lora_rank=SIZES["d_latent"],
        qk_rope_head_dim=SIZES["d_rotary"],
        qk_nope_head_dim=SIZES["d_head"],
        v_head_dim=SIZES["d_head"],
        rope_interleave=False,
    )
    config._attn_implementation = "eager"
    theirs = DeepseekV3Attention(config, layer_idx=0).double().eval()
    heads, width = SIZES["num_heads"], SIZES["d_head"]
    ups = [up.weight.view(heads, width, -1) for up in (layer.up_key, layer.up_value)]
    weights = {
        "q_proj.weight": layer.q_proj.weight,
        "kv_a_proj_with_mqa.weight": torch.cat(
            [layer.latent_proj.weight, layer.rotary_proj.weight]
        ),
        "kv_a_layernorm.weight": layer.latent_norm.weight,
        "kv_b_proj.weight": torch.cat(ups, dim=1).flatten(0, 1),
        "o_proj.weight": layer.out_proj.weight,
    }
    theirs.load_state_dict(weights)
    places = DeepseekV3RotaryEmbedding(config)(x, torch.arange(7)[None])
    future = torch.full((7, 7), float("-inf"), dtype=torch.float64).triu(1)
    with torch.no_grad():
        expected, _ = theirs(x, places, future[None, None])
        torch.testing.assert_close(layer(x), expected, rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(layer(x, way="absorbed"), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"d_rotary": 3}, "d_rotary must be even, for pairs of columns, got 3"),
        ({"d_rotary": 0}, "d_rotary must be at least 2, got 0"),
        ({"d_latent": 0}, "d_latent must be at least 1, got 0"),
        ({"num_heads": 0}, "num_heads must be at least 1, got 0"),
    ],
)
def test_a_wrong_size_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        LatentAttention(**SIZES | change)


def test_an_unknown_way_and_wrong_tokens_are_refused(layer, x):
    with pytest.raises(ValueError, match="way must be one of plain, absorbed, got 'fast'"):
        layer(x, way="fast")
    with pytest.raises(ValueError, match="x"):
        layer(x[..., :5])
