"""Right answers to the exercises of encoder by several routes."""

import torch
import torch.nn.functional as F


def attend_in_batch_repaired(x, real):
    scores = x @ x.mT / x.shape[-1] ** 0.5
    mask = real[:, None, :].expand_as(scores)
    weights = scores.masked_fill(~mask, -1e9).softmax(dim=-1)
    return weights @ x


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
