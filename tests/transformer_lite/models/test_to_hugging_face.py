"""T5 of our parts equals Hugging Face's, and weights go there and back without a changed bit."""

import pytest
import torch
from test_hugging_face import BERT, CLOSE, GATED, IDS, TARGETS, WIDTH, YARN, results, theirs
from torch.testing import assert_close
from transformers import BertConfig, BertModel

from transformer_lite.layers import GEGLU, FeedForward, ScaledOutput, UnscaledAttention
from transformer_lite.models import (
    PadStartTransformer,
    from_hugging_face,
    record_attention,
    to_hugging_face,
)

VARIANTS = {"relu": {}, "gated": GATED}
each_variant = pytest.mark.parametrize("variant", VARIANTS)
ROUNDS = [
    ("bert", {}),
    ("gpt2", {}),
    ("gpt2", {"tie_word_embeddings": False}),
    # Every matrix is square: one that is not transposed has the right shape and wrong numbers.
    ("gpt2", {"n_inner": WIDTH}),
    ("llama", {}),
    ("llama", {"tie_word_embeddings": True}),
    ("qwen3", {}),
    ("gemma3", {}),
    ("gemma3", {"tie_word_embeddings": False}),
    ("t5", VARIANTS["relu"]),
    ("t5", VARIANTS["gated"]),
]
each_round = pytest.mark.parametrize(("name", "options"), ROUNDS, ids=str)


def test_t5_is_built_from_the_parts_of_the_package():
    plain, gated = (from_hugging_face(theirs("t5", **VARIANTS[v])) for v in ("relu", "gated"))
    assert type(plain) is PadStartTransformer
    first, *others = plain.encoder.layers
    assert type(first.self_attention) is UnscaledAttention
    for layer in others:
        assert layer.self_attention.positions is first.self_attention.positions
    assert type(first.feed_forward) is FeedForward
    assert type(gated.encoder.layers[0].feed_forward) is GEGLU
    assert type(plain.output) is ScaledOutput and type(gated.output) is not ScaledOutput
    table = plain.src_embedding.table.weight
    assert plain.tgt_embedding.table.weight is table and plain.output.weight is table
    count = sum(weight.numel() for weight in plain.parameters())
    assert count == sum(weight.numel() for weight in theirs("t5").parameters())


def test_t5_attends_to_the_padding_id_that_starts_a_target():
    converted = from_hugging_face(theirs("t5"))
    weights = record_attention(converted, IDS, TARGETS).weights
    assert weights["decoder.layers.0.self_attention"][:, :, 1:, 0].min() > 0
    pads = (IDS == 0)[:, None, None, :]
    crossing = weights["decoder.layers.2.cross_attention"]
    assert not crossing[pads.expand_as(crossing)].any()


@each_variant
def test_t5_decodes_with_and_without_a_cache_as_theirs(variant):
    model = theirs("t5", **VARIANTS[variant])
    converted = from_hugging_face(model)
    wanted = torch.zeros(2, 1, dtype=torch.long)
    mask = (IDS != 0).long()
    with torch.no_grad():
        for _ in range(9):
            out = model(input_ids=IDS, attention_mask=mask, decoder_input_ids=wanted)
            wanted = torch.cat([wanted, out.logits[:, -1:].argmax(-1)], dim=1)
        memory, real = converted.encode(IDS), converted.padding_mask(IDS)
        whole = converted.decode(wanted, memory, real)
        cache = converted.new_cache()
        steps = [converted.decode(wanted[:, i : i + 1], memory, real, cache) for i in range(10)]
    assert_close(torch.cat(steps, dim=1), whole, **CLOSE)
    assert torch.equal(whole[:, :-1].argmax(-1), wanted[:, 1:])


@each_round
def test_round_trip_changes_no_bit(name, options):
    model = theirs(name, **options)
    torch.manual_seed(99)
    other = theirs(name, **options)
    before = {key: weight.clone() for key, weight in other.state_dict().items()}
    weights = to_hugging_face(from_hugging_face(model), other)
    wanted = model.state_dict(keep_vars=True)
    assert list(weights) == list(wanted)
    for key, weight in wanted.items():
        assert torch.equal(weights[key], weight), key
        assert weights[key].is_contiguous() and not weights[key].requires_grad
        assert torch.equal(other.state_dict()[key], before[key]), "like is left alone"
    for first in wanted:  # what is tied stays tied, and nothing else is
        for second in wanted:
            tied = wanted[first] is wanted[second]
            assert (weights[first] is weights[second]) == tied
    assert any(not torch.equal(before[key], weights[key]) for key in before)
    other.load_state_dict(weights, strict=True)
    again = from_hugging_face(other).state_dict()
    for key, weight in from_hugging_face(model).state_dict().items():
        assert torch.equal(again[key], weight), key


def test_trained_weights_are_converted_back():
    model = theirs("t5")
    ours = from_hugging_face(model).train()
    ours(IDS, TARGETS).square().mean().backward()
    with torch.no_grad():
        for weight in ours.parameters():
            weight -= 0.1 * weight.grad
    model.load_state_dict(to_hugging_face(ours, model))
    [[got], [expected]] = results("t5", model, ours.eval())
    assert_close(got, expected, **CLOSE)


@pytest.mark.parametrize(
    ("like", "message"),
    [
        (lambda: theirs("llama"), "parts of like, LlamaForCausalLM, got"),
        (lambda: theirs("bert", num_hidden_layers=3), r"parts of like, BertModel, got encoder\."),
        (
            lambda: BertModel(BertConfig(**BERT), add_pooling_layer=False).eval(),
            "parts of like, BertModel, got pooler",
        ),
        (lambda: theirs("bert", hidden_act="relu"), "parts of like, BertModel, got .*activation"),
    ],
)
def test_a_class_or_a_size_that_is_another_is_refused(like, message):
    ours = from_hugging_face(theirs("bert"))
    with pytest.raises(ValueError, match=message):
        to_hugging_face(ours, like())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"feed_forward_proj": "gated-silu"}, "feed_forward_proj of a T5Config must be 'relu' or"),
        ({"is_decoder": True}, "is_decoder of a T5Config must be False, got True"),
    ],
    ids=str,
)
def test_an_option_of_t5_that_is_not_here_is_refused(options, message):
    model = theirs("t5")
    for name, value in options.items():
        setattr(model.config, name, value)
    with pytest.raises(ValueError, match=f"{message}|of its config"):
        from_hugging_face(model)


@pytest.mark.parametrize(
    ("name", "options", "came"),
    [
        ("llama", {"rope_parameters": YARN}, "scaling: RotaryScaling"),
        ("qwen3", {"sliding_window": 5}, "window: 3"),
        ("qwen3", {"layer_types": ["full_attention"] * 3}, ".*: .*SlidingWindowAttention"),
        ("gemma3", {"query_pre_attn_scalar": 16}, "scale: 0.27"),
        ("gemma3", {"rope_local_base_freq": 400.0}, "base: 500.0"),
    ],
    ids=str,
)
def test_a_setting_that_is_another_is_refused(name, options, came):
    ours = from_hugging_face(theirs(name))
    with pytest.raises(ValueError, match=f"model must have the parts of like, .*{came}"):
        to_hugging_face(ours, theirs(name, **options))
