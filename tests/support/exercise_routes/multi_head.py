"""Right answers to the exercises of multi_head by several routes."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def split_heads_repaired(x, num_heads):
    batch, tokens, width = x.shape
    return x.view(batch, tokens, num_heads, width // num_heads).transpose(1, 2)


def split_heads_by_slices(x, num_heads):
    width = x.shape[-1] // num_heads
    heads = [x[..., i * width : (i + 1) * width] for i in range(num_heads)]
    return torch.stack(heads, dim=1)


def split_heads_by_permute(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)


def split_heads_in_numpy(x, num_heads):
    parts = np.split(x.numpy(), num_heads, axis=2)
    return torch.from_numpy(np.stack(parts, axis=1))


def split_heads_turned(x, num_heads):
    batch, tokens, width = x.shape
    turned = x.mT.reshape(batch, num_heads, width // num_heads, tokens)
    return turned.mT


def join_heads_flattened(heads, w_o):
    return heads.transpose(0, 1).flatten(1) @ w_o


def join_heads_by_cat(heads, w_o):
    return torch.cat(list(heads), dim=1) @ w_o


def join_heads_by_reshape(heads, w_o):
    count, tokens, width = heads.shape
    return heads.permute(1, 0, 2).reshape(tokens, count * width) @ w_o


def join_heads_head_by_head(heads, w_o):
    width = heads.shape[-1]
    joined = torch.zeros(heads.shape[1], w_o.shape[1], dtype=heads.dtype)
    for i, head in enumerate(heads):
        joined += head @ w_o[i * width : (i + 1) * width]
    return joined


def join_heads_by_einsum(heads, w_o):
    blocks = w_o.view(heads.shape[0], heads.shape[2], -1)
    return torch.einsum("htk,hkd->td", heads, blocks)


def attend_head_by_head(x, w_q, w_k, w_v, w_o, num_heads, mask):
    width = x.shape[1] // num_heads
    outputs = []
    for i in range(num_heads):
        own = slice(i * width, (i + 1) * width)
        scores = (x @ w_q[:, own]) @ (x @ w_k[:, own]).T / math.sqrt(width)
        weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
        outputs.append(weights @ (x @ w_v[:, own]))
    return torch.cat(outputs, dim=-1) @ w_o


def attend_all_at_once(x, w_q, w_k, w_v, w_o, num_heads, mask):
    tokens, width = x.shape
    shape = tokens, num_heads, width // num_heads
    q, k, v = ((x @ w).view(shape).transpose(0, 1) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(1, 2) / shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    return (weights @ v).transpose(0, 1).reshape(tokens, width) @ w_o


def attend_by_torch(x, w_q, w_k, w_v, w_o, num_heads, mask):
    q, k, v = (torch.stack((x @ w).chunk(num_heads, dim=1)) for w in (w_q, w_k, w_v))
    heads = F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask)[0]
    return torch.cat(list(heads), dim=1) @ w_o


def attend_by_blocks(x, w_q, w_k, w_v, w_o, num_heads, mask):
    out = torch.zeros_like(x)
    split = zip(*(w.chunk(num_heads, dim=1) for w in (w_q, w_k, w_v)), strict=True)
    for (q, k, v), block in zip(split, w_o.chunk(num_heads, dim=0), strict=True):
        scores = (x @ q) @ (x @ k).T * q.shape[1] ** -0.5
        scores[~mask] = -torch.inf
        out = out + scores.softmax(dim=1) @ (x @ v) @ block
    return out


def attend_in_numpy(x, w_q, w_k, w_v, w_o, num_heads, mask):
    q, k, v = (np.split((x @ w).numpy(), num_heads, axis=1) for w in (w_q, w_k, w_v))
    outputs = []
    for i in range(num_heads):
        scores = np.where(mask.numpy(), q[i] @ k[i].T / math.sqrt(k[i].shape[1]), -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        outputs.append(powers / powers.sum(axis=1, keepdims=True) @ v[i])
    return torch.from_numpy(np.concatenate(outputs, axis=1)).to(x.dtype) @ w_o
