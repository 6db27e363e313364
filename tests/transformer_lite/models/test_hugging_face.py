"""BERT, GPT-2, Llama and T5, made of this package's parts, equal Hugging Face's transformers."""

import copy

import pytest
import torch
from torch.testing import assert_close
from transformers import (
    BertConfig,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    GPT2Model,
    LlamaConfig,
    LlamaForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
)

from transformer_lite import greedy
from transformer_lite.fast.exact import fast_steps_disabled
from transformer_lite.models import from_hugging_face

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
# All sizes differ, so that a transposed axis shows.
WIDTH, HEADS, HIDDEN, WORDS, LONGEST = 24, 4, 40, 23, 19
IDS = torch.tensor([[5, 6, 7, 8, 9, 10, 11], [12, 5, 22, 9, 0, 0, 0]])
TARGETS = torch.tensor([[0, 5, 6, 20, 8, 11, 3, 4, 9], [0, 12, 7, 1, 0, 0, 0, 0, 0]])
SEGMENTS = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 0, 0, 0]])
REAL = IDS != 0

BERT = {
    "vocab_size": WORDS,
    "hidden_size": WIDTH,
    "num_hidden_layers": 2,
    "num_attention_heads": HEADS,
    "intermediate_size": HIDDEN,
    "max_position_embeddings": LONGEST,
    "type_vocab_size": 3,
}
GPT2 = {
    "vocab_size": WORDS,
    "n_embd": WIDTH,
    "n_layer": 2,
    "n_head": HEADS,
    "n_inner": HIDDEN,
    "n_positions": LONGEST,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
LLAMA = {
    "vocab_size": WORDS,
    "hidden_size": WIDTH,
    "num_hidden_layers": 2,
    "num_attention_heads": HEADS,
    "num_key_value_heads": 2,
    "intermediate_size": HIDDEN,
    "rope_parameters": {"rope_type": "default", "rope_theta": 5000.0},
}
# The heads are wider than D / H, the stacks differ, and sentences exceed the exact buckets.
T5 = {
    "vocab_size": WORDS,
    "d_model": WIDTH,
    "d_kv": 7,
    "d_ff": HIDDEN,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "num_heads": HEADS,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 9,
    "decoder_start_token_id": 0,
}
GATED = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
KINDS = {
    "bert": (BertModel, BertConfig, BERT),
    "gpt2": (GPT2LMHeadModel, GPT2Config, GPT2),
    "llama": (LlamaForCausalLM, LlamaConfig, LLAMA),
    "t5": (T5ForConditionalGeneration, T5Config, T5),
}
each_kind = pytest.mark.parametrize("name", KINDS)
each_assembly = pytest.mark.parametrize(
    ("name", "options"), [*((name, {}) for name in KINDS), ("t5", GATED)], ids=str
)
each_decoder = pytest.mark.parametrize("name", ["gpt2", "llama"])


def theirs(name: str, **options):
    """A model of theirs with random weights, none of them 0 or 1."""
    kind, config, sizes = KINDS[name]
    model = kind(config(**(sizes | options))).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.3).add_(0.05)
    return model


def results(name: str, model, converted) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """What both models return: ours first."""
    if name == "t5":
        wanted = model(input_ids=IDS, attention_mask=REAL.long(), decoder_input_ids=TARGETS)
        return [converted(IDS, TARGETS)], [wanted.logits]
    if name != "bert":
        return [converted(IDS)], [model(IDS).logits]
    vectors = converted(IDS, SEGMENTS)
    out = model(IDS, attention_mask=REAL.long(), token_type_ids=SEGMENTS)
    ours = [vectors[REAL], converted.pool(vectors)]
    return ours, [out.last_hidden_state[REAL], out.pooler_output]


def agrees(name: str, **options) -> None:
    """Require that a model of theirs with these options is followed."""
    model = theirs(name, **options)
    for got, expected in zip(*results(name, model, from_hugging_face(model)), strict=True):
        assert got.std() > (0.05 if name == "t5" else 0.1), "nothing to compare"
        assert_close(got, expected, **CLOSE)


@each_assembly
def test_output_equals_hugging_face(name, options):
    agrees(name, **options)


