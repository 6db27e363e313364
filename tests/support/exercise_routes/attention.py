"""Right answers to the exercises of attention by several routes."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def soft_lookup_in_two_lines(query, keys, values):
    weights = torch.softmax(keys @ query, dim=0)
    return weights @ values


def soft_lookup_by_hand(query, keys, values):
    scores = (keys * query).sum(dim=1)
    powers = torch.exp(scores - scores.max())
    return (powers[:, None] * values).sum(dim=0) / powers.sum()


def soft_lookup_in_numpy(query, keys, values):
    scores = keys.numpy() @ query.numpy()
    powers = np.exp(scores - scores.max())
    return torch.from_numpy((powers / powers.sum()) @ values.numpy())


def soft_lookup_in_loops(query, keys, values):
    scores = [sum(float(a) * float(b) for a, b in zip(query, key, strict=True)) for key in keys]
    powers = [math.exp(score - max(scores)) for score in scores]
    mixed = [
        sum(p * float(row[j]) for p, row in zip(powers, values, strict=True)) / sum(powers)
        for j in range(values.shape[1])
    ]
    return torch.tensor(mixed, dtype=values.dtype)


def soft_lookup_in_place_of_its_own(query, keys, values):
    weights = keys @ query
    weights -= weights.max()
    weights.exp_()
    weights /= weights.sum()
    mixed = torch.zeros_like(values[0])
    for weight, value in zip(weights, values, strict=True):
        mixed += weight * value
    return mixed


def soft_lookup_by_torch(query, keys, values):
    batch = query[None, None], keys[None], values[None]
    return F.scaled_dot_product_attention(*batch, scale=1.0)[0, 0]


def contextual_in_two_lines(x):
    weights = (x @ x.transpose(-2, -1)).softmax(dim=-1)
    return weights @ x


def contextual_by_hand(x):
    scores = torch.einsum("btd,bsd->bts", x, x)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return torch.einsum("bts,bsd->btd", weights, x)


def contextual_in_numpy(x):
    tokens = x.numpy()
    scores = tokens @ tokens.transpose(0, 2, 1)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return torch.from_numpy(powers / powers.sum(axis=-1, keepdims=True) @ tokens)


def contextual_sentence_by_sentence(x):
    mixed = torch.empty_like(x)
    for i, sentence in enumerate(x):
        mixed[i] = F.softmax(sentence @ sentence.T, dim=1) @ sentence
    return mixed


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


def attend_in_numpy(x, w_query, w_key, w_value):
    x, w_query, w_key, w_value = (part.numpy() for part in (x, w_query, w_key, w_value))
    scores = (x @ w_query) @ (x @ w_key).T
    powers = np.exp(scores - scores.max(axis=1)[:, None])
    return torch.from_numpy(powers / powers.sum(axis=1)[:, None] @ x @ w_value)


def attend_by_linear(x, w_query, w_key, w_value):
    query, key, value = (F.linear(x, w.T) for w in (w_query, w_key, w_value))
    return F.scaled_dot_product_attention(query[None], key[None], value[None], scale=1.0)[0]
