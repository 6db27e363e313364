"""Right answers to the exercises of encoder by several routes."""

import numpy as np
import torch
import torch.nn.functional as F


def attend_in_batch_repaired(x, real):
    scores = x @ x.mT / x.shape[-1] ** 0.5
    mask = real[:, None, :].expand_as(scores)
    weights = scores.masked_fill(~mask, -1e9).softmax(dim=-1)
    return weights @ x


def attend_in_batch_fused(x, real):
    return F.scaled_dot_product_attention(x, x, x, attn_mask=real.unsqueeze(1))


def attend_in_batch_by_where(x, real):
    scores = torch.einsum("bqd,bkd->bqk", x, x) / x.shape[2] ** 0.5
    kept = torch.where(real.unsqueeze(-2), scores, float("-inf"))
    return torch.einsum("bqk,bkd->bqd", torch.softmax(kept, dim=2), x)


def attend_in_batch_query_by_query(x, real):
    out = torch.empty_like(x)
    for b in range(x.shape[0]):
        words = x[b, real[b]]
        for t in range(x.shape[1]):
            scores = words @ x[b, t] / x.shape[2] ** 0.5
            out[b, t] = torch.softmax(scores, dim=0) @ words
    return out


def attend_in_batch_by_exponentials(x, real):
    scores = x @ x.transpose(1, 2) * x.shape[2] ** -0.5
    kept = scores.masked_fill(~real[:, None, :], -torch.inf)
    powers = (kept - kept.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True) @ x


def attend_in_batch_in_numpy(x, real):
    tokens, kept = x.numpy(), real.numpy()
    scores = np.einsum("bqd,bkd->bqk", tokens, tokens) / np.sqrt(tokens.shape[-1])
    scores = np.where(kept[:, None, :], scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return torch.from_numpy(np.matmul(weights, tokens).astype(tokens.dtype))


def count_encoder_in_lines(num_layers, d_model, d_ff):
    attention = 4 * (d_model**2 + d_model)
    feed_forward = 2 * d_model * d_ff + d_ff + d_model
    norms = 4 * d_model
    encoder = num_layers * (attention + feed_forward + norms)
    return {
        "attention": attention,
        "feed_forward": feed_forward,
        "norms": norms,
        "encoder": encoder,
    }


def count_encoder_matrix_by_matrix(num_layers, d_model, d_ff):
    def linear(a, b):
        return a * b + b

    one = {
        "attention": sum(linear(d_model, d_model) for _ in range(4)),
        "feed_forward": linear(d_model, d_ff) + linear(d_ff, d_model),
        "norms": 2 * (d_model + d_model),
    }
    one["encoder"] = num_layers * (one["attention"] + one["feed_forward"] + one["norms"])
    return one


def count_encoder_on_tensors(num_layers, d_model, d_ff):
    square = torch.zeros(d_model + 1, d_model).numel()
    up, down = torch.zeros(d_model + 1, d_ff).numel(), torch.zeros(d_ff + 1, d_model).numel()
    parts = (4 * square, up + down, 4 * torch.zeros(d_model).numel())
    names = ("attention", "feed_forward", "norms", "encoder")
    return dict(zip(names, [*parts, num_layers * sum(parts)], strict=True))


def count_encoder_on_torchs_layer(num_layers, d_model, d_ff):
    layer = torch.nn.TransformerEncoderLayer(d_model, 1, d_ff, device="meta")
    sizes = {name: weight.numel() for name, weight in layer.named_parameters()}

    def total(start):
        return sum(size for name, size in sizes.items() if name.startswith(start))

    return {
        "attention": total("self_attn"),
        "feed_forward": total("linear"),
        "norms": total("norm"),
        "encoder": num_layers * sum(sizes.values()),
    }


def count_encoder_by_features(num_layers, d_model, d_ff):
    """Count what each feature of each layer owns."""
    counts = {"attention": 0, "feed_forward": 0, "norms": 0, "encoder": 0}
    for _ in range(d_model):
        counts["attention"] += 4 * d_model + 4
        counts["feed_forward"] += 2 * d_ff + 1
        counts["norms"] += 4
    counts["feed_forward"] += d_ff
    counts["encoder"] = num_layers * sum(counts.values())
    return counts


def similarity_in_a_table(x, real):
    unit = x / x.norm(dim=-1, keepdim=True)
    other = ~torch.eye(x.shape[1], dtype=torch.bool)
    pairs = real[:, :, None] & real[:, None, :] & other
    return (unit @ unit.mT * pairs).sum(dim=(1, 2)) / pairs.sum(dim=(1, 2))


def similarity_pair_by_pair(x, real):
    means = []
    for words, kept in zip(x, real, strict=True):
        found = [t for t in range(len(kept)) if kept[t]]
        pairs = [(s, t) for s in found for t in found if s < t]
        cosines = [F.cosine_similarity(words[s], words[t], dim=0) for s, t in pairs]
        means.append(torch.stack(cosines).mean())
    return torch.stack(means)


def similarity_from_the_sum_of_units(x, real):
    unit = F.normalize(x, dim=2).masked_fill(~real[:, :, None], 0)
    n = real.sum(dim=1)
    return (unit.sum(dim=1).norm(dim=1) ** 2 - n) / (n * n - n)


def similarity_by_cosine_similarity(x, real):
    table = F.cosine_similarity(x[:, :, None], x[:, None], dim=-1)
    pairs = (real[:, :, None] & real[:, None]).to(x.dtype)
    pairs = pairs - torch.diag_embed(pairs.diagonal(dim1=1, dim2=2))
    return torch.einsum("bst,bst->b", table, pairs) / pairs.sum(dim=2).sum(dim=1)


def similarity_in_numpy(x, real):
    means = np.zeros(len(x), dtype=x.numpy().dtype)
    for i, (words, kept) in enumerate(zip(x.numpy(), real.numpy(), strict=True)):
        unit = words[kept] / np.linalg.norm(words[kept], axis=1, keepdims=True)
        table = unit @ unit.T
        means[i] = table[~np.eye(len(table), dtype=bool)].mean()
    return torch.from_numpy(means)
