"""The names of our weights and of Hugging Face's: one table per family, read in both directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn

from transformer_lite.models.conversion import copied


class Fused(NamedTuple):
    """Weights that Hugging Face stores as one tensor, side by side, and transposed."""

    parts: tuple[str, ...]


# {} is the number of a layer, * is "weight" or "bias".
Table = Mapping[str, str | Fused]

BERT: Table = {
    "embeddings.word_embeddings.weight": "embedding.table.weight",
    "embeddings.position_embeddings.weight": "embedding.positions.table",
    "embeddings.token_type_embeddings.weight": "embedding.segment_table.weight",
    "embeddings.LayerNorm.*": "embedding.norm.*",
    "encoder.layer.{}.attention.self.query.*": "encoder.layers.{}.self_attention.q_proj.*",
    "encoder.layer.{}.attention.self.key.*": "encoder.layers.{}.self_attention.k_proj.*",
    "encoder.layer.{}.attention.self.value.*": "encoder.layers.{}.self_attention.v_proj.*",
    "encoder.layer.{}.attention.output.dense.*": "encoder.layers.{}.self_attention.out_proj.*",
    "encoder.layer.{}.attention.output.LayerNorm.*": (
        "encoder.layers.{}.self_attention_residual.norm.*"
    ),
    "encoder.layer.{}.intermediate.dense.*": "encoder.layers.{}.feed_forward.up.*",
    "encoder.layer.{}.output.dense.*": "encoder.layers.{}.feed_forward.down.*",
    "encoder.layer.{}.output.LayerNorm.*": "encoder.layers.{}.feed_forward_residual.norm.*",
    "pooler.dense.*": "pooler.proj.*",
}


GPT2: Table = {
    "transformer.wte.weight": "embedding.table.weight",
    "transformer.wpe.weight": "embedding.positions.table",
    "transformer.h.{}.ln_1.*": "decoder.layers.{}.self_attention_residual.norm.*",
    "transformer.h.{}.attn.c_attn.*": Fused(
        (
            "decoder.layers.{}.self_attention.q_proj.*",
            "decoder.layers.{}.self_attention.k_proj.*",
            "decoder.layers.{}.self_attention.v_proj.*",
        )
    ),
    "transformer.h.{}.attn.c_proj.*": Fused(("decoder.layers.{}.self_attention.out_proj.*",)),
    "transformer.h.{}.ln_2.*": "decoder.layers.{}.feed_forward_residual.norm.*",
    "transformer.h.{}.mlp.c_fc.*": Fused(("decoder.layers.{}.feed_forward.up.*",)),
    "transformer.h.{}.mlp.c_proj.*": Fused(("decoder.layers.{}.feed_forward.down.*",)),
    "transformer.ln_f.*": "decoder.norm.*",
    "lm_head.weight": "output.weight",
}


def _of_layers(names: Mapping[str, str]) -> Table:
    """Return the table of weights that occur in every layer of a decoder-only model."""
    return {
        f"model.layers.{{}}.{theirs}.weight": f"decoder.layers.{{}}.{ours}.weight"
        for theirs, ours in names.items()
    }


LLAMA: Table = {
    "model.embed_tokens.weight": "embedding.table.weight",
    "model.norm.weight": "decoder.norm.weight",
    "lm_head.weight": "output.weight",
    **_of_layers(
        {
            "input_layernorm": "self_attention_residual.norm",
            "self_attn.q_proj": "self_attention.q_proj",
            "self_attn.k_proj": "self_attention.k_proj",
            "self_attn.v_proj": "self_attention.v_proj",
            "self_attn.o_proj": "self_attention.out_proj",
            "post_attention_layernorm": "feed_forward_residual.norm",
            "mlp.gate_proj": "feed_forward.gate",
            "mlp.up_proj": "feed_forward.up",
            "mlp.down_proj": "feed_forward.down",
        }
    ),
}
QWEN3: Table = {
    **LLAMA,
    **_of_layers(
        {"self_attn.q_norm": "self_attention.q_norm", "self_attn.k_norm": "self_attention.k_norm"}
    ),
}
GEMMA3: Table = {
    **QWEN3,
    **_of_layers(
        {
            "post_attention_layernorm": "self_attention_residual.norm_after",
            "pre_feedforward_layernorm": "feed_forward_residual.norm",
            "post_feedforward_layernorm": "feed_forward_residual.norm_after",
        }
    ),
}


def _t5(feed_forward: Mapping[str, str]) -> Table:
    """Return the table of T5, with or without a gate in the feed-forward."""
    attention = {"q": "q_proj", "k": "k_proj", "v": "v_proj", "o": "out_proj"}
    sublayers = {
        "encoder": ("SelfAttention", "DenseReluDense"),
        "decoder": ("SelfAttention", "EncDecAttention", "DenseReluDense"),
    }
    homes = {"SelfAttention": "self_attention", "EncDecAttention": "cross_attention"}
    table = {"shared.weight": "src_embedding.table.weight", "lm_head.weight": "output.weight"}
    for stack, names in sublayers.items():
        embedding = "src_embedding" if stack == "encoder" else "tgt_embedding"
        first, bias = f"{stack}.block.0.layer.0.SelfAttention", "self_attention.positions.table"
        table[f"{stack}.embed_tokens.weight"] = f"{embedding}.table.weight"
        # One for all layers: Hugging Face stores it in the first, we store it in each.
        table[f"{first}.relative_attention_bias.weight"] = f"{stack}.layers.0.{bias}.weight"
        table[f"{stack}.final_layer_norm.weight"] = f"{stack}.norm.weight"
        for number, name in enumerate(names):
            place = f"{stack}.block.{{}}.layer.{number}"
            ours = f"{stack}.layers.{{}}.{homes.get(name, 'feed_forward')}"
            table[f"{place}.layer_norm.weight"] = f"{ours}_residual.norm.weight"
            for their, our in (attention if name in homes else feed_forward).items():
                table[f"{place}.{name}.{their}.weight"] = f"{ours}.{our}.weight"
    return table


T5 = _t5({"wi": "up", "wo": "down"})
GATED_T5 = _t5({"wi_0": "gate", "wi_1": "up", "wo": "down"})


class Pair(NamedTuple):
    """One weight of Hugging Face, and our weight or weights with the same numbers."""

    theirs: str
    ours: tuple[str, ...]
    fused: bool

    def split(self, weight: Tensor) -> list[Tensor]:
        """Return a weight of Hugging Face in our layout."""
        if not self.fused:
            return [weight]
        return list((weight.mT if weight.ndim == 2 else weight).chunk(len(self.ours)))

    def join(self, weights: list[Tensor]) -> Tensor:
        """Return our weights in the layout of Hugging Face."""
        if not self.fused:
            return weights[0]
        joined = torch.cat(weights)
        return joined.mT.contiguous() if joined.ndim == 2 else joined


def pairs(table: Table, ours: Mapping[str, Tensor]) -> Iterator[Pair]:
    """Return the pairs of a table that our weights have, layer by layer."""
    for theirs, entry in table.items():
        names = entry.parts if isinstance(entry, Fused) else (entry,)
        for ending in ("weight", "bias") if "*" in theirs else ("",):
            numbers = range(len(ours)) if "{}" in theirs else range(1)
            for number in numbers:
                found = tuple(name.replace("*", ending).format(number) for name in names)
                if found[0] not in ours:
                    break
                yield Pair(
                    theirs.replace("*", ending).format(number), found, isinstance(entry, Fused)
                )


def fill(model: nn.Module, table: Table, theirs: Mapping[str, Tensor]) -> set[str]:
    """Copy their weights into a model. Weights tied there are tied here.

    Args:
        model: ours, whose weights may be on the meta device.
        table: the family's table.
        theirs: all weights of theirs by name.

    Returns:
        The names of their weights that were not used.

    Raises:
        ValueError: a weight is missing or has another shape, or one of ours is filled by none.
    """
    expected = dict(model.named_parameters(remove_duplicate=False))
    taken: set[str] = set()
    copies: dict[int, nn.Parameter] = {}
    filled: set[int] = set()
    for pair in pairs(table, expected):
        if pair.theirs not in theirs:
            raise ValueError(f"weights must hold {pair.theirs}, got none of that name")
        weight = theirs[pair.theirs]
        taken.add(pair.theirs)
        for name, part in zip(pair.ours, pair.split(weight), strict=True):
            if part.shape != expected[name].shape:
                raise ValueError(
                    f"{pair.theirs} must fill {name} of shape {tuple(expected[name].shape)}, "
                    f"got {tuple(part.shape)}"
                )
            copy = copied(part) if pair.fused else copies.setdefault(id(weight), copied(part))
            copy.requires_grad_(weight.requires_grad)
            filled.add(id(copy))
            owner, _, attribute = name.rpartition(".")
            setattr(model.get_submodule(owner), attribute, copy)
    empty = [name for name, weight in model.named_parameters() if id(weight) not in filled]
    if empty:
        raise ValueError(f"every weight of ours must be filled, got none for {', '.join(empty)}")
    return theirs.keys() - taken
