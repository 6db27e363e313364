"""Models made of this package's parts equal those of Hugging Face's transformers."""

import copy
import json
from pathlib import Path

import pytest
import torch
from sampling import each_value, first_of_each
from torch.testing import assert_close
from transformers import (
    BertConfig,
    BertModel,
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    GPT2Config,
    GPT2LMHeadModel,
    GPT2Model,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
)

from transformer_lite import beam_search, greedy, sample
from transformer_lite.fast.exact import fast_steps_disabled
from transformer_lite.models import from_hugging_face

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
# All sizes differ, so that a transposed axis shows.
WIDTH, HEADS, HIDDEN, WORDS, LONGEST = 24, 4, 40, 23, 19
IDS = torch.tensor([[5, 6, 7, 8, 9, 10, 11], [12, 5, 22, 9, 0, 0, 0]])
TARGETS = torch.tensor([[0, 5, 6, 20, 8, 11, 3, 4, 9], [0, 12, 7, 1, 0, 0, 0, 0, 0]])
SEGMENTS = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 0, 0, 0]])
REAL = IDS != 0

LOCAL = "sliding_attention"
YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 32,
    "rope_theta": 5000.0,
}

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
# Heads are wider than D / H, and the window is shorter than the sentences.
QWEN3 = LLAMA | {
    "head_dim": 10,
    "num_hidden_layers": 3,
    "use_sliding_window": True,
    "sliding_window": 3,
    "max_window_layers": 2,
}
# One layer in three attends to all earlier tokens.
GEMMA3 = {
    "vocab_size": WORDS,
    "hidden_size": WIDTH,
    "num_hidden_layers": 4,
    "num_attention_heads": HEADS,
    "num_key_value_heads": 2,
    "head_dim": 10,
    "intermediate_size": HIDDEN,
    "sliding_window": 3,
    "sliding_window_pattern": 3,
    "query_pre_attn_scalar": 13,
    "rope_local_base_freq": 500.0,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0},
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
    "qwen3": (Qwen3ForCausalLM, Qwen3Config, QWEN3),
    "gemma3": (Gemma3ForCausalLM, Gemma3TextConfig, GEMMA3),
    "t5": (T5ForConditionalGeneration, T5Config, T5),
}
OTHERS = {"qwen2": (Qwen2ForCausalLM, Qwen2Config, LLAMA)}
each_kind = pytest.mark.parametrize("name", KINDS)
each_assembly = pytest.mark.parametrize(
    ("name", "options"), [*((name, {}) for name in KINDS), ("t5", GATED)], ids=str
)
T5_CASES = [(options, seed) for options in ({}, GATED) for seed in range(4)]
DECODERS = ["gpt2", "llama", "qwen3", "gemma3"]
each_decoder = pytest.mark.parametrize("name", DECODERS)


def theirs(name: str, **options):
    """A model of theirs with random weights, none of them 0 or 1."""
    kind, config, sizes = (KINDS | OTHERS)[name]
    model = kind(config(**copy.deepcopy(sizes | options))).eval()  # theirs changes what it gets
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
        shown = slice(None) if converted.pad_id is None else REAL
        return [converted(IDS)[shown]], [model(IDS).logits[shown]]
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
    # Their gradients instead of their weights: the same conversion puts each next to ours.
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
    ("name", "dtype"), each_value(KINDS, [torch.float16, torch.bfloat16, torch.float64])
)
def test_other_dtypes_are_followed_and_mixed_ones_refused(name, dtype):
    model = theirs(name).to(dtype)
    for key, frequencies in theirs(name).named_buffers():
        if "inv_freq" in key:  # .to() rounds them too, and dtype= does not
            owner, _, attribute = key.rpartition(".")
            setattr(model.get_submodule(owner), attribute, frequencies)
    bound = 1e-5 if dtype == torch.float64 else 0.1
    for got, expected in zip(*results(name, model, from_hugging_face(model)), strict=True):
        assert got.dtype == expected.dtype == dtype
        assert_close(got, expected, atol=bound, rtol=bound)
    part = next(part for part in model.modules() if "Norm" in type(part).__name__)
    part.float()
    message = f"one dtype .*{dtype} on cpu in .*torch.float32 on cpu in .*orm"
    with pytest.raises(ValueError, match=message):
        from_hugging_face(model)


