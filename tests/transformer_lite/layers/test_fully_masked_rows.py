"""A row that may attend to nothing: zeros and finite gradients from every kernel of PyTorch.

The package hands PyTorch such masks as they are, so it relies on this.
"""

import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, attention_steps, scaled_dot_product_attention
from transformer_lite.layers.positions import ALiBi, T5Relative

B, H, T, S, K = 2, 3, 5, 7, 4
D = H * K
# How far the kernels may be from the steps, which round in another order.
TOLERANCE = {torch.float16: 0.006, torch.bfloat16: 0.05, torch.float32: 1e-5, torch.float64: 1e-10}

each_kind = pytest.mark.parametrize("kind", TOLERANCE, ids=str)
# A mask alone reaches the kernel as booleans, with a bias as numbers: −∞ where forbidden.
BIASES = ["no bias", "fixed bias", "learned bias"]
each_bias = pytest.mark.parametrize("biased", BIASES)
MATH, FLASH = SDPBackend.MATH, SDPBackend.FLASH_ATTENTION
# The fused kernel knows no gradient of a bias: there PyTorch takes the other one.
WAYS = [(MATH, biased) for biased in BIASES] + [(FLASH, biased) for biased in BIASES[:2]]


@pytest.fixture
def mask():
    """Only row 3 of the second sequence and row 0 of the first may attend to nothing."""
    mask = torch.rand(B, 1, T, S) < 0.6
    mask[..., 2] = True
    mask[1, 0, 3] = mask[0, 0, 0] = False
    return mask


def inputs(kind: torch.dtype, device: str = "cpu") -> list[torch.Tensor]:
    shapes = ((B, H, T, K), (B, H, S, K), (B, H, S, K), (H, T, S))
    return [torch.randn(*shape, dtype=kind, device=device).requires_grad_() for shape in shapes]


def check_attention(kind, mask, biased, dropout=0.0):
    query, key, value, free = inputs(kind, mask.device)
    learned = [query, key, value] + [free] * (biased == "learned bias")
    bias = {"no bias": None, "fixed bias": free.detach(), "learned bias": free}[biased]
    output = scaled_dot_product_attention(query, key, value, mask, dropout=dropout, bias=bias)
    blind = ~mask.any(-1).expand(B, H, T)
    assert (output[blind] == 0).all()
    assert (output[~blind] != 0).any(-1).all() or dropout
    steps = attention_steps(query, key, value, mask, bias=bias).output
    if dropout == 0:
        assert_close(output, steps, atol=TOLERANCE[kind], rtol=0)
    gradients = torch.autograd.grad(output.sum(), learned)
    assert (gradients[0][blind] == 0).all()
    if len(learned) == 4:
        assert (gradients[3][~mask.any(0).expand(H, T, S)] == 0).all()
    for gradient, expected in zip(
        gradients, torch.autograd.grad(steps.sum(), learned), strict=True
    ):
        assert gradient.isfinite().all()
        assert gradient.any()
        if dropout == 0:
            assert_close(gradient, expected, atol=10 * TOLERANCE[kind], rtol=0)


def check_module(kind, mask, biased, dropout=0.0):
    positions = {"no bias": None, "fixed bias": ALiBi(H), "learned bias": T5Relative(H)}[biased]
    module = MultiHeadAttention(D, H, dropout, positions=positions).to(mask.device, kind)
    nn.init.normal_(module.out_proj.bias)
    x = torch.randn(B, S, D, dtype=kind, device=mask.device).requires_grad_()
    square = torch.cat([mask, mask[:, :, : S - T]], dim=2)
    output = module(x, mask=square)
    blind = ~square.any(-1)[:, 0]
    assert torch.equal(output[blind], module.out_proj.bias.expand(int(blind.sum()), D))
    output.sum().backward()
    for tensor in (x, *module.parameters()):
        assert tensor.grad.isfinite().all()
    assert x.grad.any()


@pytest.mark.parametrize(("kernel", "biased"), WAYS)
@each_kind
def test_every_kernel_returns_zeros_and_finite_gradients(kernel, kind, biased, mask):
    with sdpa_kernel(kernel):
        check_attention(kind, mask, biased)
        check_module(kind, mask, biased)


@each_kind
@each_bias
def test_fully_masked_rows_with_dropout(kind, biased, mask):
    with sdpa_kernel(MATH):  # the only one on a CPU that drops
        check_attention(kind, mask, biased, dropout=0.3)
        check_module(kind, mask, biased, dropout=0.3)
    check_attention(kind, mask, biased, dropout=0.3)


def test_fully_masked_row_does_not_affect_others(mask):
    query, key, value, _ = inputs(torch.float64)
    mask[0] = False
    output = scaled_dot_product_attention(query, key, value, mask)
    alone = scaled_dot_product_attention(query[1:], key[1:], value[1:], mask[1:])
    assert (output[0] == 0).all()
    assert_close(output[1:], alone)
