"""Right answers to the exercises of layer_norm by several routes."""

import numpy as np
import torch
import torch.nn.functional as F


def layer_norm_repaired(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    std = torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps)
    return weight * (x - mean) / std + bias


def layer_norm_by_torch(x, weight, bias, eps):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


def layer_norm_by_mean_squares(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.square().mean(dim=-1, keepdim=True) - mean.square()
    return (x - mean) * torch.rsqrt(variance + eps) * weight + bias


def layer_norm_row_by_row(x, weight, bias, eps):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        gap = row - row.mean()
        rows.append(gap / (gap.pow(2).mean() + eps).sqrt() * weight + bias)
    return torch.stack(rows).view(x.shape)


def layer_norm_with_sums(x, weight, bias, eps):
    width = x.shape[-1]
    gap = x - x.sum(dim=-1, keepdim=True) / width
    return torch.addcmul(
        bias, gap / ((gap * gap).sum(-1, keepdim=True) / width + eps) ** 0.5, weight
    )


normalize_in_two_lines = layer_norm_repaired
normalize_by_torch = layer_norm_by_torch
normalize_by_mean_squares = layer_norm_by_mean_squares
normalize_row_by_row = layer_norm_row_by_row
normalize_with_sums = layer_norm_with_sums


def rms_norm_in_two_lines(x, weight, eps):
    mean_square = x.square().mean(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square + eps) * weight


def rms_norm_by_torch(x, weight, eps):
    return F.rms_norm(x, x.shape[-1:], weight, eps)


def rms_norm_by_sums(x, weight, eps):
    mean_square = (x * x).sum(dim=1) / x.shape[1]
    return weight * x * (mean_square + eps)[:, None] ** -0.5


def rms_norm_in_numpy(x, weight, eps):
    tokens = x.numpy()
    root = np.sqrt((tokens**2).mean(axis=1, keepdims=True) + eps)
    return torch.from_numpy(tokens / root * weight.numpy())


def rms_norm_token_by_token(x, weight, eps):
    out = torch.empty_like(x)
    for i, row in enumerate(x):
        out[i] = weight * row * torch.rsqrt(row.pow(2).mean() + eps)
    return out
