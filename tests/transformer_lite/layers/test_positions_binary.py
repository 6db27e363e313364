"""Counting in binary: every row is its own number, every bit flips half as often as the next."""

from hypothesis import given
from hypothesis import strategies as st

from transformer_lite.layers.positions import binary_positions


@given(bits=st.integers(1, 8), data=st.data())
def test_every_row_spells_its_position(bits, data):
    length = data.draw(st.integers(1, 2**bits))
    rows = binary_positions(length, bits).int().tolist()
    assert rows == [[int(digit) for digit in f"{pos:0{bits}b}"] for pos in range(length)]
