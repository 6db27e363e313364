"""The counts of published models are those of Hugging Face's own classes, to the unit."""

import logging
from dataclasses import replace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode
from transformers import (
    BertConfig,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    MixtralConfig,
    MixtralForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
    T5Config,
    T5ForConditionalGeneration,
    ViTConfig,
    ViTForImageClassification,
)

from transformer_lite.models import (
    PUBLISHED,
    count_multiply_adds,
    count_parameters,
    memory,
)
from transformer_lite.models.published import Published

logging.getLogger("transformers").setLevel(logging.ERROR)


def llama(size: Published, kind=LlamaConfig, **more):
    return kind(
        vocab_size=size.vocab_size,
        hidden_size=size.d_model,
        intermediate_size=size.d_ff,
        num_hidden_layers=size.decoder_layers,
        num_attention_heads=size.num_heads,
        num_key_value_heads=size.num_kv_heads,
        tie_word_embeddings=False,
        **more,
    )


def bert(size: Published):
    return BertConfig(
        vocab_size=size.vocab_size,
        hidden_size=size.d_model,
        num_hidden_layers=size.encoder_layers,
        num_attention_heads=size.num_heads,
        intermediate_size=size.d_ff,
    )


def gpt2(size: Published):
    sizes = {"n_embd": size.d_model, "n_layer": size.decoder_layers, "n_head": size.num_heads}
    return GPT2Config(vocab_size=size.vocab_size, **sizes)


def t5(size: Published):
    return T5Config(
        vocab_size=size.vocab_size,
        d_model=size.d_model,
        d_kv=size.d_head,
        d_ff=size.d_ff,
        num_layers=size.encoder_layers,
        num_decoder_layers=size.decoder_layers,
        num_heads=size.num_heads,
    )


def mixtral(size: Published):
    experts = {"num_local_experts": size.num_experts, "num_experts_per_tok": size.experts_chosen}
    return llama(size, MixtralConfig, **experts)


def vit(size: Published):
    config = ViTConfig(
        hidden_size=size.d_model,
        num_hidden_layers=size.encoder_layers,
        num_attention_heads=size.num_heads,
        intermediate_size=size.d_ff,
    )
    config.num_labels = size.own_outputs
    return config


FAMILIES = {
    "BERT": (BertModel, bert),
    "GPT-2": (GPT2LMHeadModel, gpt2),
    "T5": (T5ForConditionalGeneration, t5),
    "Llama": (LlamaForCausalLM, llama),
    "Qwen3": (Qwen3ForCausalLM, lambda size: llama(size, Qwen3Config)),
    "Mistral": (MistralForCausalLM, lambda size: llama(size, MistralConfig)),
    "Mixtral": (MixtralForCausalLM, mixtral),
    "ViT-B/16": (ViTForImageClassification, vit),
}
# The first word that a weight's name holds says to which part it belongs.
PARTS = {
    "norms": ("norm", "ln_"),
    "output": ("pooler", "lm_head", "classifier"),
    "embedding": ("embed", "shared", "wte", "wpe"),
    "feed_forward": ("mlp", "denserelu", "intermediate"),
    "attention": ("attn", "attention"),
}
# BERT's feed-forward layer ends in output.dense, T5's tables are called attention bias.
RENAMED = {
    "attention.output": "attention",
    "output.dense": "intermediate",
    "relative_attention_bias": "attention",
}


def theirs(name: str, size: Published):
    """Hugging Face's own model of this size, without memory for its weights."""
    kind, config = FAMILIES[name.split()[0]]
    with torch.device("meta"):
        return kind(config(size)).eval()


def part_of(name: str) -> str:
    name = name.lower()
    for old, new in RENAMED.items():
        name = name.replace(old, new)
    return next(part for part, words in PARTS.items() if any(word in name for word in words))


@pytest.mark.parametrize("name", PUBLISHED)
def test_weights_of_every_part_equal_hugging_faces_model(name):
    model, counted = theirs(name, PUBLISHED[name]), count_parameters(PUBLISHED[name])
    found = dict.fromkeys(counted._fields, 0)
    for weight, parameter in model.named_parameters():  # tied ones come once
        found[part_of(weight)] += parameter.numel()
    assert counted._asdict() == found
    assert counted.total == model.num_parameters() == sum(found.values())


def operations(model, backward=False, **inputs) -> int:
    """What PyTorch counts for a model on the meta device, without rotary tables and poolers."""
    with FlopCounterMode(display=False) as counter:
        output = model(**inputs)
        if backward:
            (output.logits if "logits" in output else output[0]).sum().backward()
    aside = ("rotary_emb", "pooler", "classifier")
    found = counter.get_flop_counts()
    names = [name for name in found if name.rpartition(".")[2] in aside]
    return counter.get_total_flops() - sum(sum(found[name].values()) for name in names)


