"""The right answers of the chapter's drills, computed by the package."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import masked_softmax


def shape_of(combine: Callable[[Tensor, Tensor], Tensor], a: list[int], b: list[int]) -> str:
    """Return the shape of a result, as Python writes it, or that there is none."""
    try:
        return str(tuple(combine(torch.ones(a), torch.ones(b)).shape))
    except RuntimeError:
        return "no"


def softmax_row(p: Problem) -> Tensor:
    return masked_softmax(doubles(p["scores"]))


def matrix_product_shape(p: Problem) -> list[str]:
    return [shape_of(torch.matmul, a, b) for a, b in p["products"]]


def broadcast_shape(p: Problem) -> list[str]:
    return [shape_of(torch.add, a, b) for a, b in p["pairs"]]


def adam_step(p: Problem) -> Tensor:
    """Take a step with PyTorch's optimizer; m̂ and v̂ are its bias-corrected moments."""
    weights = torch.nn.Parameter(doubles(p["weights"]))
    weights.grad = doubles(p["gradients"])
    optimizer = torch.optim.Adam([weights], lr=p["rate"], betas=(0.9, 0.999), eps=1e-12)
    optimizer.step()
    kept = optimizer.state[weights]
    corrected = [kept["exp_avg"] / (1 - 0.9), kept["exp_avg_sq"] / (1 - 0.999), weights.detach()]
    return torch.stack(corrected, dim=-1)
