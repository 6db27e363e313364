"""Right answers to the exercises of the decoder by several routes."""

import numpy as np
import torch
import torch.nn.functional as F


def cross_attend_in_four_lines(x, memory, real, w_q, w_k, w_v):
    query, key, value = x @ w_q, memory @ w_k, memory @ w_v
    scores = query @ key.mT / key.shape[-1] ** 0.5
    weights = scores.masked_fill(~real[:, None, :], -torch.inf).softmax(dim=-1)
    return weights @ value


def cross_attend_by_torch(x, memory, real, w_q, w_k, w_v):
    mask = real[:, None, :].expand(-1, x.shape[1], -1)
    return F.scaled_dot_product_attention(x @ w_q, memory @ w_k, memory @ w_v, attn_mask=mask)


def cross_attend_by_einsum(x, memory, real, w_q, w_k, w_v):
    scores = torch.einsum("btd,dk,bse,ek->bts", x, w_q, memory, w_k) / w_k.shape[1] ** 0.5
    weights = torch.where(real[:, None, :], scores, -torch.inf).softmax(dim=2)
    return torch.einsum("bts,bsd,dk->btk", weights, memory, w_v)


def cross_attend_to_the_real_words(x, memory, real, w_q, w_k, w_v):
    rows = []
    for tokens, source, keep in zip(x, memory, real, strict=True):
        words = source[keep]
        scores = (tokens @ w_q) @ (words @ w_k).T / w_q.shape[1] ** 0.5
        rows.append(scores.softmax(dim=1) @ (words @ w_v))
    return torch.stack(rows)


def cross_attend_by_powers(x, memory, real, w_q, w_k, w_v):
    scores = (x @ w_q) @ (memory @ w_k).mT / w_q.shape[1] ** 0.5
    powers = (scores - scores.amax(dim=2, keepdim=True)).exp() * real[:, None, :]
    return powers @ (memory @ w_v) / powers.sum(dim=2, keepdim=True)


def cross_attend_in_numpy(x, memory, real, w_q, w_k, w_v):
    x, memory, w_q, w_k, w_v = (part.numpy() for part in (x, memory, w_q, w_k, w_v))
    scores = (x @ w_q) @ (memory @ w_k).transpose(0, 2, 1) / np.sqrt(w_q.shape[1]).astype(x.dtype)
    scores = np.where(real.numpy()[:, None, :], scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return torch.from_numpy(powers / powers.sum(axis=-1, keepdims=True) @ (memory @ w_v))


def decoder_inputs_repaired(labels, bos_id):
    inputs = labels.clone()
    inputs[:, 1:] = labels[:, :-1]
    inputs[:, 0] = bos_id
    return inputs


def decoder_inputs_by_cat(labels, bos_id):
    start = torch.full((len(labels), 1), bos_id, dtype=labels.dtype)
    return torch.cat([start, labels[:, :-1]], dim=1)


def decoder_inputs_by_padding(labels, bos_id):
    return F.pad(labels, (1, 0), value=bos_id)[:, :-1]


def decoder_inputs_by_roll(labels, bos_id):
    inputs = labels.roll(1, dims=1)
    inputs[:, 0] = bos_id
    return inputs


def decoder_inputs_in_lists(labels, bos_id):
    return torch.tensor([[bos_id, *row[:-1]] for row in labels.tolist()])


def decoder_inputs_in_numpy(labels, bos_id):
    inputs = np.full(labels.shape, bos_id)
    inputs[:, 1:] = labels.numpy()[:, :-1]
    return torch.from_numpy(inputs)


def reach_by_products(masks):
    eye = torch.eye(masks.shape[-1])
    found = eye
    for mask in masks:
        found = torch.clamp(mask.float() + eye, max=1) @ found
    return found > 0


def reach_by_keeping_and_adding(masks):
    found = torch.eye(masks.shape[-1], dtype=torch.bool)
    for mask in masks:
        found = found | (mask.double() @ found.double() > 0)
    return found


def reach_by_powers_of_one_matrix(masks):
    eye = torch.eye(masks.shape[-1], dtype=torch.bool)
    steps = [(mask | eye).double() for mask in masks]
    return torch.linalg.multi_dot([*reversed(steps), eye.double()]) > 0


def reach_by_sets(masks):
    size = masks.shape[-1]
    known = [{i} for i in range(size)]
    for mask in masks:
        known = [
            known[i] | {k for j in range(size) if mask[i, j] for k in known[j]} for i in range(size)
        ]
    return torch.tensor([[j in known[i] for j in range(size)] for i in range(size)])


def reach_backwards(masks):
    size = masks.shape[-1]
    wanted = torch.eye(size, dtype=torch.bool)
    for mask in masks.flip(0):
        wanted = wanted | (wanted[:, :, None] & mask[None]).any(dim=1)
    return wanted


def reach_in_numpy(masks):
    found = np.eye(masks.shape[-1], dtype=int)
    for mask in masks.numpy():
        found = np.minimum(found + mask.astype(int) @ found, 1)
    return torch.from_numpy(found > 0)
