"""Convert models of Hugging Face's transformers: BERT, GPT-2, Llama, Qwen3, Gemma 3 and T5.

They differ only in their parts: `families` assembles them, and `weight_names` maps the names of
the weights.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from transformer_lite.models.base import BaseTransformer
from transformer_lite.models.conversion import require, require_unmodified, without_memory
from transformer_lite.models.difference import first_difference
from transformer_lite.models.families import bert, gemma3, gpt2, llama, qwen3, rotary, t5
from transformer_lite.models.options import Options, options_read_by
from transformer_lite.models.weight_names import (
    BERT,
    GATED_T5,
    GEMMA3,
    GPT2,
    LLAMA,
    QWEN3,
    T5,
    Table,
    fill,
)


def from_hugging_face(model: nn.Module) -> BaseTransformer:
    """Convert a Hugging Face model to this package: same weights, same outputs.

    Where theirs takes an attention mask, ours hides the tokens whose id is the config's
    `pad_token_id`. If this id is also the end token, no token is hidden.

    Args:
        model: a BertModel, GPT2LMHeadModel, LlamaForCausalLM, Qwen3ForCausalLM,
            Gemma3ForCausalLM or T5ForConditionalGeneration of transformers.

    Returns:
        A new model with copies of the weights, in the dtype, device and mode of `model`.

    Raises:
        TypeError: `model` is of another class.
        ValueError: its config has an option that changes the computation and that this package
            does not have; a part was exchanged or changed; or weights differ in dtype.

    Reference: Devlin et al. 2019; Radford et al. 2019; Touvron et al. 2023; Yang et al. 2025;
    Gemma Team 2025; Raffel et al. 2020.
    """
    ours, table = assembled(model)
    fill(ours, table, model.state_dict(keep_vars=True))
    return ours.train(model.training)


def assembled(model: nn.Module, name: str = "model") -> tuple[BaseTransformer, Table]:
    """Return our model for a Hugging Face model, without weights, and the table of their names."""
    kind = type(model)
    family = FAMILIES.get(kind.__name__) if kind.__module__.startswith("transformers.") else None
    if family is None:
        names = ", ".join(FAMILIES)
        raise TypeError(f"{name} must be one of transformers' {names}, got {kind.__name__}")
    _check_parts(model)
    config: Any = model.config
    defaults, read = type(config)().to_dict(), options_read_by(kind.__module__)
    options = Options(type(config).__name__, config.to_dict(), defaults, read)
    with without_memory():
        ours, table = family(model, options)
    options.refuse_unknown()
    return ours, table


def _check_parts(model: Any) -> None:
    """Require a model as its config makes it, because changed parts cannot be converted."""
    poolerless = {"add_pooling_layer": False} if getattr(model, "pooler", model) is None else {}
    config = copy.deepcopy(model.config)
    came = first_difference(model, lambda: type(model)(config, **poolerless))
    require(came is None, "model must have the parts and settings of its config", came)
    require_unmodified(model, "model")


def _bert(model: Any, options: Options) -> tuple[BaseTransformer, Table]:
    return bert(options, model.pooler is not None), BERT


def _gpt2(model: Any, options: Options) -> tuple[BaseTransformer, Table]:
    return gpt2(options), GPT2


def _with_rotary(
    assemble: Callable[[Options], BaseTransformer], table: Table, model: Any, options: Options
) -> tuple[BaseTransformer, Table]:
    ours, parameters = assemble(options), options["rope_parameters"]
    # Gemma has one entry for each kind of layer.
    kinds = {"": parameters} if "rope_theta" in parameters else parameters
    d_head = options["head_dim"] or options["hidden_size"] // options["num_attention_heads"]
    for kind, of_kind in kinds.items():
        name = f"{kind}_inv_freq".removeprefix("_")
        if hasattr(model.model.rotary_emb, name):  # else no layer is of this kind
            _check_frequencies(getattr(model.model.rotary_emb, name), d_head, of_kind)
    return ours, table


def _check_frequencies(stored: Tensor, d_head: int, parameters: dict[str, Any]) -> None:
    """Require the rotary frequencies that the config describes, which are not among the weights."""
    rule = (
        "the rotary frequencies of model must be float32, as dtype= leaves them and .to() does not"
    )
    require(stored.dtype in (torch.float32, torch.float64), rule, stored.dtype)
    if stored.is_meta:  # there are no numbers to compare
        return
    with torch.device("cpu"):  # the parts around are made without memory
        positions = rotary(parameters)
        wanted = positions.scaling.frequencies(d_head, positions.base)
    agrees = torch.allclose(stored.detach().cpu().double(), wanted, atol=0.0)
    require(agrees, "rope_parameters of the config must be those of the model", parameters)


def _t5(model: Any, options: Options) -> tuple[BaseTransformer, Table]:
    return t5(options), GATED_T5 if options["feed_forward_proj"] == "gated-gelu" else T5


FAMILIES: dict[str, Callable[[Any, Options], tuple[BaseTransformer, Table]]] = {
    "BertModel": _bert,
    "GPT2LMHeadModel": _gpt2,
    "LlamaForCausalLM": partial(_with_rotary, llama, LLAMA),
    "Qwen3ForCausalLM": partial(_with_rotary, qwen3, QWEN3),
    "Gemma3ForCausalLM": partial(_with_rotary, gemma3, GEMMA3),
    "T5ForConditionalGeneration": _t5,
}