def test_t5_loaded_in_float16_is_refused_for_its_mixed_dtypes(tmp_path):
    theirs("t5").save_pretrained(tmp_path)
    model = T5ForConditionalGeneration.from_pretrained(tmp_path, dtype=torch.float16)
    with pytest.raises(ValueError, match=r"by \.float\(\), got .*torch.float32 .*\.wo\.weight"):
        from_hugging_face(model)
    assert from_hugging_face(model.float())(IDS, TARGETS).isfinite().all()


@each_kind
def test_a_model_on_the_meta_device_is_converted_there(name):
    kind, config, sizes = KINDS[name]
    with torch.device("meta"):
        model = kind(config(**sizes))
    assert all(parameter.is_meta for parameter in from_hugging_face(model).parameters())


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
        ("llama", {"head_dim": 8}),
        ("qwen3", {"use_sliding_window": False, "tie_word_embeddings": True}),
        ("qwen3", {"layer_types": [LOCAL, "full_attention", LOCAL], "num_key_value_heads": 1}),
        ("gemma3", {"tie_word_embeddings": False, "rms_norm_eps": 1e-3, "pad_token_id": None}),
        ("gemma3", {"layer_types": [LOCAL] * 4, "sliding_window": 1}),
        ("gemma3", {"layer_types": ["full_attention"] * 4, "rope_theta": 700.0}),
        # What published configs hold.
        ("bert", {"gradient_checkpointing": False, "position_embedding_type": "absolute"}),
        ("bert", {"pruned_heads": {}, "finetuning_task": "mrpc", "quantization_config": None}),
        ("gpt2", {"n_ctx": 1024, "task_specific_params": {"text-generation": {"max_length": 50}}}),
        ("gpt2", {"eos_token_id": [2, 3], "pad_token_id": 3, "is_decoder": True}),
        ("llama", {"layer_types": ["full_attention"] * 2, "is_causal": True}),
    ],
    ids=str,
)
def test_supported_options_are_followed(name, options):
    agrees(name, **options)


@each_kind
def test_mode_is_taken_over(name):
    model = theirs(name).train()
    assert from_hugging_face(model).training
    assert not from_hugging_face(model.eval()).training


def test_rates_of_dropout_are_taken_over():
    dropped = theirs("gpt2", embd_pdrop=0.3, attn_pdrop=0.4, resid_pdrop=0.2)
    converted = from_hugging_face(dropped)
    layer = converted.decoder.layers[1]
    assert converted.embedding.dropout == 0.3
    assert layer.self_attention.dropout == 0.4
    assert layer.feed_forward_residual.dropout == layer.self_attention_residual.dropout == 0.2


@each_decoder
def test_decoding_equals_hugging_face(name):
    model = theirs(name, pad_token_id=None)
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


def up_to_the_end(rows: torch.Tensor, eos_id: int) -> list[list[int]]:
    """Return the tokens of each row up to its first end after the start."""
    return [row[: row.index(eos_id, 1) + 1] if eos_id in row[1:] else row for row in rows.tolist()]


@pytest.mark.parametrize(("options", "seed"), first_of_each(T5_CASES, lambda case: str(case[0])))
def test_t5_decodes_as_hugging_face_from_the_padding_id(seed, options):
    # Few words, so that rows end, and the padding id is also a word in their middle.
    torch.manual_seed(seed)
    model = theirs("t5", vocab_size=9, num_decoder_layers=2, **options)
    converted, ids = from_hugging_face(model), IDS.clamp(max=8)
    common = {"attention_mask": REAL.long(), "max_length": 12, "do_sample": False}
    wanted = model.generate(ids, **common)
    ends = {"bos_id": 0, "eos_id": 1, "max_len": 12}
    for use_cache in (True, False):
        assert torch.equal(greedy(converted, ids, **ends, use_cache=use_cache), wanted)
    with fast_steps_disabled():
        assert torch.equal(greedy(converted, ids, **ends), wanted)
    assert torch.equal(sample(converted, ids, **ends, top_k=1), wanted)
    beams = model.generate(ids, **common, num_beams=3, length_penalty=0.0)
    found = beam_search(converted, ids, **ends, num_beams=3, alpha=0.0).best
    assert up_to_the_end(found, 1) == up_to_the_end(beams, 1)


