"""Laws of the masks: True means may attend, and every mask broadcasts to (B, H, T, S)."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer_lite import combine_masks, look_ahead_mask, padding_mask
from transformer_lite.layers import (
    additive_mask,
    outer_product_padding_mask,
    sliding_window_mask,
)

B, H, T, S = 2, 3, 5, 7
IDS = torch.tensor([[1, 2, 3, 0, 0, 0, 0], [4, 0, 5, 6, 7, 8, 9]])

token_ids = st.lists(st.integers(0, 3), min_size=1, max_size=8)


@given(ids=token_ids, pad_id=st.integers(0, 3))
def test_padding_mask_allows_exactly_the_real_keys(ids, pad_id):
    mask = padding_mask(torch.tensor(ids), pad_id)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[token != pad_id for token in ids]]


@given(ids=token_ids, pad_id=st.integers(0, 3))
def test_outer_product_mask_allows_real_queries_to_see_real_keys(ids, pad_id):
    mask = outer_product_padding_mask(torch.tensor(ids), pad_id)
    assert mask.tolist() == [[i != pad_id and j != pad_id for j in ids] for i in ids]


def test_a_batch_of_masks_contains_the_mask_of_every_sequence():
    keys, both = padding_mask(IDS), outer_product_padding_mask(IDS)
    assert keys.shape == (B, 1, 1, S)
    assert both.shape == (B, 1, S, S)
    for b in range(B):
        assert torch.equal(keys[b, 0], padding_mask(IDS[b]))
        assert torch.equal(both[b, 0], outer_product_padding_mask(IDS[b]))


@given(size=st.integers(1, 9))
def test_look_ahead_mask_allows_the_past_and_the_present(size):
    mask = look_ahead_mask(size)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[j <= i for j in range(size)] for i in range(size)]


@given(size=st.integers(1, 5), start=st.integers(0, 5))
def test_with_a_cache_the_last_rows_of_the_triangle_are_left(size, start):
    mask = look_ahead_mask(size, start=start)
    assert mask.dtype == torch.bool
    assert torch.equal(mask, look_ahead_mask(start + size)[start:])
    assert mask.tolist() == [[j <= start + i for j in range(start + size)] for i in range(size)]


def test_combining_is_the_product_in_any_order():
    masks = padding_mask(IDS), look_ahead_mask(S), torch.rand(H, 1, S) < 0.5
    product = masks[0].int() * masks[1].int() * masks[2].int()
    assert torch.equal(combine_masks(*masks).int(), product)
    assert torch.equal(combine_masks(*reversed(masks)).int(), product)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_additive_mask_keeps_allowed_scores_and_removes_the_others(dtype):
    mask = padding_mask(IDS)
    numbers = additive_mask(mask, dtype)
    assert numbers.dtype == dtype
    assert numbers.shape == mask.shape
    assert (numbers[mask] == 0).all()
    assert (numbers[~mask] == -torch.inf).all()


@given(size=st.integers(1, 9), window=st.integers(1, 12), start=st.integers(0, 5))
def test_a_sliding_window_allows_that_many_keys_including_the_query_itself(size, window, start):
    mask = sliding_window_mask(size, window, start=start)
    assert mask.tolist() == [
        [0 <= start + i - j < window for j in range(start + size)] for i in range(size)
    ]
    if window >= start + size:
        assert torch.equal(mask, look_ahead_mask(size, start=start))


def test_a_sliding_window_equals_that_of_mistral():
    from transformers.masking_utils import sliding_window_causal_mask_function

    theirs = sliding_window_causal_mask_function(3)
    wanted = [
        [bool(theirs(0, 0, torch.tensor(i), torch.tensor(j))) for j in range(S)] for i in range(S)
    ]
    assert sliding_window_mask(S, 3).tolist() == wanted
