"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import scaled_dot_product_attention


def scaled_softmax_row(p: Problem) -> Tensor:
    """Use a query of ones and keys that spread their score over the d_head entries."""
    width, wanted = p["width"], doubles(p["scores"])
    query = torch.ones(1, width, dtype=torch.float64)
    keys = wanted[:, None].expand(-1, width) / width
    scaled = (query @ keys.T / width**0.5)[0]
    weights = scaled_dot_product_attention(query, keys, torch.eye(3, dtype=torch.float64))[0]
    return torch.stack([scaled, weights], dim=-1)
