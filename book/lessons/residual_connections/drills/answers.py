"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import PostNorm, PreNorm
from transformer_lite.layers.norms import LayerNorm


def residual_and_norm(p: Problem) -> Tensor:
    x, norm = doubles(p["x"])[None, None], LayerNorm(4, eps=0.0).double()
    if p["update"]:
        update = doubles(p["update"])
        both = [x + update, PostNorm(norm)(x, lambda _: update.expand_as(x))]
    else:
        both = [norm(x), PreNorm(norm)(x, lambda tokens: p["factor"] * tokens)]
    return torch.cat(both)[:, 0].T.detach()
