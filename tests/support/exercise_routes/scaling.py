"""Right answers to the exercises of scaling by several routes."""

import math

import torch


def gap_for_as_a_ratio(share):
    return torch.log(share / (1 - share))


def gap_for_as_a_difference(share):
    return share.log() - torch.log1p(-share)


def gap_for_in_a_loop(share):
    return torch.tensor([math.log(s / (1 - s)) for s in share.tolist()], dtype=share.dtype)


def tempered_by_hand(scores, temperature):
    divided = scores / temperature
    powers = torch.exp(divided - divided.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(dim=-1, keepdim=True)


def tempered_less_its_own_maximum(scores, temperature):
    gaps = scores - scores.amax(dim=1, keepdim=True)
    powers = (gaps / temperature).exp()
    powers /= powers.sum(dim=1)[:, None]
    return powers


def tempered_by_logarithms(scores, temperature):
    return torch.log_softmax(scores / temperature, dim=1).exp()


def softmax_backward_in_one_line(weights, upstream):
    return weights * (upstream - (weights * upstream).sum(dim=-1, keepdim=True))


def softmax_backward_with_the_rest(weights, upstream):
    mean = (weights * upstream).sum(dim=-1, keepdim=True)
    return weights * (1 - weights) * upstream - weights * (mean - weights * upstream)


def softmax_backward_by_autograd(weights, upstream):
    with torch.enable_grad():
        scores = weights.detach().log().requires_grad_()
        return torch.autograd.grad(scores.softmax(dim=-1), scores, upstream)[0]


def attend_scaled_repaired(query, key, value):
    scale = key.shape[-1] ** -0.5
    scores = query @ key.mT * scale
    return scores.softmax(dim=-1) @ value


def attend_scaled_head_by_head(query, key, value):
    heads = []
    for q, k, v in zip(query, key, value, strict=True):
        heads.append(torch.softmax(q @ k.T / q.shape[1] ** 0.5, dim=1) @ v)
    return torch.stack(heads)


def attend_scaled_by_hand(query, key, value):
    scores = torch.einsum("htk,hsk->hts", query / key.shape[-1] ** 0.5, key)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return torch.bmm(powers / powers.sum(dim=-1, keepdim=True), value)