@each_assembly
def test_one_backward_gives_the_same_gradients(name, options):
    model = theirs(name, **options)
    converted = from_hugging_face(model)
    ours, wanted = results(name, model, converted)
    for outputs in (ours, wanted):
        sum(output.square().mean() for output in outputs).backward()
    # Their gradients in place of their weights: the same conversion puts each beside ours.
    gradients = copy.deepcopy(model)
    with torch.no_grad():
        for empty, parameter in zip(gradients.parameters(), model.parameters(), strict=True):
            empty.copy_(parameter.grad)
    expected = dict(from_hugging_face(gradients).named_parameters())
    assert len(expected) > (30 if name == "t5" else 20)
    for part, parameter in converted.named_parameters():
        assert_close(parameter.grad, expected[part], **CLOSE, msg=lambda m, p=part: f"{p}: {m}")


@each_kind
def test_the_weights_are_copies_of_all_of_theirs(name):
    model = theirs(name).double()
    converted = from_hugging_face(model)
    count = sum(parameter.numel() for parameter in converted.parameters())
    assert count == sum(parameter.numel() for parameter in model.parameters())
    for parameter in converted.parameters():
        assert parameter.device.type == "cpu" and parameter.dtype == torch.float64
        assert parameter.is_contiguous()
    before = [parameter.clone() for parameter in converted.parameters()]
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    assert all(map(torch.equal, before, converted.parameters()))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bert", {"hidden_act": "relu", "layer_norm_eps": 1e-3}),
        ("bert", {"hidden_act": "gelu_new", "num_attention_heads": 3}),
        ("gpt2", {"activation_function": "gelu", "tie_word_embeddings": False}),
        ("gpt2", {"n_inner": None, "layer_norm_epsilon": 1e-3}),
        ("llama", {"num_key_value_heads": 1, "tie_word_embeddings": True}),
        ("llama", {"num_key_value_heads": HEADS, "rms_norm_eps": 1e-3}),
        ("llama", {"head_dim": WIDTH // HEADS, "use_cache": False}),
        # What published configs hold.
        ("bert", {"gradient_checkpointing": False, "position_embedding_type": "absolute"}),
        ("bert", {"pruned_heads": {}, "finetuning_task": "mrpc", "quantization_config": None}),
        ("gpt2", {"n_ctx": 1024, "task_specific_params": {"text-generation": {"max_length": 50}}}),
        ("gpt2", {"eos_token_id": [2, 3], "pad_token_id": 3}),
    ],
    ids=str,
)
def test_the_options_that_are_known_are_followed(name, options):
    agrees(name, **options)


@each_kind
def test_dropout_and_mode_are_taken_over(name):
    model = theirs(name).train()
    assert from_hugging_face(model).training
    assert not from_hugging_face(model.eval()).training
    dropped = theirs("gpt2", embd_pdrop=0.3, attn_pdrop=0.4, resid_pdrop=0.2)
    converted = from_hugging_face(dropped)
    layer = converted.decoder.layers[1]
    assert converted.embedding.dropout == 0.3
    assert layer.self_attention.dropout == 0.4
    assert layer.feed_forward_residual.dropout == layer.self_attention_residual.dropout == 0.2


