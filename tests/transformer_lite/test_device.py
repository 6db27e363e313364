"""The device picked, the seeds, and that a GPU computes what the CPU computes."""

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.testing import assert_close

import transformer_lite as tl

B, H, T, S, D = 2, 3, 5, 7, 12


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [(True, True, "cuda"), (True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_the_fastest_device_is_chosen(monkeypatch, cuda, mps, expected):
    # No one machine has all three kinds, so what PyTorch reports is replaced.
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert tl.best_device() == torch.device(expected)


@pytest.mark.parametrize("seed", [0, 6])
def test_a_seed_repeats_global_random_numbers_and_the_generators(seed):
    def draw():
        generator = tl.seed_everything(seed)
        return torch.rand(T), torch.rand(T, generator=generator)

    first, second = draw(), draw()
    assert torch.equal(first[0], second[0])
    assert torch.equal(first[1], second[1])
    assert torch.equal(first[0], first[1])


def of_attention(device: str, normal: Callable) -> list[torch.Tensor]:
    """Results of masks and attention."""
    x, memory = normal(B, T, D), normal(B, S, D)
    ids = torch.tensor([[1, 2, 3, 0, 0, 0, 0], [0] * S]).to(device)
    mask = tl.padding_mask(ids)
    causal = tl.look_ahead_mask(T, device=device)
    attention = tl.MultiHeadAttention(D, H).to(device)
    return [
        tl.attention_steps(x, memory, memory, mask[:, 0]).output,
        tl.scaled_dot_product_attention(x, memory, memory, mask[:, 0]),
        attention(x, memory, mask),
        attention(x, mask=tl.combine_masks(causal, mask[..., :T])),
        tl.layers.additive_mask(tl.layers.outer_product_padding_mask(ids)),
        tl.norms.batch_norm(memory, mask[:, 0, 0]),
    ]


def of_layers(device: str, normal: Callable) -> list[torch.Tensor]:
    """Results of norms, feed-forward layers and a residual recipe."""
    x = normal(B, T, D)
    parts = tl.LayerNorm(D), tl.FeedForward(D, S), tl.layers.SwiGLU(D, S)
    norm, feed_forward, gated = (part.to(device) for part in parts)
    deep = tl.layers.DeepNorm(nn.LayerNorm(D), alpha=2.0).to(device)
    return [
        norm(x),
        tl.norms.layer_norm_steps(x, normal(D), normal(D)).output,
        tl.norms.standardize(x, dim=1),
        feed_forward(x),
        gated(x),
        tl.layers.feed_forward_from_keys(x, normal(S, D), normal(S, D)),
        deep(x, feed_forward),
    ]


def of_positions(device: str, normal: Callable) -> list[torch.Tensor]:
    """Results of every position scheme."""
    x, memory, query = normal(B, T, D), normal(B, S, D), normal(B, H, T, S - 1)
    embedded = tl.positions.LearnedPositions(D, T), tl.positions.SinusoidalPositions(D, max_len=T)
    learned, sinusoidal = (part.to(device) for part in embedded)
    attended = tl.positions.T5Relative(H), tl.positions.ShawRelative(T), tl.positions.ALiBi(H)
    t5, shaw, alibi = (part.to(device) for part in attended)
    return [
        learned.embed(x),
        sinusoidal.embed(x),
        sinusoidal.embed(memory, start=1),
        tl.positions.Rotary().rotate(query, start=2),
        tl.positions.rotate_interleaved(query),
        t5.bias(query, S),
        shaw.bias(query[..., :T], S),
        alibi.bias(query, S),
    ]


def compute(device: str) -> list[torch.Tensor]:
    """One result of everything in the layers, computed on `device`."""
    generator = torch.Generator().manual_seed(6)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator).to(device)

    torch.manual_seed(6)
    results = (part(device, normal) for part in (of_attention, of_layers, of_positions))
    return [result for part in results for result in part]


@pytest.mark.gpu
def test_results_on_the_gpu_equal_those_on_the_cpu():
    for gpu, cpu in zip(compute("cuda"), compute("cpu"), strict=True):
        assert gpu.device.type == "cuda"
        assert_close(gpu.cpu(), cpu, atol=1e-4, rtol=1e-4)


def test_the_results_compared_between_devices_have_no_nan():
    assert all(result.isnan().sum() == 0 for result in compute("cpu"))
