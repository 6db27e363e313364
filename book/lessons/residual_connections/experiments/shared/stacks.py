"""Ten deep networks side by side: their examples, their weights, their answers, their training.

Each has data and weights of its own, and learns to compute sin(3 a) b from two numbers a and b. A
matrix reads the numbers, 64 ReLU sub-layers of width 16 follow, and a matrix writes the answer.
"""

from collections.abc import Callable
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor

Tokens = Float[Tensor, "N E D"]
Layer = Callable[[Tokens], Tokens]

NETS, DEPTH, WIDTH, HIDDEN, EXAMPLES = 10, 64, 16, 32, 16


def norm(x: Tokens) -> Tokens:
    """Return each token with the mean 0 and the variance 1."""
    return torch.nn.functional.layer_norm(x, x.shape[-1:])


RECIPES: dict[str, Callable[[Tokens, Layer], Tokens]] = {
    "nothing": lambda x, f: f(x),
    "norm only": lambda x, f: norm(f(x)),
    "skip only": lambda x, f: x + f(x),
    "skip, norm on top": lambda x, f: x + f(x),
    "post-norm": lambda x, f: norm(x + f(x)),
    "pre-norm": lambda x, f: x + f(norm(x)),
}
NORM_ON_TOP = ("skip, norm on top", "pre-norm")


def examples(seed: int) -> tuple[Tensor, Tensor]:
    """Return for each network what it reads, with a 1 for a bias, and its targets of variance 1."""
    draw = torch.Generator().manual_seed(1000 + seed)
    numbers = torch.rand(NETS, EXAMPLES, 2, generator=draw) * 2 - 1
    target = torch.sin(3 * numbers[..., :1]) * numbers[..., 1:]
    target = target / target.std(dim=1, keepdim=True, correction=0)
    return torch.cat([numbers, torch.ones(NETS, EXAMPLES, 1)], dim=-1), target


def networks(gain: str, seed: int) -> list[Tensor]:
    """Draw the weights of all networks: in, up, down, out; each step has its own tensor."""
    draw = torch.Generator().manual_seed(seed)
    # Glorot's variance is 2 / (16 + 32). The ReLU halves, so to keep a mean square the product of
    # both variances has to be 2 / (16 · 32), which is 1.5² times as much.
    factor = {"Glorot": 1.0, "He": 1.5**0.5}[gain]
    inner = [(NETS, WIDTH, HIDDEN), (NETS, HIDDEN, WIDTH)] * DEPTH
    weights = []
    for shape in [(NETS, 3, WIDTH), *inner, (NETS, WIDTH, 1)]:
        bound = (6 / sum(shape[-2:])) ** 0.5 * (factor if min(shape[-2:]) == WIDTH else 1)
        weights.append(((torch.rand(shape, generator=draw) * 2 - 1) * bound).requires_grad_())
    return weights


def sublayer(x: Tokens, up: Tensor, down: Tensor) -> Tokens:
    """Return what one sub-layer gives."""
    return torch.relu(x @ up) @ down


def answer(variant: str, weights: list[Tensor], x: Tensor) -> Tensor:
    """Return what the networks of one kind answer, shape (N, E, 1)."""
    first, *inner, last = weights
    h = x @ first
    for up, down in zip(inner[::2], inner[1::2], strict=True):
        h = RECIPES[variant](h, partial(sublayer, up=up, down=down))
    return (norm(h) if variant in NORM_ON_TOP else h) @ last


def trained(variant: str, gain: str, seed: int, rates: list[float]) -> Float[Tensor, "N"]:
    """Train with Adam on full batches, at one rate for each step, and return the errors."""
    x, target = examples(seed)
    weights = networks(gain, seed)
    adam = torch.optim.Adam(weights, fused=True)
    for rate in rates:
        adam.param_groups[0]["lr"] = rate
        adam.zero_grad()
        (answer(variant, weights, x) - target).square().mean(dim=(1, 2)).sum().backward()
        adam.step()
    with torch.no_grad():
        return (answer(variant, weights, x) - target).square().mean(dim=(1, 2))


def learned(errors: Float[Tensor, "N"]) -> int:
    """Count the networks whose error is below half of what always answering the mean gives."""
    return int((errors < 0.5).sum())
