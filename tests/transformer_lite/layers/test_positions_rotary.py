"""Laws of rotary positions; the reference turns complex numbers."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from transformer_lite.layers.positions import (
    Rotary,
    half_split_order,
    rotate_half_split,
    rotate_interleaved,
)
from transformer_lite.layers.positions.rotary import LONGEST_TABLE

B, H, T, K = 2, 3, 5, 8

both_layouts = pytest.mark.parametrize("rotate", [rotate_interleaved, rotate_half_split])


def by_complex_numbers(x: torch.Tensor, start: int = 0, base: float = 10000.0) -> torch.Tensor:
    """Every pair (x₂ᵢ, x₂ᵢ₊₁) as one complex number, times e^{i·pos·base^(−2i/K)}."""
    *_, length, width = x.shape
    turned = torch.empty_like(x)
    for t in range(length):
        for pair in range(width // 2):
            angle = torch.tensor((start + t) * base ** (-2 * pair / width), dtype=torch.float64)
            number = torch.complex(x[..., t, 2 * pair].double(), x[..., t, 2 * pair + 1].double())
            number = number * torch.polar(torch.ones_like(angle), angle)
            turned[..., t, 2 * pair], turned[..., t, 2 * pair + 1] = number.real, number.imag
    return turned


@pytest.mark.parametrize("start", [0, 3, 1024])
@pytest.mark.parametrize("base", [10000.0, 10000, 100.0])
def test_interleaved_is_the_product_of_complex_numbers(start, base, normal):
    x = normal(B, H, T, K)
    assert_close(rotate_interleaved(x, start, base), by_complex_numbers(x, start, base))


@given(
    leading=st.lists(st.integers(1, 3), max_size=3), length=st.integers(0, 5),
    pairs=st.integers(1, 5), start=st.integers(0, 2000), seed=st.integers(0, 999),
)  # fmt: skip
def test_both_layouts_apply_the_same_rotation_in_another_order(leading, length, pairs, start, seed):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(*leading, length, 2 * pairs, generator=generator, dtype=torch.float64)
    order = half_split_order(2 * pairs)
    turned = rotate_interleaved(x, start)
    assert_close(turned, by_complex_numbers(x, start), atol=1e-9, rtol=0)
    assert torch.equal(rotate_half_split(x[..., order], start), turned[..., order])


@both_layouts
def test_scores_depend_on_the_offset_only(rotate, normal):
    query, key = normal(K).double(), normal(K).double()
    rows = 40
    scores = rotate(query.expand(rows, K)) @ rotate(key.expand(rows, K)).T
    for offset in range(1 - rows, rows):
        diagonal = scores.diagonal(offset)
        assert_close(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-12, rtol=0)
    assert_close(scores[0, 0], query @ key)
    assert not torch.isclose(scores[0, 1:], scores[0, :-1]).any()
    assert not torch.isclose(scores[0, 1:], scores[1:, 0]).any()  # ahead is not behind


def test_the_scheme_turns_the_half_split_layout_with_its_own_base(normal):
    x = normal(B, H, T, K)
    assert torch.equal(Rotary().rotate(x), rotate_half_split(x, 0, 10000.0))
    assert torch.equal(Rotary(base=50.0).rotate(x, 3), rotate_half_split(x, 3, 50.0))
    assert not torch.allclose(Rotary(base=50.0).rotate(x), Rotary().rotate(x))


@both_layouts
def test_gradients_pass_gradcheck(rotate):
    x = torch.randn(B, H, T, K, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: rotate(x, 2), [x])


@both_layouts
@pytest.mark.parametrize("start", [16_777_217, LONGEST_TABLE - 2, 4095, 63, 0])
def test_far_positions_are_exact(rotate, start):
    """In float32 the position 16,777,217 does not exist, and far angles lose their digits."""
    x = torch.ones(2, 128)
    angles = np.array([[start], [start + 1]]) * 10000.0 ** (-np.arange(0, 128, 2) / 128)
    cos, sin = np.cos(angles), np.sin(angles)
    expected = torch.from_numpy(np.stack([cos - sin, cos + sin], axis=-1)).float()
    if rotate is rotate_half_split:
        expected = expected.transpose(1, 2)
    assert_close(rotate(x, start), expected.flatten(1), atol=1e-6, rtol=0)


@both_layouts
def test_tables_from_inference_serve_training(rotate, normal):
    x = normal(B, H, T, K).requires_grad_()
    with torch.inference_mode():
        expected = rotate(x, 777, base=4321.0)
    turned = rotate(x, 777, base=4321.0)
    assert torch.equal(turned, expected.clone())
    turned.sum().backward()
    assert x.grad.isfinite().all()


def test_tables_of_dtypes_bases_and_widths_are_kept_apart():
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        for base in (10000.0, 500000.0):
            for width in (4, 8):
                x = torch.ones(70, width, dtype=dtype)
                turned = rotate_interleaved(x, 3, base)
                assert turned.dtype == dtype
                tolerance = 0.02 if dtype == torch.bfloat16 else 1e-6
                expected = by_complex_numbers(x.double(), 3, base).to(dtype)
                assert_close(turned, expected, atol=tolerance, rtol=0)
