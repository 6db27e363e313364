"""Qwen3, Gemma 3 and Llama 3 of our parts equal theirs: cached, padded, beyond the window."""

import pytest
import torch
from sampling import each_value, parameter
from test_hugging_face import CLOSE, GEMMA3, LOCAL, WORDS, YARN, theirs
from torch.testing import assert_close
from transformers import (
    AutoModelForCausalLM,
    Gemma3Config,
    Gemma3ForCausalLM,
    Gemma3ForConditionalGeneration,
    modeling_rope_utils,
)
from transformers.models.gemma3 import modeling_gemma3
from transformers.models.llama import modeling_llama
from transformers.models.qwen3 import modeling_qwen3

from transformer_lite import beam_search, greedy, record_attention, sample
from transformer_lite.fast.exact import fast_steps_disabled
from transformer_lite.layers import (
    GEGLU,
    GroupedQueryAttention,
    KVCache,
    SandwichNorm,
    SlidingWindowAttention,
    TokenEmbedding,
    WindowCache,
)
from transformer_lite.layers.norms import RMSNorm, ZeroCenteredRMSNorm
from transformer_lite.layers.positions import LinearScaling, Llama3Scaling, YarnScaling
from transformer_lite.models import from_hugging_face, residual_stream, to_hugging_face

B, T, WINDOW = 3, 17, 5
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
    "rope_theta": 300.0,
}
LINEAR = {"rope_type": "linear", "factor": 3.0, "rope_theta": 300.0}
FAMILIES = [
    ("llama", {"rope_parameters": LLAMA3, "head_dim": 12}),
    ("qwen3", {"sliding_window": WINDOW}),
    ("qwen3", {"rope_parameters": YARN, "use_sliding_window": False}),
    ("gemma3", {"sliding_window": WINDOW, "pad_token_id": None}),
]
each_family = pytest.mark.parametrize(("name", "options"), FAMILIES, ids=str)
WINDOWED = [parameter(family, "sliding_window" in family[1]) for family in FAMILIES]
PIECES = [(1,) * T, (9,) + (1,) * 8, (3, 11, 3)]
NAMES = ["llama", "qwen3", "gemma3"]


def ids(rows: int = B, length: int = T) -> torch.Tensor:
    return torch.randint(1, WORDS, (rows, length), generator=torch.Generator().manual_seed(5))


@torch.no_grad()
@pytest.mark.parametrize(("family", "pieces"), each_value(FAMILIES, PIECES), ids=str)
def test_logits_equal_hugging_face_beyond_the_window_cached_and_not(family, pieces):
    name, options = family
    model = theirs(name, **options)
    ours, tokens = from_hugging_face(model), ids()
    wanted = model(tokens).logits
    assert wanted.std() > 0.1, "nothing to compare"
    assert_close(ours(tokens), wanted, **CLOSE)
    cache, past, outputs, expected = ours.new_cache(), None, [], []
    for piece in tokens.split(pieces, dim=1):
        outputs.append(ours(piece, cache))
        result = model(piece, past_key_values=past, use_cache=True)
        past = result.past_key_values
        expected.append(result.logits)
    assert_close(torch.cat(outputs, dim=1), wanted, **CLOSE)
    assert_close(torch.cat(outputs, dim=1), torch.cat(expected, dim=1), **CLOSE)
    kept = {type(one): one.num_kept for one in cache.target}
    assert kept[KVCache] == T
    if LOCAL in (getattr(model.config, "layer_types", None) or ()):
        assert kept[WindowCache] == WINDOW - 1 + pieces[-1]


@torch.no_grad()
@pytest.mark.parametrize(("name", "options"), WINDOWED, ids=str)
def test_greedy_search_beyond_the_window_equals_generate(name, options):
    model = theirs(name, **options)
    ours, prompts = from_hugging_face(model), ids(length=7)
    common = {"do_sample": False, "pad_token_id": 0, "eos_token_id": None}
    wanted = model.generate(prompts, max_length=22, **common)
    unused = next(word for word in range(WORDS) if word not in wanted[:, 7:])
    ends = {"eos_id": unused, "max_len": 22}
    for use_cache in (True, False):
        assert torch.equal(greedy(ours, prompts, **ends, use_cache=use_cache), wanted)
    with fast_steps_disabled():
        assert torch.equal(greedy(ours, prompts, **ends), wanted)
    drawn = [
        sample(ours, prompts, **ends, use_cache=cached, generator=torch.Generator().manual_seed(4))
        for cached in (True, False)
    ]
    assert torch.equal(*drawn)
    beams = [
        beam_search(ours, prompts, **ends, num_beams=3, use_cache=cached).best
        for cached in (True, False)
    ]
    assert torch.equal(*beams)