def test_t5_may_start_with_another_id_but_not_end_with_the_padding_id():
    model = theirs("t5", decoder_start_token_id=5, num_decoder_layers=2)
    converted = from_hugging_face(model)
    wanted = model.generate(IDS, attention_mask=REAL.long(), max_length=9, do_sample=False)
    assert torch.equal(greedy(converted, IDS, bos_id=5, eos_id=1, max_len=9), wanted)
    with pytest.raises(ValueError, match="eos_id must not be the padding id, got 0"):
        greedy(converted, IDS, bos_id=0, eos_id=0)


@pytest.mark.parametrize(("name", "pad"), each_value(DECODERS, [None, 2, 3]))
def test_greedy_search_from_prompts_equals_hugging_face(name, pad):
    torch.manual_seed(1)
    model = theirs(name, vocab_size=7, eos_token_id=2, pad_token_id=pad)
    ids = torch.tensor([[5, 6, 4], [1, 5, 5], [4, 4, 0], [6, 6, 5]])
    options = {"max_length": 30, "do_sample": False, "pad_token_id": pad or 2}
    if pad == 3:  # ours never chooses a padding id that is not the end
        options["suppress_tokens"] = [pad]
    wanted = model.generate(ids, attention_mask=torch.ones_like(ids), **options)
    ours = greedy(from_hugging_face(model), ids, eos_id=2, max_len=30)
    assert torch.equal(ours, wanted)


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
        (
            "llama",
            {"rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}},
            "rope_parameters must be those of a rope_type among default, .* got .*'dynamic'",
        ),
        (
            "qwen3",
            {"rope_parameters": YARN | {"mscale": 1.0, "mscale_all_dim": 0.5}},
            "rope_parameters must be those of a rope_type among .* got .*'mscale'",
        ),
        ("qwen3", {"attention_bias": True}, "attention_bias of a Qwen3Config must be False"),
        ("qwen3", {"hidden_act": "gelu"}, "hidden_act of a Qwen3Config must be 'silu', got 'gelu'"),
        ("gemma3", {"attention_bias": True}, "attention_bias of a Gemma3TextConfig must be False"),
        ("gemma3", {"hidden_activation": "gelu"}, "hidden_activation of .* got 'gelu'"),
        ("gemma3", {"attn_logit_softcapping": 50.0}, "attn_logit_softcapping of .* None, got 50.0"),
        ("gemma3", {"final_logit_softcapping": 30.0}, "final_logit_softcapping of .* got 30.0"),
        ("gemma3", {"use_bidirectional_attention": True}, "use_bidirectional_attention of .* True"),
        # What the config's class does not declare, but the code of transformers reads.
        (
            "llama",
            {"sliding_window": 7},
            "sliding_window of a LlamaConfig has an effect that .* must be None, got 7",
        ),
        ("gpt2", {"is_causal": False}, "is_causal of a GPT2Config has an effect .* got False"),
        ("llama", {"attention_chunk_size": 3}, "attention_chunk_size of a LlamaConfig has an eff"),
        ("llama", {"partial_rotary_factor": 0.5}, "rope_parameters must .*partial_rotary_factor"),
        ("gpt2", {"layer_types": ["sliding_attention"] * 2}, "layer_types of a GPT2Config has an"),
        # What changes the published model, although no code of the model reads it.
        ("bert", {"position_embedding_type": "relative_key"}, "must be 'absolute', got 'relat"),
        ("llama", {"quantization_config": {"load_in_4bit": True}}, "quantization_config .* effect"),
        ("bert", {"adapters": {"adapters": {"qa": "a1"}}}, "adapters of a BertConfig has an eff"),
        ("bert", {"pruned_heads": {"0": [1]}}, "pruned_heads of a BertConfig has an effect"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_unsupported_option_is_refused_by_name(name, options, message):
    with pytest.raises(ValueError, match=message):
        from_hugging_face(theirs(name, **options))


def test_a_config_with_two_different_activations_is_refused():
    config = T5Config(**T5)
    config.dense_act_fn = "gelu"
    with pytest.raises(ValueError, match="dense_act_fn of a T5Config must be 'relu', got 'gelu'"):
        from_hugging_face(T5ForConditionalGeneration(config))


# The keys of the configs at https://huggingface.co/NAME/blob/main/config.json, with what old
# versions and other tools left in them. Of a Gemma that also sees images, it is the `text_config`.
PUBLISHED = json.loads(Path(__file__).with_name("published_configs.json").read_text("utf-8"))
REFUSED = {
    "Qwen/Qwen2.5-0.5B": (TypeError, "must be one of .* got Qwen2ForCausalLM"),
}


def published(name: str) -> tuple[str, dict[str, object]]:
    """Return the kind of a published model, and its config with the sizes of the tests."""
    options = PUBLISHED[name]
    # mT5 differs from T5 in its words alone.
    kind = options["model_type"].removeprefix("m").removesuffix("_text")
    sizes = {"head_dim": WIDTH // HEADS} | (KINDS | OTHERS)[kind][2]
    # 7 layers, and so a global one, of a Gemma that has five local layers before each.
    sizes |= {"num_hidden_layers": 7, "sliding_window_pattern": 6} if kind == "gemma3" else {}
    for key in ("bos_token_id", "eos_token_id"):
        ids = options.get(key, 0)
        sizes |= {key: 2} if isinstance(ids, int) and ids >= WORDS else {}
        sizes |= {key: [2, 3]} if isinstance(ids, list) else {}
    own = {"rope_scaling", "rope_local_base_freq", "use_sliding_window", "max_window_layers"}
    kept = options.keys() - own
    return kind, options | {key: size for key, size in sizes.items() if key in kept}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_configs_are_followed_or_refused_with_a_reason(name):
    kind, options = published(name)
    if name not in REFUSED:
        return agrees(kind, **options)
    error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        from_hugging_face(theirs(kind, **options))


@each_kind
def test_options_that_no_code_reads_are_ignored(name):
    agrees(name, new_in_2030="x", unsloth_version="2024.9", tokenizer_class="A", n_special=1)


@pytest.mark.parametrize("model", [torch.nn.Linear(2, 2), GPT2Model(GPT2Config(**GPT2))])
def test_a_model_of_another_class_is_refused(model):
    kind = type(model).__name__
    with pytest.raises(TypeError, match=f"BertModel, GPT2LMHeadModel, .* got {kind}"):
        from_hugging_face(model)


class LowRank(torch.nn.Module):
    """A correction next to a projection, which shows the projection's own weight, as PEFT's do."""

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
    "another Linear": (
        "llama",
        lambda m: setattr(
            m.model.layers[0].mlp, "up_proj", type("Linear", (torch.nn.Linear,), {})(24, 40, False)
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
    "config: one base of two": (
        "gemma3",
        lambda m: m.config.rope_parameters["sliding_attention"].update(rope_theta=77.0),
    ),
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
    with pytest.raises(ValueError, match=r"of its config|must be those|must have no hooks"):
        from_hugging_face(model)
    from_hugging_face(theirs(kind))


@pytest.mark.parametrize("pad", [-1, 900])
def test_padding_id_outside_the_vocabulary_is_refused(pad):
    model = theirs("gpt2")
    model.config.pad_token_id = pad
    rule = "pad_token_id of a GPT2Config must be None or one of its .* words, got"
    with pytest.raises(ValueError, match=f"{rule} {pad}"):
        from_hugging_face(model)
