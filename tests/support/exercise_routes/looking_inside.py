"""Right answers to the exercises of looking inside by several routes."""

import numpy as np
import torch
import torch.nn.functional as F


def mean_pool_repaired(hidden, keep):
    kept = keep[..., None]
    return (hidden * kept).sum(dim=1) / kept.sum(dim=1)


def mean_pool_by_filling(hidden, keep):
    words = hidden.masked_fill(~keep.unsqueeze(-1), 0)
    return words.sum(dim=1) / keep.sum(dim=1, keepdim=True)


def mean_pool_by_nan(hidden, keep):
    words = torch.where(keep[:, :, None], hidden, float("nan"))
    return torch.nanmean(words, dim=1)


def mean_pool_by_products(hidden, keep):
    weights = keep.to(hidden.dtype) / keep.sum(dim=1)[:, None]
    return (weights[:, None, :] @ hidden).squeeze(1)


def mean_pool_in_loops(hidden, keep):
    means = []
    for vectors, kept in zip(hidden, keep, strict=True):
        found = [vector for vector, real in zip(vectors, kept, strict=True) if real]
        means.append(sum(found) / len(found))
    return torch.stack(means)


def mean_pool_by_index_add(hidden, keep):
    rows, places = keep.nonzero(as_tuple=True)
    sums = torch.zeros(hidden.shape[0], hidden.shape[2], dtype=hidden.dtype)
    sums = sums.index_add(0, rows, hidden[rows, places])
    return sums / torch.bincount(rows)[:, None]


def mean_pool_in_numpy(hidden, keep):
    means = [x[kept].mean(axis=0) for x, kept in zip(hidden.numpy(), keep.numpy(), strict=True)]
    return torch.from_numpy(np.stack(means))


def silence_head_by_zeros(scores, values, w_o, head):
    heads = scores.softmax(dim=-1) @ values
    heads[:, head] = 0
    return heads.transpose(1, 2).flatten(2) @ w_o


def silence_head_by_silent_values(scores, values, w_o, head):
    silent = values.clone()
    silent[:, head] = 0
    heads = torch.softmax(scores, dim=3) @ silent
    return torch.cat(list(heads.unbind(dim=1)), dim=-1) @ w_o


def silence_head_by_its_rows(scores, values, w_o, head):
    width = values.shape[-1]
    rows = w_o.clone()
    rows[head * width : (head + 1) * width] = 0
    return (scores.softmax(dim=-1) @ values).permute(0, 2, 1, 3).flatten(2) @ rows


def silence_head_head_by_head(scores, values, w_o, head):
    out = torch.zeros(len(scores), scores.shape[2], w_o.shape[1], dtype=w_o.dtype)
    for i, block in enumerate(w_o.chunk(scores.shape[1])):
        if i != head:
            out = out + scores[:, i].softmax(dim=-1) @ values[:, i] @ block
    return out


def silence_head_by_subtracting(scores, values, w_o, head):
    heads = scores.softmax(dim=3).matmul(values)
    joined = heads.transpose(1, 2).flatten(2)
    width = values.shape[3]
    own = heads[:, head] @ w_o[head * width : (head + 1) * width]
    return joined @ w_o - own


def silence_head_by_einsum(scores, values, w_o, head):
    weights = scores.softmax(dim=-1)
    speaks = torch.ones(scores.shape[1], dtype=w_o.dtype)
    speaks[head] = 0
    blocks = w_o.unflatten(0, (scores.shape[1], values.shape[3]))
    return torch.einsum("bhts,bhsk,hkd,h->btd", weights, values, blocks, speaks)


def silence_head_in_numpy(scores, values, w_o, head):
    powers = np.exp(scores.numpy() - scores.numpy().max(axis=-1, keepdims=True))
    heads = powers / powers.sum(axis=-1, keepdims=True) @ values.numpy()
    heads[:, head] = 0
    b, h, t, k = heads.shape
    joined = heads.transpose(0, 2, 1, 3).reshape(b, t, h * k)
    return torch.from_numpy(joined @ w_o.numpy())