@torch.no_grad()
@pytest.mark.parametrize(("name", "side"), each_value(NAMES, ["left", "right"]))
def test_padding_on_either_side_is_hidden_as_by_their_attention_mask(name, side):
    model = theirs(name, pad_token_id=0)
    ours, tokens = from_hugging_face(model), ids()
    for row, count in enumerate((0, 4, 9)):
        tokens[row, : count if side == "left" else 0] = 0
        tokens[row, T - count if side == "right" else T :] = 0
    real = tokens != 0
    wanted = model(tokens, attention_mask=real.long()).logits[real]
    assert_close(ours(tokens)[real], wanted, **CLOSE)
    cache = ours.new_cache()
    pieces = [ours(piece, cache) for piece in tokens.split([8, 1, 1, 7], dim=1)]
    assert_close(torch.cat(pieces, dim=1)[real], wanted, **CLOSE)


class InFloat64:
    """PyTorch for their modules, in which float32 means float64."""

    def __getattr__(self, name: str) -> object:
        return torch.float64 if name in ("float", "float32") else getattr(torch, name)


@torch.no_grad()
@each_family
def test_without_their_roundings_to_float32_float64_agrees_to_ten_digits(
    name, options, monkeypatch
):
    # Theirs computes norms and rotations in float32 whatever the dtype of the weights is.
    for module in (modeling_rope_utils, modeling_llama, modeling_qwen3, modeling_gemma3):
        monkeypatch.setattr(module, "torch", InFloat64())
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    model = theirs(name, **options).double()
    for part in model.modules():
        if hasattr(part, "embed_scale"):
            part.embed_scale = torch.tensor(part.scalar_embed_scale, dtype=torch.float64)
    ours, tokens = from_hugging_face(model), ids()
    wanted = model(tokens).logits
    assert wanted.dtype == torch.float64
    assert_close(ours(tokens), wanted, atol=1e-10, rtol=1e-10)
    cache = ours.new_cache()
    steps = torch.cat([ours(piece, cache) for piece in tokens.split([9] + [1] * 8, dim=1)], dim=1)
    assert_close(steps, wanted, atol=1e-10, rtol=1e-10)


@torch.no_grad()
@pytest.mark.parametrize(
    ("name", "parameters"),
    each_value(NAMES, [LINEAR, LLAMA3, YARN]),
    ids=lambda value: value["rope_type"] if isinstance(value, dict) else None,
)
def test_each_scaling_of_rotary_positions_is_followed(name, parameters):
    options = {"rope_parameters": dict(parameters), "max_position_embeddings": 256}
    if name == "gemma3":
        both = {"full_attention": dict(parameters), LOCAL: {"rope_type": "default"}}
        options = {"rope_parameters": both, "rope_scaling": None}
    model = theirs(name, **options)
    ours, tokens = from_hugging_face(model), ids(rows=2, length=90)
    kinds = {"linear": LinearScaling, "llama3": Llama3Scaling, "yarn": YarnScaling}
    found = {type(part.scaling) for part in ours.modules() if hasattr(part, "scaling")}
    assert kinds[parameters["rope_type"]] in found
    # Their angles are rounded to float32, which shows at far positions.
    assert_close(ours(tokens)[tokens != 0], model(tokens).logits[tokens != 0], atol=2e-4, rtol=1e-4)


@pytest.mark.parametrize(
    "options",
    [
        {"attention_factor": 1.3},
        {"beta_fast": 16.0, "beta_slow": 2.0},
        {"factor": 1.0},
        {"original_max_position_embeddings": 7},  # no pair turns often
        {"original_max_position_embeddings": 100_000},  # every pair turns often
    ],
    ids=str,
)
def test_yarn_with_other_numbers_has_their_frequencies(options):
    model = theirs("qwen3", rope_parameters=YARN | options, head_dim=32)
    ours = from_hugging_face(model).decoder.layers[0].self_attention.positions
    theirs_ = model.model.rotary_emb
    frequencies = ours.scaling.frequencies(32, ours.base)
    assert_close(frequencies.float(), theirs_.inv_freq, rtol=1e-5, atol=0.0)
    assert ours.scaling.magnitude == pytest.approx(theirs_.attention_scaling)


def test_the_models_are_made_of_the_parts_of_the_package():
    qwen3, gemma3 = (from_hugging_face(theirs(name)) for name in ("qwen3", "gemma3"))
    kinds = [type(layer.self_attention) for layer in qwen3.decoder.layers]
    assert kinds == [GroupedQueryAttention] * 2 + [SlidingWindowAttention]
    kinds = [type(layer.self_attention) for layer in gemma3.decoder.layers]
    local = SlidingWindowAttention
    assert kinds == [local, local, GroupedQueryAttention, local]
    bases = [layer.self_attention.positions.base for layer in gemma3.decoder.layers]
    assert bases == [500.0, 500.0, 1_000_000.0, 500.0]
    assert type(gemma3.decoder.layers[2].self_attention.positions.scaling) is LinearScaling
    assert type(qwen3.decoder.layers[0].self_attention.q_norm) is RMSNorm
    first = gemma3.decoder.layers[0]
    assert type(first.self_attention.k_norm) is ZeroCenteredRMSNorm
    assert type(first.feed_forward_residual) is SandwichNorm
    assert type(first.feed_forward) is GEGLU and first.self_attention.scale == 13**-0.5
    assert type(gemma3.embedding) is TokenEmbedding
    assert gemma3.output.weight is gemma3.embedding.table.weight


