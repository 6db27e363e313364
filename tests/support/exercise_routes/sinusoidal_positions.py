"""Right answers to the exercises of sinusoidal_positions by several routes."""

import math

import torch


def encode_in_one_table(positions, d_model):
    angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def encode_number_by_number(positions, d_model):
    rows = []
    for p in positions.tolist():
        angles = [p * 10000 ** (-2 * (i // 2) / d_model) for i in range(d_model)]
        rows.append([math.cos(a) if i % 2 else math.sin(a) for i, a in enumerate(angles)])
    return torch.tensor(rows, dtype=positions.dtype)


def encode_by_exponentials(positions, d_model):
    pairs = torch.arange(d_model // 2, dtype=positions.dtype)
    speeds = torch.exp(pairs * (-2 * math.log(10000.0) / d_model))
    table = torch.empty(len(positions), d_model, dtype=positions.dtype)
    table[:, 0::2] = torch.sin(torch.outer(positions, speeds))
    table[:, 1::2] = torch.cos(torch.outer(positions, speeds))
    return table


def add_positions_repaired(x, table):
    positions = table[: x.size(1)]
    return x + positions


def add_positions_word_by_word(x, table):
    out = x.clone()
    for t in range(x.shape[1]):
        out[:, t] += table[t]
    return out


def add_positions_by_index(x, table):
    place = torch.arange(x.shape[1])
    return x + table[place].unsqueeze(0)


def shift_by_addition_formulas(encoding, offset):
    width = encoding.shape[1]
    angles = offset / 10000 ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
    sin, cos = encoding[:, 0::2], encoding[:, 1::2]
    new_sin = sin * angles.cos() + cos * angles.sin()
    new_cos = cos * angles.cos() - sin * angles.sin()
    return torch.stack([new_sin, new_cos], dim=-1).flatten(1).to(encoding.dtype)


def shift_with_float32_speeds(encoding, offset):
    width = encoding.shape[1]
    angles = offset / 10000 ** (torch.arange(0, width, 2) / width)
    shifted = torch.empty_like(encoding)
    shifted[:, 0::2] = encoding[:, 0::2] * angles.cos() + encoding[:, 1::2] * angles.sin()
    shifted[:, 1::2] = encoding[:, 1::2] * angles.cos() - encoding[:, 0::2] * angles.sin()
    return shifted


def shift_by_reading_the_angles(encoding, offset):
    width = encoding.shape[1]
    speeds = 10000.0 ** (-torch.arange(0, width, 2, dtype=encoding.dtype) / width)
    angles = torch.atan2(encoding[:, 0::2], encoding[:, 1::2]) + offset * speeds
    return torch.stack([angles.sin(), angles.cos()], dim=2).reshape(encoding.shape)


def shift_by_a_matrix(encoding, offset):
    width = encoding.shape[1]
    turn = torch.zeros(width, width, dtype=encoding.dtype)
    for i in range(0, width, 2):
        angle = offset / 10000 ** (i / width)
        turn[i, i] = turn[i + 1, i + 1] = math.cos(angle)
        turn[i, i + 1], turn[i + 1, i] = math.sin(angle), -math.sin(angle)
    return encoding @ turn.T
