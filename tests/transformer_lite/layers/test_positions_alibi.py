"""Laws of ALiBi: a straight line down from the diagonal, one slope a head."""

import pytest
import torch
from torch.testing import assert_close

from transformer_lite.layers.positions import ALiBi, alibi_slopes

B, H, T, S, K = 2, 3, 5, 7, 4

# The paper: a geometric sequence that starts at 2^(−8/H) and has that as its ratio. If H is no
# power of two, its authors take the slopes of the lower power and then every other slope of the
# higher one: 12 heads have those of 8, and the 1st, 3rd, 5th and 7th of 16.
EXPONENTS: dict[int, list[float]] = {
    1: [8],
    2: [4, 8],
    3: [4, 8, 2],
    4: [2, 4, 6, 8],
    8: [1, 2, 3, 4, 5, 6, 7, 8],
    12: [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5],
    16: [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8],
}


@pytest.mark.parametrize("num_heads", EXPONENTS)
def test_slopes_equal_those_of_the_paper(num_heads):
    expected = [2**-exponent for exponent in EXPONENTS[num_heads]]
    assert_close(alibi_slopes(num_heads), torch.tensor(expected), atol=0, rtol=1e-6)


@pytest.mark.parametrize("start", [0, 6])
def test_bias_is_minus_slope_times_distance(start, normal):
    bias = ALiBi(H).bias(normal(B, H, T, K), S, start)
    assert bias.shape == (H, T, S)
    for h, exponent in enumerate(EXPONENTS[H]):
        for i in range(T):
            for j in range(S):
                assert bias[h, i, j] == -(2.0**-exponent) * abs(j - start - i)


def test_slopes_move_with_the_module_but_are_neither_learned_nor_stored():
    alibi = ALiBi(H)
    assert list(alibi.parameters()) == []
    assert alibi.state_dict() == {}
    assert alibi.to("meta").bias(torch.zeros(B, H, T, K, device="meta"), S).device.type == "meta"
