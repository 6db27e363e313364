"""Right answers to the exercises of descendants by several routes."""

import torch
import torch.nn.functional as F


def route_by_scattering(scores, num_chosen):
    best, at = scores.topk(num_chosen, dim=-1)
    gates = torch.zeros_like(scores).scatter(-1, at, best.softmax(dim=-1))
    counts = torch.bincount(at.flatten(), minlength=scores.shape[1])
    return gates, counts / at.numel()


def route_by_hiding(scores, num_chosen):
    rank = scores.argsort(dim=1, descending=True).argsort(dim=1)
    chosen = rank < num_chosen
    gates = scores.masked_fill(~chosen, float("-inf")).softmax(dim=1)
    return gates, chosen.sum(dim=0) / chosen.sum()


def route_token_by_token(scores, num_chosen):
    tokens, experts = scores.shape
    gates, share = torch.zeros_like(scores), torch.zeros(experts, dtype=scores.dtype)
    for t in range(tokens):
        order = sorted(range(experts), key=lambda e: -scores[t, e].item())[:num_chosen]
        gates[t, order] = torch.softmax(scores[t, order], dim=0)
        for e in order:
            share[e] += 1 / (tokens * num_chosen)
    return gates, share


def window_mask_by_places(size, window, start):
    back = torch.arange(start, start + size)[:, None] - torch.arange(start + size)
    return (back >= 0) & (back < window)


def window_mask_by_bands(size, window, start):
    everything = torch.ones(size, start + size, dtype=torch.bool)
    return everything.tril(start) & everything.triu(start - window + 1)


def window_mask_in_loops(size, window, start):
    rows = []
    for i in range(size):
        place = start + i
        rows.append([place - window < j <= place for j in range(start + size)])
    return torch.tensor(rows)


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
