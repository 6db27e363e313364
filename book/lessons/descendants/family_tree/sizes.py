"""What the family tree knows of each model, all of it read from or counted by `models.published`.

It goes to the page with the figure's state, so that the page counts nothing of it again.
"""

from __future__ import annotations

from typing import Any

import torch

from lessons.descendants.family_tree.words import CHAPTERS, FAMILY, NOTE_OF_THE_ORIGINAL, NOTES
from transformer_lite.models.published import (
    PUBLISHED,
    Parameters,
    Published,
    count_active_parameters,
    count_multiply_adds,
    count_parameters,
    memory,
)

ORIGINAL = "original base"
# The paper says "about 37000 tokens". Sines hold no weights: a learned table without rows.
_ORIGINAL = Published(
    year=2017,
    paper="Vaswani et al. 2017",
    claimed=65_000_000,
    vocab_size=37_000,
    d_model=512,
    num_heads=8,
    num_kv_heads=8,
    d_head=64,
    d_ff=2048,
    encoder_layers=6,
    decoder_layers=6,
    residual="post",
    feed_forward="relu",
)
#: Each model with its parent, in the order in which the tree is drawn, branch by branch.
PARENTS = {
    ORIGINAL: "",
    "BERT base": ORIGINAL,
    "ViT-B/16": "BERT base",
    "T5 small": ORIGINAL,
    "GPT-2 small": ORIGINAL,
    "Llama 7B": "GPT-2 small",
    "Llama 3 8B": "Llama 7B",
    "Qwen3 8B": "Llama 3 8B",
    "Mistral 7B": "Llama 7B",
    "Mixtral 8x7B": "Mistral 7B",
}
SIZES = {name: PUBLISHED.get(name, _ORIGINAL) for name in PARENTS}
_POSITIONS = {
    "learned": "learned, added",
    "rotary": "rotary, in each attention",
    "t5": "learned for buckets of offsets",
}
_NORMS = {"layer": "LayerNorm", "rms": "RMSNorm"}
_PLACES = {"post": "after each sum", "pre": "in front of each part"}
_FEED_FORWARDS = {"relu": "ReLU", "gelu": "GELU", "gelu_tanh": "GELU", "swiglu": "SwiGLU"}
_HALVES = {
    (True, True): "encoder and decoder",
    (True, False): "encoder: all see all",
    (False, True): "decoder: each looks back",
}


def _input(size: Published) -> str:
    if size.patch_numbers:
        return "patches of an image"
    return "words and segments" if size.segments else "words"


def _output(size: Published) -> str:
    if size.decoder_layers:
        return "a table of its own" if size.own_outputs else "the words' table again"
    return "first token, pooled" if size.vocab_size else f"{size.own_outputs:,} classes"


def kinds(name: str) -> dict[str, str]:
    """Return the kind of each part of a model, in words, by the name of the part."""
    size = SIZES[name]
    asking = size.num_heads // size.num_kv_heads
    return {
        "input": _input(size),
        "halves": _HALVES[bool(size.encoder_layers), bool(size.decoder_layers)],
        "positions": "sines, added" if name == ORIGINAL else _POSITIONS[size.positions],
        "attention": ("one for each head" if asking == 1 else f"one for {asking} heads")
        + (", normalized" if size.qk_norm else ""),
        "reach": f"the last {size.window:,}" if size.window else "all",
        "norm": _NORMS[size.norm],
        "place": _PLACES[size.residual],
        "network": _FEED_FORWARDS[size.feed_forward],
        "experts": f"{size.experts_chosen} of {size.num_experts}"
        if size.num_experts > 1
        else "one for all tokens",
        "biases": "yes" if size.bias else "none",
        "output": _output(size),
    }


def origin(name: str, part: str) -> str:
    """Return since which ancestor a part is of the present kind; the model itself if new."""
    parent = PARENTS[name]
    return origin(parent, part) if parent and kinds(parent)[part] == kinds(name)[part] else name


def ancestors(name: str) -> list[str]:
    """Return the line of a model, the eldest first and itself last."""
    parent = PARENTS[name]
    return [*(ancestors(parent) if parent else []), name]


def parameters(name: str) -> Parameters:
    """Count the weights, part by part. The original has no norm after its stacks."""
    size, counts = SIZES[name], count_parameters(SIZES[name])
    if name != ORIGINAL:
        return counts
    return counts._replace(norms=counts.norms - 2 * size.stacks * size.d_model)


def stored(name: str) -> dict[str, Any]:
    """Return what the page gets of a model: its parts, and counts that no control changes."""
    size, counts = SIZES[name], parameters(name)
    one = count_multiply_adds(size, context=1)
    experts = count_parameters(size).total - count_active_parameters(size).total
    return {
        "name": name,
        "line": ancestors(name),
        "year": size.year,
        "parts": {
            part: [FAMILY[part], kind, origin(name, part), CHAPTERS[kind]]
            for part, kind in kinds(name).items()
        },
        "layers": [size.encoder_layers, size.decoder_layers],
        "heads": [size.num_heads, size.num_kv_heads],
        "parameters": list(counts),
        "active": counts.total - experts,
        "work": list(one),  # its third number is for each key
        "cached": memory(size, torch.float32).cache_bytes_per_token // torch.float32.itemsize,
        "limit": size.max_len,
        "window": size.window,
        "note": NOTES[bool(size.encoder_layers), bool(size.decoder_layers)]
        + (NOTE_OF_THE_ORIGINAL if name == ORIGINAL else ""),
    }