@each_decoder
def test_decoding_equals_hugging_face(name):
    model = theirs(name)
    converted = from_hugging_face(model)
    prompts = IDS[:, :4].clone()
    wanted = prompts
    with torch.no_grad():
        for _ in range(8):
            wanted = torch.cat([wanted, model(wanted).logits[:, -1:].argmax(-1)], dim=1)
    # An end that is never met, so that rows of theirs and ours are equally long.
    unused = next(word for word in range(WORDS) if word not in wanted)
    for use_cache in (True, False):
        ours = greedy(converted, prompts, eos_id=unused, max_len=12, use_cache=use_cache)
        assert torch.equal(ours, wanted)
    with fast_steps_disabled():
        assert torch.equal(greedy(converted, prompts, eos_id=unused, max_len=12), wanted)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("bert", {"is_decoder": True}, "is_decoder of a BertConfig must be False, got True"),
        ("bert", {"hidden_act": "silu"}, "hidden_act of a BertConfig must be .* got 'silu'"),
        ("gpt2", {"scale_attn_weights": False}, "scale_attn_weights of .* True, got False"),
        (
            "gpt2",
            {"scale_attn_by_inverse_layer_idx": True},
            "scale_attn_by_inverse_layer_idx of a GPT2Config must be False, got True",
        ),
        ("llama", {"attention_bias": True}, "attention_bias of .* must be False, got True"),
        ("llama", {"mlp_bias": True}, "mlp_bias of a LlamaConfig must be False, got True"),
        ("llama", {"hidden_act": "gelu"}, "hidden_act of a LlamaConfig must be 'silu', got 'gelu'"),
        ("llama", {"pretraining_tp": 2}, "pretraining_tp of a LlamaConfig must be 1, got 2"),
        (
            "gpt2",
            {"activation_function": "tanh"},
            "activation_function of .* got 'tanh'",
        ),
        ("llama", {"head_dim": 8}, "head_dim of a LlamaConfig must be 6 or None, got 8"),
        (
            "llama",
            {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}},
            "rope_parameters of a LlamaConfig must be rope_theta and the default .*'linear'",
        ),
        ("llama", {"sliding_window": 7}, "sliding_window of a LlamaConfig is not known .* got 7"),
        ("bert", {"new_in_2030": "x"}, "new_in_2030 of a BertConfig is not known here, got 'x'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_unsupported_option_is_refused_by_name(name, options, message):
    with pytest.raises(ValueError, match=message):
        from_hugging_face(theirs(name, **options))


@pytest.mark.parametrize("model", [torch.nn.Linear(2, 2), GPT2Model(GPT2Config(**GPT2))])
def test_a_model_of_another_class_is_refused(model):
    kind = type(model).__name__
    with pytest.raises(TypeError, match=f"BertModel, GPT2LMHeadModel, .* got {kind}"):
        from_hugging_face(model)


class LowRank(torch.nn.Module):
    """A correction beside a projection, which shows the projection's own weight, as PEFT's do."""

    def __init__(self, base: torch.nn.Linear):
        super().__init__()
        self.base = base

    @property
    def weight(self) -> torch.Tensor:
        return self.base.weight

    @property
    def bias(self) -> torch.Tensor:
        return self.base.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return 2 * self.base(x)


def _narrow_the_heads(model):
    own = model.encoder.layer[0].attention.self
    for name in ("query", "key", "value"):
        layer = getattr(own, name)
        layer.weight = torch.nn.Parameter(layer.weight[: WIDTH // 2])
        layer.bias = torch.nn.Parameter(layer.bias[: WIDTH // 2])


CHANGED_LATER = {
    "wrapped in bert": (
        "bert",
        lambda m: setattr(
            m.encoder.layer[0].attention.self, "query", LowRank(torch.nn.Linear(2, 2))
        ),
    ),
    "wrapped in llama": (
        "llama",
        lambda m: setattr(m.model.layers[1].mlp, "up_proj", LowRank(m.model.layers[1].mlp.up_proj)),
    ),
    "biased head": (
        "gpt2",
        lambda m: setattr(m.lm_head, "bias", torch.nn.Parameter(torch.ones(WORDS))),
    ),
    "pruned heads": ("bert", _narrow_the_heads),
    "another activation": (
        "gpt2",
        lambda m: setattr(m.transformer.h[0].mlp, "act", torch.nn.ReLU()),
    ),
    "another eps": ("bert", lambda m: setattr(m.embeddings.LayerNorm, "eps", 0.5)),
    "another norm": ("llama", lambda m: setattr(m.model, "norm", torch.nn.LayerNorm(WIDTH))),
    "a hook": ("gpt2", lambda m: m.transformer.h[1].register_forward_hook(lambda *a: a[-1])),
    "a replaced forward": ("llama", lambda m: setattr(m.model.layers[0].mlp, "forward", torch.sin)),
    "one layer twice": ("bert", lambda m: m.encoder.layer.__setitem__(1, m.encoder.layer[0])),
    "config: activation": ("bert", lambda m: setattr(m.config, "hidden_act", "relu")),
    "config: eps": ("llama", lambda m: setattr(m.config, "rms_norm_eps", 0.1)),
    "config: heads": ("gpt2", lambda m: setattr(m.config, "n_head", 3)),
    "config: base": (
        "llama",
        lambda m: setattr(
            m.config, "rope_parameters", {"rope_type": "default", "rope_theta": 77.0}
        ),
    ),
}


@pytest.mark.parametrize("name", CHANGED_LATER)
def test_changed_model_is_refused(name):
    kind, change = CHANGED_LATER[name]
    model = theirs(kind)
    change(model)
    with pytest.raises(ValueError, match=r"of its config|must be that|must have no hooks"):
        from_hugging_face(model)
    from_hugging_face(theirs(kind))


@pytest.mark.parametrize("pad", [-1, 900])
def test_padding_id_outside_the_vocabulary_is_refused(pad):
    model = theirs("gpt2")
    model.config.pad_token_id = pad
    rule = "pad_token_id of a GPT2Config must be None or one of its .* words, got"
    with pytest.raises(ValueError, match=f"{rule} {pad}"):
        from_hugging_face(model)
