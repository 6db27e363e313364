"""The cache sizes: they follow from the configs of the models and from caches that are filled."""

import pytest
import torch
from transformers import DeepseekV3Config, Gemma3TextConfig, Qwen3NextConfig

from lessons.a_decoder_of_today import LatentAttention
from lessons.a_decoder_of_today.cache_sizes.cache_sizes import MODELS, SHARED
from tests.lessons.a_decoder_of_today.cache_sizes.spec import make as sizes
from transformer_lite.layers import KVCache
from transformer_lite.models import PUBLISHED, memory

NAMES = [*MODELS]


def test_the_cache_of_llama_matches_the_count_of_the_package():
    expected = memory(PUBLISHED["Llama 7B"], torch.bfloat16).cache_bytes_per_token
    kb, _, percent = sizes().results()["sizes"][NAMES.index("Llama 7B")].tolist()
    assert (kb * 1000, percent) == (expected, 100)


def test_the_cache_of_deepseek_matches_its_config():
    config = DeepseekV3Config()
    full = MODELS["DeepSeek-V3"]["full"]
    assert full["layers"] == config.num_hidden_layers
    assert full["numbers"] == config.kv_lora_rank + config.qk_rope_head_dim


def test_a_latent_cache_keeps_as_many_numbers_as_the_figure_counts():
    config = DeepseekV3Config()
    layer = LatentAttention(16, 2, 8, config.kv_lora_rank, config.qk_rope_head_dim)
    cache = KVCache()
    layer(torch.zeros(1, 3, 16), cache)
    numbers = sum(tensor.numel() for tensor in cache.tensors())
    assert numbers == 3 * MODELS["DeepSeek-V3"]["full"]["numbers"]


def test_the_cache_of_qwen3_next_matches_its_config():
    config = Qwen3NextConfig()
    model = MODELS["Qwen3-Next 80B"]
    kinds = config.layer_types
    assert model["full"]["layers"] == kinds.count("full_attention")
    assert model["other"]["layers"] == kinds.count("linear_attention")
    assert model["full"]["numbers"] == 2 * config.num_key_value_heads * config.head_dim
    state = config.linear_key_head_dim * config.linear_value_head_dim
    assert model["other"]["numbers"] == config.linear_num_value_heads * state


def test_gemma_3_has_its_window_in_five_of_six_layers():
    model = MODELS["Gemma 3 27B"]
    layers = model["full"]["layers"] + model["other"]["layers"]
    kinds = Gemma3TextConfig(num_hidden_layers=layers).layer_types
    assert model["full"]["layers"] == kinds.count("full_attention")
    assert model["full"]["numbers"] == model["other"]["numbers"]


@pytest.mark.parametrize("name", NAMES)
def test_one_more_token_adds_the_bytes_of_the_first_column(name):
    row = NAMES.index(name)
    before, after = (sizes(tokens=tokens).results() for tokens in (4096, 8192))
    grown = (after["sizes"][row, 1] - before["sizes"][row, 1]) * 1e6 / 4096
    torch.testing.assert_close(grown, before["sizes"][row, 0])


def test_eight_texts_have_eight_caches_and_one_model():
    one, eight = sizes().results(), sizes(texts=8).results()
    torch.testing.assert_close(eight["sizes"][:, 1], 8 * one["sizes"][:, 1])
    torch.testing.assert_close(eight["sizes"][:, 0], one["sizes"][:, 0])
    assert len(one["curve"]) == len(SHARED["tokens"])
