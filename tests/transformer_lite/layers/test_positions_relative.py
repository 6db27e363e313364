"""Laws of relative positions: T5's buckets counted by hand, Shaw's vectors by a double loop."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from transformer_lite.layers.positions import ShawRelative, T5Relative, t5_buckets
from transformer_lite.layers.positions.relative import offsets

B, H, T, S, K = 2, 3, 5, 7, 4
FAR = torch.arange(-400, 401)

both_directions = pytest.mark.parametrize("bidirectional", [True, False])


def by_hand(offset: int, num_buckets: int, max_distance: int, bidirectional: bool) -> int:
    """The published rule in whole numbers, where no logarithm can round.

    Far bucket `exact + j` begins at exact · (max/exact)^(j/steps), so j is the largest number with
    distance^steps · exact^j ≥ max^j · exact^steps.
    """
    side = num_buckets // 2 if bidirectional else num_buckets
    first = side if bidirectional and offset > 0 else 0
    distance = abs(offset) if bidirectional else max(-offset, 0)
    exact = side // 2
    if distance < exact:
        return first + distance
    steps, j = side - exact, 0
    while j < steps - 1 and distance**steps * exact ** (j + 1) >= max_distance ** (j + 1) * (
        exact**steps
    ):
        j += 1
    return first + exact + j


def test_an_offset_is_key_position_minus_query_position():
    for start in (0, 4):
        table = offsets(T, S, start)
        assert table.tolist() == [[j - (start + i) for j in range(S)] for i in range(T)]
    assert offsets(T, S, device="meta").device.type == "meta"
    assert torch.equal(offsets(T, S), offsets(T, S, start=0))


@pytest.mark.parametrize("num_buckets", [32, 8, 4])
@pytest.mark.parametrize("max_distance", [128, 20])
@both_directions
def test_buckets_are_those_counted_by_hand(num_buckets, max_distance, bidirectional):
    ours = t5_buckets(FAR, num_buckets, max_distance, bidirectional)
    expected = [by_hand(d, num_buckets, max_distance, bidirectional) for d in FAR.tolist()]
    assert ours.tolist() == expected


def test_the_default_buckets_equal_those_of_t5():
    assert torch.equal(t5_buckets(FAR), t5_buckets(FAR, 32, 128, bidirectional=True))
    # Encoder: 16 buckets a side, 8 exact; the far ones begin at 8 · 16^(j/8), rounded up.
    firsts = [*range(9), 12, 16, 23, 32, 46, 64, 91]
    assert [int((t5_buckets(-FAR[FAR >= 0]) < bucket).sum()) for bucket in range(16)] == firsts
    # Decoder: 16 exact ones; the far ones begin at 16 · 8^(j/16), rounded up.
    firsts = [*range(17), 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    past = t5_buckets(-FAR[FAR >= 0], bidirectional=False)
    assert [int((past < bucket).sum()) for bucket in range(32)] == firsts


@given(
    half=st.integers(2, 40), more=st.integers(1, 300), bidirectional=st.booleans(),
    shape=st.lists(st.integers(0, 4), max_size=3),
)  # fmt: skip
def test_laws_of_buckets(half, more, bidirectional, shape):
    num_buckets = 2 * half
    max_distance = (half if not bidirectional else half // 2) + more
    buckets = t5_buckets(FAR, num_buckets, max_distance, bidirectional)
    past, future = buckets[FAR <= 0].flip(0), buckets[FAR >= 0]
    assert buckets.min() == 0 and buckets.max() < num_buckets
    assert (past.diff() >= 0).all()
    side = half if bidirectional else num_buckets
    assert past[: side // 2].tolist() == list(range(side // 2))
    assert (past[max_distance:] == side - 1).all()
    assert torch.equal(future[1:], past[1:] + side if bidirectional else torch.zeros(400).long())
    wanted = torch.zeros(shape, dtype=torch.long)
    assert t5_buckets(wanted, num_buckets, max_distance, bidirectional).shape == wanted.shape


@both_directions
@pytest.mark.parametrize("start", [0, 6])
def test_t5_bias_is_the_table_looked_up(bidirectional, start, normal):
    module = T5Relative(H, bidirectional, num_buckets=6, max_distance=5).to(normal(1))
    bias = module.bias(normal(B, H, T, K), S, start)
    assert bias.shape == (H, T, S)
    for h in range(H):
        for i in range(T):
            for j in range(S):
                bucket = by_hand(j - start - i, 6, 5, bidirectional)
                assert bias[h, i, j] == module.table.weight[bucket, h]


@pytest.mark.parametrize("start", [0, 6])
@pytest.mark.parametrize("max_distance", [1, 2, 16])
def test_shaw_bias_is_the_double_loop(start, max_distance, normal):
    module = ShawRelative(K, max_distance).to(normal(1))
    query = normal(B, H, T, K)
    bias = module.bias(query, S, start)
    expected = torch.empty_like(bias)
    for i in range(T):
        for j in range(S):
            clipped = min(max(j - start - i, -max_distance), max_distance)
            vector = module.table.weight[clipped + max_distance]
            expected[..., i, j] = (query[..., i, :] * vector).sum(-1) / K**0.5
    assert bias.shape == (B, H, T, S)
    assert_close(bias, expected)


def test_the_spare_causal_bucket_is_for_far_offsets():
    distances = -torch.arange(6)
    # 1 exact bucket, then 2 far ones that begin at 1 and at 1 · 4^(1/2) = 2
    assert t5_buckets(distances, 3, 4, bidirectional=False).tolist() == [0, 1, 2, 2, 2, 2]
