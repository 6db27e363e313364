"""The networks that learn from raw, centered and scaled columns."""

import torch
from torch import nn

from lessons.common_scale.experiments.center_and_scale import (
    ACTIVATIONS,
    POWERS,
    first_weights,
    houses,
    losses,
    prepared,
    silent,
    step,
)


def drawn():
    generator = torch.Generator().manual_seed(0)
    table, price = houses(generator)
    return table, price, first_weights(1.0, generator)


def test_columns_are_centered_and_scaled_as_named():
    table, price, _ = drawn()
    for columns in ("raw", "centered", "scaled", "both"):
        found = prepared(table, columns)
        centered, scaled = columns in ("centered", "both"), columns in ("scaled", "both")
        assert bool((found.mean(0).abs() < 1e-3).all()) is centered
        assert torch.allclose(found.std(0, correction=0), torch.ones(2), atol=1e-4) is scaled
    torch.testing.assert_close(price.square().mean(), torch.tensor(1.0))


def test_all_rates_start_with_one_loss_and_step_like_torchs_adam():
    table, price, weights = drawn()
    x, tanh = prepared(table, "both"), ACTIVATIONS["tanh"]
    assert losses(weights, x, price, tanh).unique().numel() == 1
    place = POWERS.index(-2)
    own = [nn.Parameter(weight[place].detach().clone()) for weight in weights]
    adam = torch.optim.Adam(own, lr=0.01)
    memory = [[torch.zeros_like(weight), torch.zeros_like(weight)] for weight in weights]
    for count in (1, 2, 3):
        losses(weights, x, price, tanh).sum().backward()
        step(weights, memory, count, adam=True)
        adam.zero_grad()
        losses([weight[None] for weight in own], x, price, tanh).sum().backward()
        adam.step()
    for weight, mine in zip(weights, own, strict=True):
        torch.testing.assert_close(weight[place], mine, rtol=1e-4, atol=1e-5)


def test_most_tanh_units_saturate_on_raw_columns_and_none_on_scaled_ones():
    table, _, weights = drawn()
    assert silent(weights, table, ACTIVATIONS["tanh"]) > 0.8
    assert silent(weights, prepared(table, "both"), ACTIVATIONS["tanh"]) == 0
