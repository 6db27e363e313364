"""Right answers to the exercises of rotary_positions by several routes."""

import math

import torch


def rotary_by_even_and_odd(x, positions, omega):
    angles = positions[:, None] * omega
    even, odd = x[:, 0::2], x[:, 1::2]
    first = even * angles.cos() - odd * angles.sin()
    second = even * angles.sin() + odd * angles.cos()
    return torch.stack([first, second], dim=-1).flatten(1)


def rotary_by_complex_numbers(x, positions, omega):
    turned = torch.complex(x[:, 0::2], x[:, 1::2]) * torch.exp(1j * torch.outer(positions, omega))
    return torch.view_as_real(turned).flatten(1)


def rotary_by_matrices(x, positions, omega):
    angles = torch.einsum("t,r->tr", positions, omega)
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    return torch.einsum("trab,trb->tra", blocks, x.reshape(len(x), -1, 2)).flatten(1)


def to_half_split_by_a_transpose(weight, num_heads):
    return weight.reshape(len(weight), num_heads, -1, 2).transpose(2, 3).reshape(weight.shape)


def to_half_split_by_an_index(weight, num_heads):
    width = weight.shape[1] // num_heads
    order = [*range(0, width, 2), *range(1, width, 2)]
    return weight[:, [h * width + i for h in range(num_heads) for i in order]]


def to_half_split_by_a_matrix(weight, num_heads):
    width = weight.shape[1] // num_heads
    order = [*range(0, width, 2), *range(1, width, 2)]
    one_head = torch.eye(width, dtype=weight.dtype)[order].T
    return weight @ torch.block_diag(*[one_head] * num_heads)


def rotate_halves_repaired(x, angles):
    cos = torch.cat([angles.cos(), angles.cos()], dim=-1)
    sin = torch.cat([angles.sin(), angles.sin()], dim=-1)
    first, second = x.chunk(2, dim=-1)
    crossed = torch.cat([-second, first], dim=-1)
    return x * cos + crossed * sin


def rotate_halves_entry_by_entry(x, angles):
    out, half = torch.zeros_like(x), x.shape[1] // 2
    for t in range(len(x)):
        for i in range(half):
            cos, sin = math.cos(angles[t, i]), math.sin(angles[t, i])
            out[t, i] = x[t, i] * cos - x[t, i + half] * sin
            out[t, i + half] = x[t, i] * sin + x[t, i + half] * cos
    return out


def rotate_halves_by_complex_numbers(x, angles):
    half = x.shape[1] // 2
    turned = torch.complex(x[:, :half], x[:, half:]) * torch.exp(1j * angles)
    return torch.cat([turned.real, turned.imag], dim=1)
