"""Right answers to the exercises of descendants by several routes."""

import torch
import torch.nn.functional as F


def count_decoder_in_lines(vocab_size, max_len, num_layers, d_model, d_ff):
    tokens = vocab_size * d_model
    positions = max_len * d_model
    attention = 4 * (d_model**2 + d_model)
    feed_forward = 2 * d_model * d_ff + d_ff + d_model
    layer = attention + feed_forward + 4 * d_model
    total = tokens + positions + num_layers * layer + 2 * d_model
    return {"tokens": tokens, "positions": positions, "layer": layer, "total": total}


def count_decoder_matrix_by_matrix(vocab_size, max_len, num_layers, d_model, d_ff):
    sizes = [(d_model, 3 * d_model), (d_model, d_model), (d_model, d_ff), (d_ff, d_model)]
    layer = sum(a * b + b for a, b in sizes) + 2 * (d_model + d_model)
    tables = {"tokens": vocab_size * d_model, "positions": max_len * d_model}
    everything = [*tables.values(), *[layer] * num_layers, d_model, d_model]
    return {**tables, "layer": layer, "total": sum(everything)}


def count_decoder_by_features(vocab_size, max_len, num_layers, d_model, d_ff):
    counts = {"tokens": 0, "positions": 0, "layer": d_ff, "total": 0}
    for _ in range(d_model):
        counts["tokens"] += vocab_size
        counts["positions"] += max_len
        counts["layer"] += 4 * (d_model + 1) + 2 * d_ff + 1 + 4
    counts["total"] = counts["tokens"] + counts["positions"] + 2 * d_model
    for _ in range(num_layers):
        counts["total"] += counts["layer"]
    return counts


def low_rank_repaired(weight, down, up, alpha):
    return weight + alpha / down.shape[0] * (up @ down)


def low_rank_term_by_term(weight, down, up, alpha):
    merged = weight.clone()
    rank = up.shape[1]
    for i in range(rank):
        merged = merged + alpha * torch.outer(up[:, i], down[i]) / rank
    return merged


def low_rank_as_one_product(weight, down, up, alpha):
    scaled = up * (alpha / down.shape[0])
    left = torch.cat([weight, scaled], dim=1)
    right = torch.cat([torch.eye(weight.shape[1], dtype=weight.dtype), down], dim=0)
    return left @ right


def group_heads_repaired(keys, num_heads):
    times = num_heads // keys.shape[1]
    return keys.repeat_interleave(times, dim=1)


def group_heads_by_index(keys, num_heads):
    group = torch.arange(num_heads) * keys.shape[1] // num_heads
    return keys[:, group]


def group_heads_by_one_hot(keys, num_heads):
    group = torch.arange(num_heads) // (num_heads // keys.shape[1])
    hot = F.one_hot(group, keys.shape[1]).to(keys.dtype)
    return torch.einsum("hg,bgtk->bhtk", hot, keys)


def tied_weights_repaired(model, weights):
    table, middle = weights["embedding.weight"], weights["middle.weight"]
    with torch.no_grad():
        model.embedding.weight.copy_(table)
        model.middle.weight.copy_(middle)
    return model.state_dict()


def tied_weights_tied_again(model, weights):
    table, middle = weights["embedding.weight"], weights["middle.weight"]
    model.embedding.weight = torch.nn.Parameter(table.clone())
    model.middle.weight = torch.nn.Parameter(middle.clone())
    model.output.weight = model.embedding.weight
    return model.state_dict()


def tied_weights_by_loading(model, weights):
    everything = {**weights, "output.weight": weights["embedding.weight"]}
    model.load_state_dict(everything)
    return model.state_dict()


def tied_weights_through_data(model, weights):
    model.embedding.weight.data = weights["embedding.weight"].clone()
    model.middle.weight.data.copy_(weights["middle.weight"])
    return model.state_dict()
