"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor, nn

from lessons.a_decoder_of_today import LatentAttention, delta_step, gated_delta_rule
from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import (
    GroupedQueryAttention,
    KVCache,
    MultiHeadAttention,
    sliding_window_mask,
)


def delta_write(p: Problem) -> Tensor:
    state, key = doubles(p["state"])[:, None], doubles(p["key"])
    found = key @ (p["keep"] * state)
    new = delta_step(state, key, doubles([p["value"]]), float(p["keep"]), float(p["write"]))
    return torch.cat([found, new[:, 0]])


def kept_numbers(p: Problem) -> Tensor:
    """Fill a cache of each kind with the tokens of the text, and count what is in it."""
    tokens, heads, width = p["tokens"], p["heads"], p["width"]

    def kept(layer: nn.Module) -> int:
        cache = KVCache()
        layer(torch.zeros(1, tokens, heads * width), cache=cache)
        return sum(tensor.numel() for tensor in cache.tensors())

    every = kept(MultiHeadAttention(heads * width, heads))
    grouped = kept(GroupedQueryAttention(heads * width, heads, p["groups"]))
    latent, cache = LatentAttention(4, heads, width, p["latent"], p["rotary"]), KVCache()
    latent(torch.zeros(1, tokens, 4), cache)
    short = sum(tensor.numel() for tensor in cache.tensors())
    near = int(sliding_window_mask(tokens, p["window"])[-1].sum()) * grouped // tokens
    key = torch.zeros(1, heads, tokens, width)
    gate = torch.zeros(1, heads, tokens)
    _, state = gated_delta_rule(key, key, key, gate, gate)
    return torch.tensor([every, grouped, short, near, state.numel()])
