"""Laws of the sinusoids. T and D differ; the reference is the paper's formula, entry by entry."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from transformer_lite import sinusoidal_positions
from transformer_lite.layers.positions import (
    SinusoidalPositions,
    shift_rotation,
)

B, T, D = 2, 5, 12


def by_the_paper(length: int, d_model: int, start: int = 0, base: float = 10000.0):
    """PE(pos, 2i) = sin(pos / base^(2i/D)), PE(pos, 2i+1) = cos(pos / base^(2i/D))."""
    table = torch.empty(length, d_model, dtype=torch.float64)
    for row in range(length):
        for pair in range(d_model // 2):
            angle = (start + row) / base ** (2 * pair / d_model)
            table[row, 2 * pair] = math.sin(angle)
            table[row, 2 * pair + 1] = math.cos(angle)
    return table


def close(actual, expected, atol=1e-12):
    assert_close(actual, expected, atol=atol, rtol=0)


@given(
    length=st.integers(1, 7), pairs=st.integers(1, 6), start=st.integers(0, 5000),
    base=st.sampled_from([10000.0, 10000, 100.0, 2.5, 0.5]),
)  # fmt: skip
def test_the_table_is_the_formula_of_the_paper(length, pairs, start, base):
    ours = sinusoidal_positions(length, 2 * pairs, start, base)
    close(ours, by_the_paper(length, 2 * pairs, start, base), atol=1e-9)
    assert ours.dtype == torch.float64


@pytest.mark.parametrize("offset", [0, 1, 3, -2, 0.5, 1024])
def test_a_shift_is_a_rotation(offset):
    rotation = shift_rotation(offset, D)
    close(rotation @ rotation.T, torch.eye(D).double())
    close(torch.linalg.det(rotation), torch.tensor(1.0).double())
    close(shift_rotation(-offset, D), rotation.T)
    close(shift_rotation(2 * offset, D), rotation @ rotation)


@pytest.mark.parametrize("start", [0, 1, 3, 4, 100])
def test_embed_beyond_the_table_equals_a_longer_table(start, normal):
    x = normal(B, T, D)
    short, long = SinusoidalPositions(D, max_len=T + 1), SinusoidalPositions(D, max_len=200)
    assert torch.equal(short.embed(x, start), long.embed(x, start))
    assert_close(short.embed(x, start), x + by_the_paper(T, D, start).to(x))


@pytest.mark.parametrize("start", [999_999, 10**7])
def test_far_positions_are_exact_in_float32_too(start):
    # An angle of ten million in float32 would be off by half a radian.
    embedded = SinusoidalPositions(D).embed(torch.zeros(1, T, D), start)[0]
    close(embedded, by_the_paper(T, D, start).float(), atol=1e-6)


def test_the_module_has_no_parameters_and_no_state():
    module = SinusoidalPositions(D)
    assert list(module.parameters()) == []
    assert module.state_dict() == {}
    assert not module.table.requires_grad
    assert module.to("meta").table.device.type == "meta"
