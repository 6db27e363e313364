"""Take over models of Hugging Face's transformers: BERT, GPT-2 and Llama, as assemblies of parts.

The three differ in their parts alone. None of them needs a class of its own here.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from transformer_lite.fast.exact import is_changed
from transformer_lite.layers.embedding import UnscaledEmbedding
from transformer_lite.layers.feed_forward import FeedForward, SwiGLU
from transformer_lite.layers.grouped_query import GroupedQueryAttention
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.norms import LayerNorm, RMSNorm
from transformer_lite.layers.positions import LearnedPositions, Rotary, sinusoidal_frequencies
from transformer_lite.layers.residual import PreNorm
from transformer_lite.models._conversion import copied, copy_weights, require, without_memory
from transformer_lite.models._families import bert
from transformer_lite.models._options import ACTIVATIONS, Options
from transformer_lite.models._sameness import first_difference
from transformer_lite.models._weight_names import BERT, fill
from transformer_lite.models.decoder import Decoder, DecoderLayer
from transformer_lite.models.transformer import (
    Assembly,
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
)


def from_hugging_face(model: nn.Module) -> Assembly:
    """Return this package's form of a Hugging Face model: same weights, same outputs.

    Where theirs takes an attention mask, ours hides the tokens whose id is the config's
    `pad_token_id`. A pad that is also the end of a text hides nothing.

    Args:
        model: a BertModel, GPT2LMHeadModel or LlamaForCausalLM of transformers.

    Returns:
        A new assembly with copies of the weights, in the dtype, device and mode of `model`.

    Raises:
        TypeError: `model` is of another class.
        ValueError: its config has an option that this package does not have, or does not know.

    Reference: Devlin et al. 2019; Radford et al. 2019; Touvron et al. 2023.
    """
    kind = type(model)
    convert = FAMILIES.get(kind.__name__) if kind.__module__.startswith("transformers.") else None
    if convert is None:
        names = ", ".join(FAMILIES)
        raise TypeError(f"model must be one of transformers' {names}, got {kind.__name__}")
    _check_parts(model)
    config = model.config
    options = Options(type(config).__name__, config.to_dict(), type(config)().to_dict())
    ours = convert(model, options)
    options.refuse_the_unknown()
    return ours.train(model.training)


def _check_parts(model: Any) -> None:
    """Require a model as its config makes it: what was wrapped or changed since is unknown here."""
    poolerless = {"add_pooling_layer": False} if getattr(model, "pooler", model) is None else {}
    config = copy.deepcopy(model.config)
    came = first_difference(model, lambda: type(model)(config, **poolerless))
    require(came is None, "model must have the parts and settings of its config", came)
    for name, module in model.named_modules():
        rule = f"{name or 'model'} must have no hooks and no method of its own"
        require(not is_changed(module), rule, type(module).__name__)


def _bert(model: Any, options: Options) -> EncoderOnlyTransformer:
    with without_memory():
        ours = bert(options, model.pooler is not None)
    fill(ours, BERT, model.state_dict(keep_vars=True))
    return ours


def _gpt2(model: Any, options: Options) -> DecoderOnlyTransformer:
    """Pre-norm with learned positions, no √D, GELU by its tanh formula."""
    options.require("add_cross_attention", False)
    options.require("scale_attn_weights", True)
    options.know("n_layer")
    options.require("scale_attn_by_inverse_layer_idx", False)
    width, heads = options["n_embd"], options["n_head"]
    hidden = options["n_inner"] or 4 * width

    def norm(theirs: Any) -> LayerNorm:
        ours = LayerNorm(width, options["layer_norm_epsilon"])
        _copy(ours, theirs)
        return ours

    def layer(theirs: Any) -> DecoderLayer:
        attention = MultiHeadAttention(width, heads, options["attn_pdrop"])
        feed_forward = FeedForward(width, hidden, ACTIVATIONS[_activation(options)])
        norms = iter((theirs.ln_1, theirs.ln_2))
        dropout = options["resid_pdrop"]
        # Theirs stores x W where ours stores x Wᵀ, and one matrix for query, key and value.
        fused = theirs.attn.c_attn
        weights, biases = fused.weight.mT.chunk(3), fused.bias.chunk(3)
        projections = attention.q_proj, attention.k_proj, attention.v_proj
        for ours, weight, bias in zip(projections, weights, biases, strict=True):
            copy_weights(ours, weight, bias)
        copy_weights(attention.out_proj, theirs.attn.c_proj.weight.mT, theirs.attn.c_proj.bias)
        copy_weights(feed_forward.up, theirs.mlp.c_fc.weight.mT, theirs.mlp.c_fc.bias)
        copy_weights(feed_forward.down, theirs.mlp.c_proj.weight.mT, theirs.mlp.c_proj.bias)
        return DecoderLayer(attention, feed_forward, lambda: PreNorm(norm(next(norms)), dropout))

    theirs = model.transformer
    with without_memory():
        positions = LearnedPositions(width, options["n_positions"])
        embedding = UnscaledEmbedding(
            options["vocab_size"], width, positions, options["embd_pdrop"]
        )
        decoder = Decoder(map(layer, theirs.h), norm(theirs.ln_f))
    positions.table = copied(theirs.wpe.weight)
    theirs_table = theirs.wte.weight
    copy_weights(embedding.table, theirs_table)
    output = _output(embedding, model, theirs_table)
    return DecoderOnlyTransformer(embedding, decoder, output, options.pad_id)


def _llama(model: Any, options: Options) -> DecoderOnlyTransformer:
    """Pre-norm by RMS, rotary positions on halves, SwiGLU, grouped queries, no biases."""
    options.require("pretraining_tp", 1)
    options.know("num_hidden_layers", "max_position_embeddings")  # rotary positions have no end
    options.require("attention_bias", False)
    options.require("mlp_bias", False)
    options.require("hidden_act", "silu")
    width, heads = options["hidden_size"], options["num_attention_heads"]
    options.require("head_dim", width // heads, None)
    base = _rotary_base(model.model.rotary_emb.inv_freq, width // heads, options)

    def norm(theirs: Any) -> RMSNorm:
        ours = RMSNorm(width, options["rms_norm_eps"])
        copy_weights(ours, theirs.weight)
        return ours

    def layer(theirs: Any) -> DecoderLayer:
        groups, dropout = options["num_key_value_heads"], options["attention_dropout"]
        attention = GroupedQueryAttention(width, heads, groups, dropout, False, Rotary(base))
        feed_forward = SwiGLU(width, options["intermediate_size"])
        norms = iter((theirs.input_layernorm, theirs.post_attention_layernorm))
        own, mlp = theirs.self_attn, theirs.mlp
        _copy(attention.q_proj, own.q_proj)
        _copy(attention.k_proj, own.k_proj)
        _copy(attention.v_proj, own.v_proj)
        _copy(attention.out_proj, own.o_proj)
        _copy(feed_forward.gate, mlp.gate_proj)
        _copy(feed_forward.up, mlp.up_proj)
        _copy(feed_forward.down, mlp.down_proj)
        return DecoderLayer(attention, feed_forward, lambda: PreNorm(norm(next(norms))))

    theirs = model.model
    with without_memory():
        embedding = UnscaledEmbedding(options["vocab_size"], width)
        decoder = Decoder(map(layer, theirs.layers), norm(theirs.norm))
    theirs_table = theirs.embed_tokens.weight
    copy_weights(embedding.table, theirs_table)
    output = _output(embedding, model, theirs_table)
    return DecoderOnlyTransformer(embedding, decoder, output, options.pad_id)


def _rotary_base(frequencies: Tensor, d_head: int, options: Options) -> float:
    """Return the base of the rotary positions, if the model really turns by it."""
    rope = dict(options["rope_parameters"])
    base = rope.pop("rope_theta")
    rule = "rope_parameters of a LlamaConfig must be rope_theta and the default rope_type alone"
    require(rope == {"rope_type": "default"}, rule, rope)
    expected = sinusoidal_frequencies(d_head, base)
    agrees = torch.allclose(frequencies.detach().cpu().double(), expected)
    require(agrees, "rope_theta of a LlamaConfig must be that of the model", base)
    return base


def _activation(options: Options, name: str = "activation_function") -> str:
    return options.require(name, *ACTIVATIONS)


def _copy(ours: Any, theirs: Any) -> None:
    copy_weights(ours, theirs.weight, getattr(theirs, "bias", None))


def _output(embedding: UnscaledEmbedding, model: Any, table: Tensor) -> Linear:
    """Return the layer from vectors to logits; one tied to their table is tied to ours."""
    weight: Tensor = model.lm_head.weight
    with without_memory():
        output = Linear(weight.shape[1], weight.shape[0], bias=False)
    output.weight = embedding.table.weight if weight is table else copied(weight)
    return output


FAMILIES: dict[str, Callable[[Any, Options], Assembly]] = {
    "BertModel": _bert,
    "GPT2LMHeadModel": _gpt2,
    "LlamaForCausalLM": _llama,
}
