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
    sinusoidal_frequencies,
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


def test_each_pair_is_slower_than_the_one_before_by_the_same_factor():
    frequencies = sinusoidal_frequencies(D)
    assert frequencies.shape == (D // 2,)
    assert frequencies[0] == 1
    close(frequencies[1:] / frequencies[:-1], torch.full((D // 2 - 1,), 1e4).double() ** (-2 / D))
    # One pair more would reach 1/base.
    assert math.isclose(frequencies[-1] * 1e4 ** (-2 / D), 1e-4)


def test_base_sets_the_slowest_pair():
    assert sinusoidal_frequencies(4, base=100.0).tolist() == [1.0, 0.1]
    assert sinusoidal_frequencies(4, base=1).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("offset", [0, 1, 3, -2, 0.5, 1024])
def test_a_shift_is_a_rotation(offset):
    rotation = shift_rotation(offset, D)
    close(rotation @ rotation.T, torch.eye(D).double())
    close(torch.linalg.det(rotation), torch.tensor(1.0).double())
    close(shift_rotation(-offset, D), rotation.T)
    close(shift_rotation(2 * offset, D), rotation @ rotation)


@pytest.mark.parametrize("offset", [0, 1, 3, 17])
@pytest.mark.parametrize("base", [10000.0, 50.0])
def test_one_matrix_shifts_every_position(offset, base):
    table = sinusoidal_positions(1100, D, base=base)  # 1024 and what follows are among them
    shifted = table[: 1100 - offset] @ shift_rotation(offset, D, base).T
    close(shifted, table[offset:], atol=1e-10)


def test_a_shift_by_one_written_out():
    s, c, t, d = math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)
    expected = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, d, t], [0, 0, -t, d]]
    close(shift_rotation(1, 4), torch.tensor(expected, dtype=torch.float64))


def test_the_dot_product_of_two_positions_depends_on_their_offset_only():
    table = sinusoidal_positions(1100, D)
    for offset in (0, 1, 6, 50):
        products = (table[: 1100 - offset] * table[offset:]).sum(-1)
        law = (offset * sinusoidal_frequencies(D)).cos().sum()
        close(products, law.expand_as(products), atol=1e-10)


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


def test_1024_positions_are_computed_in_advance_unless_told_otherwise():
    assert SinusoidalPositions(D).table.shape == (1024, D)


@pytest.mark.parametrize("start", [0, 6])
def test_the_result_is_on_the_device_of_the_tokens(start):
    x = torch.zeros(B, T, D, device="meta")
    assert SinusoidalPositions(D, max_len=8).embed(x, start).device.type == "meta"


def test_nothing_is_learned_and_nothing_is_stored():
    module = SinusoidalPositions(D)
    assert list(module.parameters()) == []
    assert module.state_dict() == {}
    assert not module.table.requires_grad
    assert module.to("meta").table.device.type == "meta"
