"""Right answers to the exercises of a GPT of your own by several routes."""

import math

import torch
import torch.nn.functional as F


def answer_loss_by_mask(logits, ids, starts, ends):
    places = torch.arange(ids.shape[1])
    inside = (places >= starts[:, None]) & (places < ends[:, None])
    logs = logits[:, :-1].log_softmax(dim=-1)
    losses = -logs.gather(-1, ids[:, 1:].unsqueeze(-1)).squeeze(-1)
    return losses[inside[:, 1:]].mean()


def answer_loss_token_by_token(logits, ids, starts, ends):
    total, count = 0.0, 0
    for row in range(len(ids)):
        for place in range(int(starts[row]), int(ends[row])):
            scores = logits[row, place - 1]
            total = total + torch.logsumexp(scores, dim=0) - scores[ids[row, place]]
            count += 1
    return total / count


def answer_loss_by_weights(logits, ids, starts, ends):
    labels = torch.roll(ids, -1, dims=1)
    places = torch.arange(1, ids.shape[1] + 1)
    weights = ((places >= starts[:, None]) & (places < ends[:, None])).to(logits.dtype)
    losses = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (losses * weights).sum() / weights.sum()


def dpo_loss_of_the_paper(chosen, rejected, ref_chosen, ref_rejected, beta):
    reward_chosen = beta * (chosen.sum(dim=1) - ref_chosen.sum(dim=1))
    reward_rejected = beta * (rejected.sum(dim=1) - ref_rejected.sum(dim=1))
    return -F.logsigmoid(reward_chosen - reward_rejected).mean()


def dpo_loss_against_the_reference(chosen, rejected, ref_chosen, ref_rejected, beta):
    gap = chosen.sum(-1) - rejected.sum(-1)
    reference_gap = ref_chosen.sum(-1) - ref_rejected.sum(-1)
    return F.binary_cross_entropy_with_logits(
        beta * (gap - reference_gap), torch.ones_like(gap), reduction="mean"
    )


def dpo_loss_pair_by_pair(chosen, rejected, ref_chosen, ref_rejected, beta):
    losses = []
    for c, r, rc, rr in zip(chosen, rejected, ref_chosen, ref_rejected, strict=True):
        x = beta * float(
            c.double().sum() - rc.double().sum() - r.double().sum() + rr.double().sum()
        )
        losses.append(max(-x, 0.0) + math.log1p(math.exp(-abs(x))))
    return torch.tensor(sum(losses) / len(losses), dtype=chosen.dtype)


def swap_change_repaired(weight, old, new):
    out = old["alpha"] / old["down"].shape[0] * old["up"] @ old["down"]
    into = new["alpha"] / new["down"].shape[0] * new["up"] @ new["down"]
    return weight - out + into


def swap_change_by_function(weight, old, new):
    def delta(down, up, alpha):
        return up @ down * (alpha / up.shape[1])

    return weight + (delta(**new) - delta(**old))


def swap_change_as_one_product(weight, old, new):
    left = torch.cat(
        [
            -old["up"] * (old["alpha"] / len(old["down"])),
            new["up"] * (new["alpha"] / len(new["down"])),
        ],
        dim=1,
    )
    return weight + left @ torch.cat([old["down"], new["down"]])
