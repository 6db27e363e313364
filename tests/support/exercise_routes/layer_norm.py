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


normalize_in_two_lines = layer_norm_repaired
normalize_by_mean_squares = layer_norm_by_mean_squares


def normalize_in_numpy(x, weight, bias, eps):
    rows = x.numpy()
    centered = rows - rows.mean(axis=-1, keepdims=True)
    scaled = centered / np.sqrt(np.square(centered).mean(axis=-1, keepdims=True) + eps)
    return weight * torch.from_numpy(scaled.astype(rows.dtype)) + bias


def rms_norm_in_two_lines(x, weight, eps):
    mean_square = x.square().mean(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square + eps) * weight


def rms_norm_by_torch(x, weight, eps):
    return F.rms_norm(x, x.shape[-1:], weight, eps)


def rms_norm_in_numpy(x, weight, eps):
    tokens = x.numpy()
    root = np.sqrt((tokens**2).mean(axis=1, keepdims=True) + eps)
    return torch.from_numpy(tokens / root * weight.numpy())
