"""Decoding with low-rank changes and with experts: with the cache, without it, and step by step."""

import pytest
import torch
from torch import nn

from transformer_lite import TransformerConfig, greedy
from transformer_lite.fast.exact import fast_steps_disabled
from transformer_lite.layers import LowRank, MixtureOfExperts, SwiGLU
from transformer_lite.models import build_decoder_only

WORDS, WIDTH = 19, 8
SIZES = {"d_model": WIDTH, "num_heads": 2, "d_ff": 12, "max_len": 20, "dropout": 0.0}


def model():
    torch.manual_seed(0)
    config = TransformerConfig(tgt_vocab_size=WORDS, src_vocab_size=WORDS, **SIZES)
    return build_decoder_only(config).double().eval()


def with_low_rank(decoder_only):
    for layer in decoder_only.decoder.layers:
        attention = layer.self_attention
        for name in ("q_proj", "v_proj"):
            setattr(attention, name, LowRank(getattr(attention, name), 2, 5.0))
            nn.init.normal_(getattr(attention, name).up)
    return decoder_only


def with_experts(decoder_only):
    for layer in decoder_only.decoder.layers:
        experts = [SwiGLU(WIDTH, 6) for _ in range(4)]
        layer.feed_forward = MixtureOfExperts(WIDTH, experts, 2).double()
    return decoder_only.eval()


@pytest.mark.parametrize("change", [with_low_rank, with_experts])
def test_cache_and_fast_step_do_not_change_the_output(change):
    untouched, changed = model(), change(model())
    prompts = torch.tensor([[4, 7, 9], [5, 11, 3]])
    options = {"eos_id": WORDS - 1, "max_len": 15}
    wanted = greedy(changed, prompts, **options, use_cache=False)
    assert torch.equal(greedy(changed, prompts, **options), wanted)
    with fast_steps_disabled():
        assert torch.equal(greedy(changed, prompts, **options), wanted)
    assert not torch.allclose(changed(prompts), untouched(prompts))


def test_merged_low_rank_layers_decode_the_same():
    changed = with_low_rank(model())
    prompts = torch.tensor([[4, 7, 9]])
    wanted = changed(prompts)
    for layer in changed.decoder.layers:
        for name in ("q_proj", "v_proj"):
            setattr(layer.self_attention, name, getattr(layer.self_attention, name).merge())
    torch.testing.assert_close(changed(prompts), wanted, atol=1e-10, rtol=0)
    assert not any(isinstance(part, LowRank) for part in changed.modules())