def segments_repaired(ids, segment_ids, words, places, rows, weight, bias):
    x = words[ids] + places[: ids.shape[1]] + rows[segment_ids]
    norm = torch.nn.functional.layer_norm
    return norm(x, x.shape[-1:], weight, bias, eps=1e-12)


def segments_by_embedding(ids, segment_ids, words, places, rows, weight, bias):
    order = torch.arange(ids.shape[1])
    x = F.embedding(ids, words) + F.embedding(order, places) + F.embedding(segment_ids, rows)
    mean, variance = x.mean(dim=-1, keepdim=True), x.var(dim=-1, correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-12) * weight + bias


def segments_by_the_way_from_a_to_b(ids, segment_ids, words, places, rows, weight, bias):
    x = words[ids] + places[: ids.shape[1]] + rows[0]
    x = x + segment_ids[..., None] * (rows[1] - rows[0])
    return F.layer_norm(x, weight.shape, weight, bias, 1e-12)


def segments_by_one_hot(ids, segment_ids, words, places, rows, weight, bias):
    hot = F.one_hot(ids, len(words)).to(words.dtype)
    kind = F.one_hot(segment_ids, 2).to(words.dtype)
    x = hot @ words + places[None, : ids.shape[1]] + kind @ rows
    return F.layer_norm(x, (words.shape[1],), weight, bias, 1e-12)


def segments_in_numpy(ids, segment_ids, words, places, rows, weight, bias):
    x = words.numpy()[ids.numpy()] + places.numpy()[: ids.shape[1]]
    x = x + rows.numpy()[segment_ids.numpy()]
    gap = x - x.mean(axis=-1, keepdims=True)
    root = np.sqrt((gap**2).mean(axis=-1, keepdims=True) + 1e-12)
    return torch.from_numpy(gap / root * weight.numpy() + bias.numpy())


def same_word_in_a_table(x, same):
    unit = x / x.norm(dim=1, keepdim=True)
    table = unit @ unit.T
    within = same[:, None] & same
    apart = ~torch.eye(len(x), dtype=torch.bool)
    return table[within & apart].mean() - table[~within & apart].mean()


def same_word_in_loops(x, same):
    own, other = [], []
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            pairs = own if same[i] and same[j] else other
            pairs.append(F.cosine_similarity(x[i], x[j], dim=0))
    return sum(own) / len(own) - sum(other) / len(other)


def same_word_from_the_triangle(x, same):
    rows, columns = torch.triu_indices(len(x), len(x), offset=1)
    cosines = F.cosine_similarity(x[rows], x[columns], dim=-1)
    within = same[rows] & same[columns]
    return cosines[within].mean() - cosines[~within].mean()


def same_word_from_sums(x, same):
    unit = F.normalize(x, dim=-1)
    n, m = len(x), same.sum()
    own = unit[same].sum(dim=0).square().sum() - m
    total = unit.sum(dim=0).square().sum() - n
    return own / (m**2 - m) - (total - own) / (n**2 - n - m**2 + m)


def same_word_by_weights(x, same):
    table = F.cosine_similarity(x[:, None], x[None], dim=-1)
    kinds = same.to(x.dtype)
    within = kinds.outer(kinds).fill_diagonal_(0)
    other = (1 - kinds.outer(kinds)).fill_diagonal_(0)
    return (table * within).sum() / within.sum() - (table * other).sum() / other.sum()


def same_word_in_numpy(x, same):
    unit = x.numpy() / np.linalg.norm(x.numpy(), axis=1, keepdims=True)
    table, own = unit @ unit.T, same.numpy()
    within = np.outer(own, own)
    apart = ~np.eye(len(unit), dtype=bool)
    gap = table[within & apart].mean() - table[~within & apart].mean()
    return torch.tensor(gap, dtype=x.dtype)
