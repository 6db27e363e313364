"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import cross_entropy


def loss_and_gradient(p: Problem) -> Tensor:
    logits = doubles(p["logits"]).requires_grad_()
    loss = cross_entropy(logits, torch.tensor(p["target"]))
    (gradient,) = torch.autograd.grad(loss, logits)
    return torch.cat([loss.detach().reshape(1), gradient])


def mean_over_tokens(p: Problem) -> Tensor:
    """Use two words: the right one has the logit 0, the other the one that gives this loss."""
    losses = doubles(p["losses"])
    positions = torch.arange(losses.shape[1])
    labels = (positions < torch.tensor(p["lengths"])[:, None]).long()  # 0 is the pad
    logits = torch.stack([losses.expm1().log(), torch.zeros_like(losses)], dim=-1)
    mean = cross_entropy(logits, labels, pad_id=0)
    return torch.stack([labels.sum().double(), mean])
