"""Right answers to the exercises of descendants by several routes."""

import numpy as np
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


def count_decoder_on_tensors_of_no_memory(vocab_size, max_len, num_layers, d_model, d_ff):
    number = torch.zeros(())
    square, bias = number.expand(4, d_model, d_model), number.expand(4, d_model)
    inner = number.expand(2, d_model + 1, d_ff).numel() - d_ff + d_model
    layer = square.numel() + bias.numel() + inner + number.expand(2, 2, d_model).numel()
    tokens, positions = (number.expand(rows, d_model) for rows in (vocab_size, max_len))
    counts = {"tokens": tokens.numel(), "positions": positions.numel()}
    return {
        **counts,
        "layer": layer,
        "total": sum(counts.values(), num_layers * layer + 2 * d_model),
    }


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


def count_decoder_from_shapes(vocab_size, max_len, num_layers, d_model, d_ff):
    d, m = d_model, d_ff
    shapes = [(d,), (d,), (3 * d, d), (3 * d,), (d, d), (d,)]
    shapes += [(d,), (d,), (m, d), (m,), (d, m), (d,)]
    layer = sum(int(np.prod(shape)) for shape in shapes)
    tokens, positions = (int(np.prod((rows, d))) for rows in (vocab_size, max_len))
    total = tokens + positions + layer * num_layers + 2 * d
    return {"tokens": tokens, "positions": positions, "layer": layer, "total": total}


def low_rank_repaired(weight, down, up, alpha):
    return weight + alpha / down.shape[0] * (up @ down)


def low_rank_by_addmm(weight, down, up, alpha):
    return torch.addmm(weight, up, down, alpha=alpha / len(down))


def low_rank_by_einsum(weight, down, up, alpha):
    change = torch.einsum("er,rd->ed", up, down)
    return weight.add(change * alpha / up.shape[1])


def low_rank_term_by_term(weight, down, up, alpha):
    merged = weight.clone()
    rank = up.shape[1]
    for i in range(rank):
        merged = merged + alpha * torch.outer(up[:, i], down[i]) / rank
    return merged


def low_rank_column_by_column(weight, down, up, alpha):
    eye = torch.eye(weight.shape[1], dtype=weight.dtype)
    outputs = [weight @ x + alpha / len(down) * (up @ (down @ x)) for x in eye]
    return torch.stack(outputs, dim=1)


def low_rank_as_one_product(weight, down, up, alpha):
    scaled = up * (alpha / down.shape[0])
    left = torch.cat([weight, scaled], dim=1)
    right = torch.cat([torch.eye(weight.shape[1], dtype=weight.dtype), down], dim=0)
    return left @ right


def low_rank_in_numpy(weight, down, up, alpha):
    change = np.matmul(up.numpy(), down.numpy()) * (alpha / len(down))
    return torch.from_numpy((weight.numpy() + change).astype(weight.numpy().dtype))


def group_heads_repaired(keys, num_heads):
    times = num_heads // keys.shape[1]
    return keys.repeat_interleave(times, dim=1)


def group_heads_by_index(keys, num_heads):
    group = torch.arange(num_heads) * keys.shape[1] // num_heads
    return keys[:, group]


def group_heads_by_expanding(keys, num_heads):
    times = num_heads // keys.shape[1]
    return keys.unsqueeze(2).expand(-1, -1, times, -1, -1).flatten(1, 2)


def group_heads_in_loops(keys, num_heads):
    size = num_heads // keys.shape[1]
    return torch.stack([keys[:, head // size] for head in range(num_heads)], dim=1)


def group_heads_by_repeating(keys, num_heads):
    times = num_heads // keys.shape[1]
    copies = keys[:, :, None].repeat(1, 1, times, 1, 1)
    return copies.reshape(keys.shape[0], num_heads, keys.shape[2], keys.shape[3])


def group_heads_by_one_hot(keys, num_heads):
    group = torch.arange(num_heads) // (num_heads // keys.shape[1])
    hot = F.one_hot(group, keys.shape[1]).to(keys.dtype)
    return torch.einsum("hg,bgtk->bhtk", hot, keys)


def group_heads_in_numpy(keys, num_heads):
    return torch.from_numpy(np.repeat(keys.numpy(), num_heads // keys.shape[1], axis=1))


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


def tied_weights_parameter_by_parameter(model, weights):
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])
    return model.state_dict()


def tied_weights_through_data(model, weights):
    model.embedding.weight.data = weights["embedding.weight"].clone()
    model.middle.weight.data.copy_(weights["middle.weight"])
    return model.state_dict()


def tied_weights_through_the_output(model, weights):
    for part, name in ((model.output, "embedding.weight"), (model.middle, "middle.weight")):
        part.weight.data[:] = weights[name]
    return model.state_dict()


def tied_weights_in_the_state(model, weights):
    state = model.state_dict()
    for name, value in weights.items():
        state[name].zero_().add_(value)
    return state
