"""Attentions with a scheme of relative positions each, small and of sizes that all differ."""

import torch
from torch import nn

from transformer_lite import MultiHeadAttention, look_ahead_mask
from transformer_lite.layers import KVCache
from transformer_lite.layers.positions import ALiBi, Rotary, ShawRelative, T5Relative

B, H, T, S, K = 2, 3, 5, 7, 4
D = H * K
SCHEMES = {
    "rotary": lambda: Rotary(),
    "alibi": lambda: ALiBi(H),
    "t5": lambda: T5Relative(H, num_buckets=8, max_distance=4),
    "t5 causal": lambda: T5Relative(H, bidirectional=False, num_buckets=4, max_distance=6),
    "shaw": lambda: ShawRelative(K, max_distance=2),
}


def attention(scheme: str, dtype: torch.dtype = torch.float64) -> MultiHeadAttention:
    """An attention with this scheme, its tables large enough to be seen."""
    module = MultiHeadAttention(D, H, positions=SCHEMES[scheme]()).to(dtype).eval()
    for parameter in module.positions.parameters():
        nn.init.normal_(parameter)
    return module


def in_pieces(module: nn.Module, x, pieces, mask=None) -> tuple[torch.Tensor, KVCache]:
    """Attend piece after piece, as decoding does; return all outputs, and the cache."""
    cache, outputs, start = KVCache(), [], 0
    for size in pieces:
        past = look_ahead_mask(size, start=start)
        past = past if mask is None else past & mask[..., : start + size]
        outputs.append(module(x[:, start : start + size], mask=past, cache=cache))
        start += size
        assert cache.length == start
    return torch.cat(outputs, dim=1), cache
