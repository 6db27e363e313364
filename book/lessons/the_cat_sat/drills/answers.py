"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import scaled_dot_product_attention


def weighted_sum(p: Problem) -> Tensor:
    """Attend with the logarithms of the weights as scores, so the softmax returns the weights."""
    query, keys = torch.ones(1, 1, dtype=torch.float64), doubles(p["weights"]).log()[:, None]
    return scaled_dot_product_attention(query, keys, doubles(p["values"]), scale=1.0)[0]