@torch.no_grad()
def test_windows_show_in_the_weights_and_sandwiches_in_the_residual_stream():
    ours, tokens = from_hugging_face(theirs("gemma3", pad_token_id=None)), ids()
    weights = record_attention(ours, tokens).weights
    ages = torch.arange(T)[:, None] - torch.arange(T)
    for layer, window in enumerate((3, 3, T, 3)):
        seen = weights[f"decoder.layers.{layer}.self_attention"] > 0
        assert torch.equal(seen, ((ages >= 0) & (ages < window)).expand_as(seen))
    record = residual_stream(ours, tokens)
    steps = list(record.steps.values())
    assert torch.equal(record.output, ours(tokens))
    total = steps[0].carried + sum(step.added for step in steps)
    assert_close(steps[-1].result, total, **CLOSE)
    for step in steps:
        assert_close(step.result, step.carried + step.added)


@pytest.mark.parametrize("name", NAMES)
def test_a_download_in_several_files_is_converted_and_converted_back(name, tmp_path):
    model = theirs(name)
    model.save_pretrained(tmp_path, max_shard_size="10KB")
    assert len(list(tmp_path.glob("model-*-of-*.safetensors"))) > 2
    assert (tmp_path / "model.safetensors.index.json").exists()
    loaded = AutoModelForCausalLM.from_pretrained(tmp_path)
    ours, tokens = from_hugging_face(loaded), ids()
    assert not ours.training
    assert_close(ours(tokens)[tokens != 0], model(tokens).logits[tokens != 0], **CLOSE)
    for key, weight in to_hugging_face(ours, loaded).items():
        assert torch.equal(weight, model.state_dict()[key]), key


@pytest.mark.parametrize("name", ["qwen3", "gemma3"])
def test_a_download_in_bfloat16_is_converted(name, tmp_path):
    theirs(name).bfloat16().save_pretrained(tmp_path)
    loaded = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.bfloat16)
    ours, tokens = from_hugging_face(loaded), ids()
    got, wanted = ours(tokens).softmax(-1), loaded(tokens).logits.softmax(-1)
    assert got.dtype == torch.bfloat16
    assert (got - wanted)[tokens != 0].abs().mean() < 0.01


@torch.no_grad()
def test_the_text_model_of_a_gemma_that_also_sees_images_is_converted():
    vision = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    vision |= {"intermediate_size": 8, "image_size": 14, "patch_size": 7}
    marks = {"image_token_index": 20, "boi_token_index": 21, "eoi_token_index": 22}
    config = Gemma3Config(
        text_config=dict(GEMMA3), vision_config=vision, mm_tokens_per_image=4, **marks
    )
    both = Gemma3ForConditionalGeneration(config).eval()
    with pytest.raises(TypeError, match="got Gemma3ForConditionalGeneration"):
        from_hugging_face(both)
    text = Gemma3ForCausalLM(both.config.text_config).eval()
    text.model, text.lm_head = both.model.language_model, both.lm_head
    ours, tokens = from_hugging_face(text), ids() % 19 + 1  # neither padding nor an image
    wanted = both(input_ids=tokens).logits
    assert wanted.std() > 0.01, "nothing to compare"
    assert_close(ours(tokens), wanted, **CLOSE)


def another(value: object) -> object:
    """Return another value of the same kind, or None if there is no obvious one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return 2 * value or 0.5 if isinstance(value, float) else 2 * value or 1
    return 3 if value is None else None


@torch.no_grad()
@pytest.mark.parametrize("name", [parameter(name, name == "qwen3") for name in NAMES])
def test_each_option_of_a_config_is_followed_or_refused_by_its_name(name):
    values, tokens, outcomes = theirs(name).config.to_dict(), ids(), {}
    for option, value in values.items():
        changed = another(value)
        if changed is None:
            continue
        try:
            model = theirs(name, **{"head_dim": 6, option: changed})
        except Exception:  # sizes that do not fit each other, which theirs refuses in its own ways
            continue
        try:
            ours = from_hugging_face(model)
        except ValueError as error:
            assert option in str(error)
            outcomes[option] = "refused"
        else:
            real = tokens != ours.pad_id if ours.pad_id is not None else slice(None)
            model.config.return_dict = True
            wanted = model(tokens).logits
            assert_close(ours(tokens)[real], wanted[real], **CLOSE)
            outcomes[option] = "followed"
    assert sum(outcome == "followed" for outcome in outcomes.values()) > 10
    assert outcomes["attention_bias"] == "refused"
