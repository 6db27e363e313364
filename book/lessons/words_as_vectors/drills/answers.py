"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.before.word2vec import negative_sampling_loss

SKIP_GRAM = ("middle", "near", "drawn")


def skip_gram_update(p: Problem) -> Tensor:
    """Follow the gradient of the package's loss, for one pair and one negative sample."""
    middle, near, drawn = vectors = [doubles(p[name]).requires_grad_() for name in SKIP_GRAM]
    loss = negative_sampling_loss((near @ middle)[None], (drawn @ middle)[None, None])
    gradients = torch.autograd.grad(loss, vectors)
    steps = zip(vectors, gradients, strict=True)
    return torch.stack([(x - p["rate"] * gradient).detach() for x, gradient in steps])


def one_hot_distance(p: Problem) -> Tensor:
    table = doubles(p["table"])
    one_hot = torch.eye(len(table), dtype=torch.float64)[p["places"]]
    embedded = one_hot @ table  # a lookup is a product
    return torch.stack([torch.cdist(x[:1], x[1:])[0] for x in (one_hot, embedded)], dim=-1)
