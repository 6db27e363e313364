"""Counting in binary: every row is its own number, every bit flips half as often as the next."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer_lite.layers.positions import binary_positions


@given(bits=st.integers(1, 8), data=st.data())
def test_every_row_spells_its_position(bits, data):
    length = data.draw(st.integers(1, 2**bits))
    rows = binary_positions(length, bits).int().tolist()
    assert rows == [[int(digit) for digit in f"{pos:0{bits}b}"] for pos in range(length)]


@pytest.mark.parametrize("bits", [1, 3, 5])
def test_each_bit_flips_half_as_often_as_the_one_to_its_right(bits):
    table = binary_positions(2**bits, bits)
    flips = (table[1:] != table[:-1]).sum(dim=0)
    assert flips.tolist() == [2 ** (place + 1) - 1 for place in range(bits)]


def test_a_wide_table_starts_with_zeros():
    table = binary_positions(3, 70)
    assert table[:, :68].sum() == 0
    assert table[:, 68:].tolist() == [[0, 0], [0, 1], [1, 0]]


def test_entries_are_floats_that_can_be_added_to_tokens():
    assert binary_positions(3, 2).dtype == torch.float32
