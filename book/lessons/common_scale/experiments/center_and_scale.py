"""What a small network learns from two columns as they stand, centered, scaled, or both.

A network of sixteen units learns the price of made-up houses from their size and their rooms. The
columns go in "raw", "centered" (the mean taken off), "scaled" (divided by the standard deviation),
or "both". Nine rates are tried, the powers of ten from 1e-8 to 1, each from the same first weights,
whose size PyTorch chooses and "weights" multiplies. "loss" is the mean squared error on the houses
themselves under the best of these rates, as a share of the variance of the prices: 1 is what the
mean price alone gives. "silent" is the share of the units that let no slope through at the start,
for none of the houses: the slope of their activation is 0 in 32-bit numbers.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

GRID = {
    "steps": [100, 1000],
    "seed": [0, 1, 2],
    "weights": [0.01, 1.0],
    "optimizer": ["gradient descent", "Adam"],
    "activation": ["tanh", "ReLU"],
    "columns": ["raw", "centered", "scaled", "both"],
}
TOLERANCE = {"loss": 0.05, "silent": 0.07}
POWERS, UNITS, HOUSES = range(-8, 1), 16, 60
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"tanh": torch.tanh, "ReLU": torch.relu}


def houses(generator: torch.Generator) -> tuple[Float[Tensor, "N 2"], Float[Tensor, "N"]]:
    """Draw sizes in square feet with rooms, and prices with mean 0 and variance 1."""
    size = 800 + 1600 * torch.rand(HOUSES, generator=generator)
    noise = torch.randn(2, HOUSES, generator=generator)
    rooms = (size / 500 + noise[0]).round().clamp(1, 6)
    price = 0.03 * size + 6 * rooms + 3 * noise[1]
    return torch.stack([size, rooms], 1), (price - price.mean()) / price.std(correction=0)


def prepared(table: Float[Tensor, "N 2"], columns: str) -> Float[Tensor, "N 2"]:
    """Center the columns, scale them, do both or neither."""
    if columns in ("centered", "both"):
        table = table - table.mean(0)
    return table / table.std(0, correction=0) if columns in ("scaled", "both") else table


def first_weights(scale: float, generator: torch.Generator) -> list[Tensor]:
    """Draw the weights of one network as `nn.Linear` does, and give each rate a copy."""
    bounds = [2**-0.5, 2**-0.5, UNITS**-0.5, UNITS**-0.5]
    shapes = [(2, UNITS), (1, UNITS), (UNITS, 1), (1, 1)]
    return [
        (scale * bound * (2 * torch.rand(shape, generator=generator) - 1))
        .expand(len(POWERS), *shape)
        .clone()
        .requires_grad_()
        for bound, shape in zip(bounds, shapes, strict=True)
    ]


def losses(
    weights: list[Tensor], x: Tensor, y: Tensor, activation: Callable[[Tensor], Tensor]
) -> Float[Tensor, "R"]:
    """Return the mean squared error of each copy."""
    into, bias, out, last = weights
    return ((activation(x @ into + bias) @ out + last)[..., 0] - y).square().mean(1)


def silent(
    weights: list[Tensor], x: Tensor, activation: Callable[[Tensor], Tensor]
) -> Float[Tensor, ""]:
    """Return the share of the units whose activation has the slope 0 for every house."""
    sums = (x @ weights[0][0] + weights[1][0]).detach().requires_grad_()
    (slopes,) = torch.autograd.grad(activation(sums).sum(), sums)
    return (slopes == 0).all(dim=0).float().mean()


def step(weights: list[Tensor], memory: list[list[Tensor]], count: int, adam: bool) -> None:
    """Take one step of each copy, with the rate of its own."""
    rates = 10.0 ** torch.tensor(POWERS).view(-1, 1, 1)
    for weight, (mean, square) in zip(weights, memory, strict=True):
        slope = weight.grad
        assert slope is not None
        if adam:
            mean.lerp_(slope, 0.1)
            square.lerp_(slope.square(), 0.001)
            typical = (square / (1 - 0.999**count)).sqrt() + 1e-8
            slope = mean / (1 - 0.9**count) / typical
        weight.data -= rates * slope
        weight.grad = None


def point(
    steps: int, seed: int, weights: float, optimizer: str, activation: str, columns: str
) -> dict[str, float]:
    """Train one network with each of the rates, and report the best."""
    generator = torch.Generator().manual_seed(seed)
    table, price = houses(generator)
    x, function = prepared(table, columns), ACTIVATIONS[activation]
    parts = first_weights(weights, generator)
    unheard = silent(parts, x, function).item()
    memory = [[torch.zeros_like(part), torch.zeros_like(part)] for part in parts]
    for count in range(1, steps + 1):
        losses(parts, x, price, function).sum().backward()
        step(parts, memory, count, optimizer == "Adam")
    found = losses(parts, x, price, function).detach().nan_to_num(nan=torch.inf)
    return {"loss": found.min().item(), "silent": unheard}