TOKENS = 32


def shallow(name: str) -> Published:
    """A published model cut to two layers a stack, whose costs scale to all its layers."""
    size = PUBLISHED[name]
    stacks = {"encoder_layers": size.encoder_layers, "decoder_layers": size.decoder_layers}
    return replace(size, **{stack: min(2, layers) for stack, layers in stacks.items()})


def inputs_of(name: str) -> dict:
    if name.startswith("ViT"):
        return {"pixel_values": torch.empty(1, 3, 224, 224, device="meta")}
    ids = torch.zeros(1, TOKENS, dtype=torch.long, device="meta")
    return {"input_ids": ids} | ({"decoder_input_ids": ids} if name.startswith("T5") else {})


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name[:3] not in ("Mix", "ViT")])
def test_multiply_adds_of_a_token_are_half_of_pytorchs_operations(name):
    size = shallow(name)
    model = theirs(name, size)
    model.set_attn_implementation("eager")
    wanted = 2 * TOKENS * count_multiply_adds(size, context=TOKENS).total
    assert operations(model, **inputs_of(name)) == wanted


def test_image_costs_its_patches_and_the_class_token():
    size = shallow("ViT-B/16")
    model = theirs("ViT-B/16", size)
    model.set_attn_implementation("eager")
    cost = count_multiply_adds(size, context=197)
    wanted = 2 * (197 * cost.total - cost.embedding)
    assert operations(model, **inputs_of("ViT-B/16")) == wanted


def small_mixtral() -> Published:
    sizes = {"vocab_size": 11, "d_model": 8, "num_heads": 2, "num_kv_heads": 1, "d_head": 4}
    return replace(PUBLISHED["Mixtral 8x7B"], **sizes, d_ff=6, decoder_layers=2, own_outputs=11)


def test_mixture_costs_are_the_chosen_experts_and_the_router():
    size = small_mixtral()
    model = MixtralForCausalLM(mixtral(size)).eval()
    model.set_attn_implementation("eager")
    model.set_experts_implementation("eager")
    ids = torch.arange(7)[None]
    wanted = 2 * 7 * count_multiply_adds(size, context=7).total
    assert operations(model, input_ids=ids) == wanted
    assert model.num_parameters() == count_parameters(size).total


@pytest.mark.parametrize(
    ("dtype", "bytes_in_training"), [(torch.float32, 16), (torch.bfloat16, 16), (torch.float64, 32)]
)
def test_training_takes_sixteen_bytes_a_weight_in_float32_and_bfloat16(dtype, bytes_in_training):
    size = PUBLISHED["GPT-2 XL"]
    counted = memory(size, dtype)
    assert counted.training_bytes == bytes_in_training * count_parameters(size).total
    assert counted.weight_bytes == dtype.itemsize * count_parameters(size).total


@pytest.mark.parametrize(("chosen", "source"), [("mixtral", 0), ("t5", 5)])
def test_the_bytes_of_a_cache_per_token_equal_the_count(chosen, source):
    if source:
        size = replace(PUBLISHED["T5 small"], vocab_size=11, d_model=8, d_ff=6)
        size = replace(size, encoder_layers=2, decoder_layers=3, num_heads=2, num_kv_heads=2)
        model = T5ForConditionalGeneration(t5(size)).eval()
        more = {"input_ids": torch.ones(1, source, dtype=torch.long)}
        more["decoder_input_ids"] = torch.ones(1, 7, dtype=torch.long)
    else:
        size = small_mixtral()
        model = MixtralForCausalLM(mixtral(size)).eval()
        model.set_experts_implementation("eager")
        more = {"input_ids": torch.ones(1, 7, dtype=torch.long)}
    cache = model(**more, use_cache=True).past_key_values
    caches = [cache.self_attention_cache, cache.cross_attention_cache] if source else [cache]
    held = [sum(layer.keys.nbytes + layer.values.nbytes for layer in one.layers) for one in caches]
    a_token = memory(size).cache_bytes_per_token
    assert held == [7 * a_token, source * a_token][: len(caches)]


def test_a_window_bounds_the_cost_of_a_token():
    free = replace(PUBLISHED["Mistral 7B"], window=0)
    bound = PUBLISHED["Mistral 7B"]
    for context in (1, 4095, 4096):
        assert count_multiply_adds(bound, context) == count_multiply_adds(free, context)
    assert count_multiply_adds(bound, 4097) == count_multiply_adds(bound, 4096)
    assert count_multiply_adds(bound, 4097).scores < count_multiply_adds(free, 4097).scores
