"""Laws of the scalings of rotary positions: which pairs they slow down, and by how much."""

import math
from typing import Any

import pytest
import torch
from torch.testing import assert_close

from transformer_lite.layers.positions import (
    LinearScaling,
    Llama3Scaling,
    Rotary,
    RotaryScaling,
    YarnScaling,
    rotate_half_split,
    rotate_interleaved,
    sinusoidal_frequencies,
)

B, H, T, K, BASE, LENGTH = 2, 3, 5, 64, 10000.0, 1024
SCALINGS: dict[str, Any] = {
    "none": RotaryScaling(),
    "linear": LinearScaling(8.0),
    "llama3": Llama3Scaling(8.0, 1.0, 4.0, LENGTH),
    "yarn": YarnScaling(8.0, LENGTH),
}
each_scaling = pytest.mark.parametrize("scaling", SCALINGS.values(), ids=SCALINGS)


def turns(length: int = LENGTH) -> torch.Tensor:
    """How often each pair turns within a length."""
    return sinusoidal_frequencies(K, BASE) * length / (2 * math.pi)


def slowdown(scaling: RotaryScaling) -> torch.Tensor:
    return sinusoidal_frequencies(K, BASE) / scaling.frequencies(K, BASE)


def test_linear_scaling_moves_all_positions_closer_together(normal):
    x = normal(B, H, T, K)
    far = x[..., -1:, :]
    once = Rotary(BASE, LinearScaling(4.0)).rotate(far, start=20)
    assert_close(once, Rotary(BASE).rotate(far, start=5))


@pytest.mark.parametrize("name", ["llama3", "yarn"])
def test_fast_pairs_are_kept_and_slow_ones_slowed_down_fully(name):
    scaling, slower = SCALINGS[name], slowdown(SCALINGS[name])
    fast, slow = (4.0, 1.0) if name == "llama3" else (32.0, 1.0)
    kept, slowed = turns() > fast, turns() < slow
    assert kept.sum() > 1 and slowed.sum() > 1
    assert_close(slower[kept], torch.ones_like(slower[kept]))
    assert_close(slower[slowed], torch.full_like(slower[slowed], scaling.factor))
    between = ~kept & ~slowed
    assert ((slower[between] >= 1) & (slower[between] <= scaling.factor)).all()
    assert (slower.diff() >= -1e-12).all()


def test_llama3_mixes_by_the_number_of_turns():
    pair = next(i for i, count in enumerate(turns()) if 1.5 < count < 3.5)
    weight = (turns()[pair] - 1) / 3
    old = sinusoidal_frequencies(K, BASE)[pair]
    new = SCALINGS["llama3"].frequencies(K, BASE)[pair]
    assert_close(new, weight * old + (1 - weight) * old / 8)


@pytest.mark.parametrize("factor", [1.0, 4.0, 40.0])
def test_yarn_lengthens_queries_and_keys(factor, normal):
    x = normal(B, H, T, K)
    scaling = YarnScaling(factor, LENGTH)
    longer = Rotary(BASE, scaling).rotate(x, 3).norm(dim=-1) / x.norm(dim=-1)
    assert_close(longer, torch.full_like(longer, 0.1 * math.log(factor) + 1))
    exact = YarnScaling(factor, LENGTH, attention_factor=1.5)
    longer = Rotary(BASE, exact).rotate(x, 3).norm(dim=-1) / x.norm(dim=-1)
    assert_close(longer, torch.full_like(longer, 1.5))
    assert YarnScaling(1.0, LENGTH).magnitude == 1.0


@each_scaling
def test_scores_still_depend_on_the_offset_only(scaling):
    query, key = torch.randn(2, K, dtype=torch.float64)
    for rotate in (rotate_half_split, rotate_interleaved):
        scores = rotate(query.expand(30, K), 0, BASE, scaling) @ (
            rotate(key.expand(30, K), 0, BASE, scaling).T
        )
        for offset in range(-29, 30):
            diagonal = scores.diagonal(offset)
            assert_close(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-10, rtol=0)


@each_scaling
def test_far_positions_and_compiled_tables_agree_with_the_kept_ones(scaling, normal):
    x, scheme = normal(B, H, 3, K), Rotary(BASE, scaling)
    whole = normal(1, 1, 32768 + 3, K)
    whole[..., -3:, :] = x[:1, :1]
    assert_close(scheme.rotate(whole)[..., -3:, :], scheme.rotate(x[:1, :1], start=32768))


def test_two_bases_and_scalings_do_not_share_a_table(normal):
    x = normal(B, H, T, K)
    turned = [Rotary(base, s).rotate(x, 9) for base in (BASE, 500.0) for s in SCALINGS.values()]
    for i, one in enumerate(turned):
        assert not any(torch.allclose(one, other) for other in turned[:i])
