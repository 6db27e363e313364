"""Right answers to the exercises of residual_connections by several routes."""

import math
from itertools import combinations

import numpy as np
import torch


def pre_norm_repaired(x, weight, eps):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    normed = (x - mean) / torch.sqrt(variance + eps)
    return x + torch.tanh(normed @ weight)


def pre_norm_token_by_token(x, weight, eps):
    rows = []
    for row in x:
        gap = row - row.mean()
        normed = gap / (gap.square().mean() + eps) ** 0.5
        rows.append(row + (normed @ weight).tanh())
    return torch.stack(rows)


def pre_norm_keeping_the_skip(x, weight, eps):
    skip = x
    x = x - x.mean(dim=1, keepdim=True)
    x = x * torch.rsqrt(x.pow(2).mean(dim=1, keepdim=True) + eps)
    return torch.tanh(torch.mm(x, weight)) + skip


def walk_back_with_a_list(weights, gradient):
    found = [gradient]
    for weight in reversed(weights):
        found.append(found[-1] + weight @ found[-1])
    return torch.stack(found[::-1])


def walk_back_into_a_table(weights, gradient):
    layers = len(weights)
    table = torch.zeros(layers + 1, len(gradient), dtype=gradient.dtype)
    table[layers] = gradient
    for i in range(layers - 1, -1, -1):
        table[i] = table[i + 1] + table[i + 1] @ weights[i].T
    return table


def walk_back_by_jacobians(weights, gradient):
    one = torch.eye(len(gradient), dtype=gradient.dtype)
    rows = [gradient]
    for weight in weights.flip(0):
        rows.insert(0, (one + weight) @ rows[0])
    return torch.stack(rows)


def by_path_length_layer_by_layer(slopes):
    found = torch.ones(1, dtype=slopes.dtype)
    zero = torch.zeros(1, dtype=slopes.dtype)
    for slope in slopes:
        found = torch.cat([found, zero]) + slope * torch.cat([zero, found])
    return found


def by_path_length_by_combinations(slopes):
    values = slopes.tolist()
    sums = [
        sum(math.prod(path) for path in combinations(values, n)) for n in range(len(values) + 1)
    ]
    return torch.tensor(sums, dtype=slopes.dtype)


def by_path_length_in_numpy(slopes):
    return torch.from_numpy(np.poly(-slopes.numpy()).astype(slopes.numpy().dtype))
