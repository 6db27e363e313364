"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import KVCache


def absmax_rounding(p: Problem) -> Tensor:
    """Return PyTorch's own rounding to whole numbers with a sign, and its scale."""
    weights, top = doubles(p["weights"]), 2 ** (p["bits"] - 1) - 1
    scale = torch.linalg.vector_norm(weights, torch.inf) / top
    back = torch.fake_quantize_per_tensor_affine(weights.float(), scale.item(), 0, -top, top)
    return torch.cat([scale[None], (back.double() / scale).round()])


def step_bytes(p: Problem) -> Tensor:
    """Count the bytes of the package's cache; the tensors on `meta` have no content."""
    token = torch.empty(p["texts"], p["heads"], p["tokens"], 128, device="meta").half()
    pair = KVCache().append(token, token)
    cache = p["layers"] * sum(part.numel() * part.element_size() for part in pair) / 1e9
    weights = p["billions"] * p["bits"] / 8
    return doubles([weights, cache, (weights + cache) / p["bandwidth"] * 1e3])
