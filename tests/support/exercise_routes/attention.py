"""Right answers to the exercises of attention by several routes."""

import math

import torch
import torch.nn.functional as F


def soft_lookup_by_hand(query, keys, values):
    scores = (keys * query).sum(dim=1)
    powers = torch.exp(scores - scores.max())
    return (powers[:, None] * values).sum(dim=0) / powers.sum()


def soft_lookup_in_loops(query, keys, values):
    scores = [sum(float(a) * float(b) for a, b in zip(query, key, strict=True)) for key in keys]
    powers = [math.exp(score - max(scores)) for score in scores]
    mixed = [
        sum(p * float(row[j]) for p, row in zip(powers, values, strict=True)) / sum(powers)
        for j in range(values.shape[1])
    ]
    return torch.tensor(mixed, dtype=values.dtype)


def soft_lookup_by_torch(query, keys, values):
    batch = query[None, None], keys[None], values[None]
    return F.scaled_dot_product_attention(*batch, scale=1.0)[0, 0]


def contextual_by_hand(x):
    scores = torch.einsum("btd,bsd->bts", x, x)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return torch.einsum("bts,bsd->btd", weights, x)


def contextual_by_torch(x):
    return F.scaled_dot_product_attention(x, x, x, scale=1.0)


def contextual_word_by_word(x):
    batch, length, width = x.shape
    rows = []
    for b in range(batch):
        for t in range(length):
            weights = torch.softmax(x[b] @ x[b, t], dim=0)
            rows.append((weights[:, None] * x[b]).sum(dim=0))
    return torch.stack(rows).view(batch, length, width)


def attend_in_three_lines(x, w_query, w_key, w_value):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.mT
    return scores.softmax(dim=-1) @ value


def attend_turned_back(x, w_query, w_key, w_value):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = key @ query.T
    return scores.T.softmax(dim=1) @ value


def attend_by_hand(x, w_query, w_key, w_value):
    scores = torch.einsum("td,dk,sk->ts", x, w_query, x @ w_key)
    powers = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return powers @ (x @ w_value) / powers.sum(dim=1, keepdim=True)
