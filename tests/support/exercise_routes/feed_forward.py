"""Right answers to the exercises of feed_forward by several routes."""

import numpy as np
import torch
import torch.nn.functional as F


def contributions_in_two_lines(x, w1, b1, w2):
    hidden = torch.relu(x @ w1 + b1)
    return hidden[..., None] * w2


def contributions_in_loops(x, w1, b1, w2):
    out = torch.zeros(len(x), len(w2), w2.shape[1], dtype=x.dtype)
    for t in range(len(x)):
        for m in range(len(w2)):
            held = max(0.0, float(x[t] @ w1[:, m] + b1[m]))
            out[t, m] = held * w2[m]
    return out


def contributions_through_diagonals(x, w1, b1, w2):
    hidden = (x @ w1 + b1).clamp(min=0)
    return torch.diag_embed(hidden) @ w2


def by_convolution_repaired(x, w1, b1, w2, b2):
    channels = x.transpose(1, 2)
    hidden = torch.relu(torch.conv1d(channels, w1.T[:, :, None], b1))
    output = torch.conv1d(hidden, w2.T[:, :, None], b2)
    return output.transpose(1, 2)


def by_convolution_by_products(x, w1, b1, w2, b2):
    hidden = (x @ w1 + b1).clamp(min=0)
    return hidden @ w2 + b2


def by_convolution_in_numpy(x, w1, b1, w2, b2):
    hidden = np.maximum(np.einsum("btd,dm->btm", x.numpy(), w1.numpy()) + b1.numpy(), 0)
    return torch.from_numpy(hidden @ w2.numpy() + b2.numpy())


def finish_block_by_torch(x, found, w1, b1, w2, b2):
    z = F.layer_norm(x + found, x.shape[-1:])
    ff = torch.relu(z @ w1 + b1) @ w2 + b2
    return F.layer_norm(z + ff, x.shape[-1:])


def finish_block_by_the_formula(x, found, w1, b1, w2, b2):
    def norm(t):
        gap = t - t.mean(dim=-1, keepdim=True)
        return gap / torch.sqrt(gap.square().mean(dim=-1, keepdim=True) + 1e-5)

    z = norm(x + found)
    return norm(z + (z @ w1 + b1).relu() @ w2 + b2)


def finish_block_token_by_token(x, found, w1, b1, w2, b2):
    out = torch.empty_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = F.layer_norm(x[b, t] + found[b, t], x.shape[-1:])
            ff = (z @ w1 + b1).clamp(min=0) @ w2 + b2
            out[b, t] = F.layer_norm(z + ff, x.shape[-1:])
    return out
