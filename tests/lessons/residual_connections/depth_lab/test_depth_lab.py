"""The depth lab: its network, its numbers, its picture, and what it refuses."""

import pytest
import torch

from lessons.kit.draws import uniform
from lessons.residual_connections.depth_lab.depth_lab import RECIPES
from tests.lessons.residual_connections.depth_lab.spec import make as lab


def mulberry32(seed: int) -> float:
    """Return the generator as its author wrote it, one number, in plain integers."""
    word = 0xFFFFFFFF
    state = (seed + 0x6D2B79F5) & word
    t = ((state ^ (state >> 15)) * (state | 1)) & word
    t ^= (t + (((t ^ (t >> 7)) * (t | 61)) & word)) & word
    return (t ^ (t >> 14)) / 2**31 - 1


@pytest.mark.parametrize("seed", [0, 1, 20, 123456789, 2**32 - 1])
def test_the_numbers_are_those_of_mulberry32(seed):
    numbers = uniform(seed, 1000)
    assert numbers[0] == mulberry32(seed)
    assert numbers[1] == mulberry32((seed + 0x6D2B79F5) % 2**32)
    assert abs(numbers.mean()) < 0.06
    assert abs(numbers.square().mean() - 1 / 3) < 0.03


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_state_and_the_gradient_start_at_size_one(recipe):
    layers = lab(recipe=recipe, depth=10).results()["layers"]
    assert layers.shape == (11, 2)
    torch.testing.assert_close(layers[0, 0].item(), 1.0, atol=1e-4, rtol=0)
    if recipe != "pre-norm":
        torch.testing.assert_close(layers[-1, 1].item(), 1.0)


def test_each_recipe_vanishes_explodes_or_survives_as_known():
    recipes = lab(depth=64).results()["recipes"]
    ends = dict(zip(RECIPES, recipes.tolist(), strict=True))
    size, _top, bottom = ends.pop("no skip")
    assert size < 1e-15 > bottom
    size, _top, bottom = ends.pop("skip alone")
    assert size > 1000 < bottom
    for recipe, (size, top, bottom) in ends.items():
        assert 0.1 < bottom < 10
        assert (size > 4 and top < 0.3) if recipe == "pre-norm" else abs(size - 1) < 1e-4
