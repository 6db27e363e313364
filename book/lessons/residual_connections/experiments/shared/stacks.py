"""Ten deep networks next to each other: their examples, weights, answers and training.

Each has data and weights of its own, and learns to compute sin(3 a) b from two numbers a and b. A
matrix reads the numbers, ReLU sub-layers of width 16 follow, and a matrix writes the answer.
"""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor

Tokens = Float[Tensor, "N E D"]
Layer = Callable[[Tokens], Tokens]

NETS, WIDTH, HIDDEN, EXAMPLES = 10, 16, 32, 16


def norm(x: Tokens) -> Tokens:
    """Return each token with mean 0 and variance 1."""
    return torch.nn.functional.layer_norm(x, x.shape[-1:])


RECIPES: dict[str, Callable[[Tokens, Layer], Tokens]] = {
    "plain": lambda x, f: f(x),
    "plain, angles kept": lambda x, f: f(x),
    "post-norm": lambda x, f: norm(x + f(x)),
    "pre-norm": lambda x, f: x + f(norm(x)),
}


def examples(seed: int) -> tuple[Tensor, Tensor]:
    """Return for each network what it reads, with a 1 for a bias, and its targets of variance 1."""
    draw = torch.Generator().manual_seed(1000 + seed)
    numbers = torch.rand(NETS, EXAMPLES, 2, generator=draw) * 2 - 1
    target = torch.sin(3 * numbers[..., :1]) * numbers[..., 1:]
    target = target / target.std(dim=1, keepdim=True, correction=0)
    return torch.cat([numbers, torch.ones(NETS, EXAMPLES, 1)], dim=-1), target


def networks(stack: str, depth: int, seed: int) -> list[Tensor]:
    """Draw the initial weights of all networks: read, up, down, write; up and down by layer.

    Each sub-layer keeps the mean square of its input on average: Glorot's variance is
    2 / (16 + 32), the ReLU halves, so the product of both variances has to be 2 / (16 · 32),
    which is 1.5² times as much. Where angles are kept, the hidden units come in pairs w and −w
    with orthogonal w, so that a sub-layer is a rotation before training.
    """
    draw = torch.Generator().manual_seed(seed)

    def uniform(*shape: int, factor: float = 1.0) -> Tensor:
        bound = factor * (6 / sum(shape[-2:])) ** 0.5
        return (torch.rand(shape, generator=draw) * 2 - 1) * bound

    read, write = uniform(NETS, 3, WIDTH), uniform(NETS, WIDTH, 1)
    if stack == "plain, angles kept":
        shape = (2, depth, NETS, WIDTH, WIDTH)
        into, out = torch.linalg.qr(torch.randn(shape, generator=draw))[0]
        up, down = torch.cat([into, -into], dim=-1), torch.cat([out, -out], dim=-2)
    else:
        up = uniform(depth, NETS, WIDTH, HIDDEN, factor=1.5**0.5)
        down = uniform(depth, NETS, HIDDEN, WIDTH, factor=1.5**0.5)
    return [weight.requires_grad_() for weight in (read, up, down, write)]


def sublayer(x: Tokens, up: Tensor, down: Tensor) -> Tokens:
    """Return what one sub-layer computes."""
    return torch.relu(x @ up) @ down


def top(stack: str, weights: list[Tensor], x: Tensor) -> Tokens:
    """Return the states after the last sub-layer, and after the last norm of pre-norm."""
    read, up, down, _ = weights
    h = x @ read
    for layer in zip(up.unbind(), down.unbind(), strict=True):
        h = RECIPES[stack](h, partial(sublayer, up=layer[0], down=layer[1]))
    return norm(h) if stack == "pre-norm" else h


def training(
    stack: str, depth: int, rate: float, steps: int, seed: int
) -> Iterator[Float[Tensor, "N"]]:
    """Yield the errors of all networks before each step of Adam on full batches, and at the end."""
    x, target = examples(seed)
    weights = networks(stack, depth, seed)
    adam = torch.optim.Adam(weights, lr=rate)
    for step in range(steps + 1):
        errors = (top(stack, weights, x) @ weights[-1] - target).square().mean(dim=(1, 2))
        yield errors.detach()
        if step < steps:
            adam.zero_grad()
            errors.sum().backward()
            adam.step()
