"""Right answers to the exercises of multi_head by several routes."""

import math

import torch


def split_heads_repaired(x, num_heads):
    batch, tokens, width = x.shape
    return x.view(batch, tokens, num_heads, width // num_heads).transpose(1, 2)


def split_heads_by_slices(x, num_heads):
    width = x.shape[-1] // num_heads
    heads = [x[..., i * width : (i + 1) * width] for i in range(num_heads)]
    return torch.stack(heads, dim=1)


def split_heads_turned(x, num_heads):
    batch, tokens, width = x.shape
    turned = x.mT.reshape(batch, num_heads, width // num_heads, tokens)
    return turned.mT


def join_heads_flattened(heads, w_o):
    return heads.transpose(0, 1).flatten(1) @ w_o


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


def attend_by_blocks(x, w_q, w_k, w_v, w_o, num_heads, mask):
    out = torch.zeros_like(x)
    split = zip(*(w.chunk(num_heads, dim=1) for w in (w_q, w_k, w_v)), strict=True)
    for (q, k, v), block in zip(split, w_o.chunk(num_heads, dim=0), strict=True):
        scores = (x @ q) @ (x @ k).T * q.shape[1] ** -0.5
        scores[~mask] = -torch.inf
        out = out + scores.softmax(dim=1) @ (x @ v) @ block
    return out
