"""Right answers to the exercises of the_cat_sat by several routes."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def attend_in_two_lines(query, key, value):
    scores = query @ key.T / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value


def attend_with_a_float32_constant(query, key, value):
    scores = query @ key.T / torch.sqrt(torch.tensor(key.shape[1]))
    return scores.softmax(dim=1) @ value


def attend_by_hand(query, key, value):
    scores = (query / key.size(1) ** 0.5) @ key.transpose(0, 1)
    powers = (scores - scores.amax(dim=1, keepdim=True)).exp()
    return (powers @ value) / powers.sum(dim=1, keepdim=True)


def attend_in_numpy(query, key, value):
    scores = query.numpy() @ key.numpy().T / np.sqrt(key.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return torch.from_numpy((weights @ value.numpy()).astype(value.numpy().dtype))


def attend_by_torch(query, key, value):
    return F.scaled_dot_product_attention(query[None], key[None], value[None]).squeeze(0)


def attend_in_place_of_its_own(query, key, value):
    weights = query @ key.T
    weights /= math.sqrt(key.shape[1])
    weights -= weights.max(dim=1, keepdim=True).values
    weights.exp_()
    weights /= weights.sum(dim=1, keepdim=True)
    return weights @ value


def attend_without_gradients(query, key, value):
    with torch.no_grad():
        weights = F.softmax(torch.mm(query, key.T) * key.shape[-1] ** -0.5, dim=1)
        return weights.mm(value)


def weights_of_words_repaired(query, key):
    scores = query @ key.T / key.shape[-1] ** 0.5
    return scores.softmax(dim=-1)


def weights_of_words_turned(query, key):
    scores = key @ query.T / math.sqrt(key.shape[-1])
    return scores.softmax(dim=0).T


def weights_of_words_by_hand(query, key):
    scores = query @ key.T * key.shape[-1] ** -0.5
    powers = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return powers / powers.sum(dim=1, keepdim=True)


def weights_of_words_row_by_row(query, key):
    rows = [torch.softmax(key @ q / math.sqrt(q.numel()), dim=0) for q in query]
    return torch.stack(rows)


def weights_of_words_in_numpy(query, key):
    scores = query.numpy() @ key.numpy().T / math.sqrt(key.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return torch.from_numpy(powers / powers.sum(axis=1, keepdims=True))


def impossible_entries_in_one_line(values, output):
    return (output < values.amin(dim=0)) | (output > values.amax(dim=0))


def impossible_entries_between(values, output):
    low, high = values.min(dim=0).values, values.max(dim=0).values
    return ~((output >= low) & (output <= high))


def impossible_entries_by_counting(values, output):
    return (output < values).all(dim=0) | (output > values).all(dim=0)


def impossible_entries_in_numpy(values, output):
    values, output = values.numpy(), output.numpy()
    outside = (output < values.min(axis=0)) | (output > values.max(axis=0))
    return torch.from_numpy(np.asarray(outside))


def impossible_entries_column_by_column(values, output):
    columns = zip(values.T, output, strict=True)
    return torch.stack(
        [(entry < column.min()) | (entry > column.max()) for column, entry in columns]
    )


def impossible_entries_by_clamping(values, output):
    return output.clamp(values.amin(dim=0), values.amax(dim=0)) != output
