"""Right answers to the exercises of masks by several routes."""

import torch


def decoder_mask_repaired(token_ids, pad_id):
    real = token_ids != pad_id
    padding = real[None, :]
    look_ahead = torch.ones(len(token_ids), len(token_ids)).tril().bool()
    return padding & look_ahead


def decoder_mask_in_loops(token_ids, pad_id):
    size = len(token_ids)
    rows = [[j <= i and int(token_ids[j]) != pad_id for j in range(size)] for i in range(size)]
    return torch.tensor(rows)


def decoder_mask_without_the_future(token_ids, pad_id):
    future = torch.triu(torch.ones(len(token_ids), len(token_ids), dtype=torch.bool), diagonal=1)
    pads = (token_ids == pad_id).unsqueeze(0)
    return ~(future | pads)


def masked_weights_filled_twice(scores, mask):
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(dim=-1)
    return weights.masked_fill(~mask, 0)


def masked_weights_by_hand(scores, mask):
    low = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = torch.exp(low - low.amax(dim=-1, keepdim=True)) * mask
    total = powers.sum(dim=-1, keepdim=True)
    return powers / torch.where(total > 0, total, torch.ones_like(total))


def masked_weights_with_open_rows(scores, mask):
    alive = mask.any(dim=1, keepdim=True)
    weights = scores.masked_fill(~(mask | ~alive), -torch.inf).softmax(dim=1)
    return weights.masked_fill(~mask, 0.0)


def masked_weights_replacing_nan(scores, mask):
    return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).nan_to_num(0.0)


def batch_mask_in_one_line(token_ids, pad_id):
    length = token_ids.shape[1]
    return (token_ids != pad_id)[:, None, :] & torch.ones(length, length).tril().bool()


def batch_mask_in_loops(token_ids, pad_id):
    batch, length = token_ids.shape
    mask = torch.zeros(batch, length, length, dtype=torch.bool)
    for b in range(batch):
        for query in range(length):
            for key in range(query + 1):
                mask[b, query, key] = token_ids[b, key] != pad_id
    return mask


def batch_mask_without_the_future(token_ids, pad_id):
    batch, length = token_ids.shape
    hidden = (token_ids == pad_id)[:, None].expand(batch, length, length)
    return ~(hidden | torch.ones(length, length).triu(1).bool())
