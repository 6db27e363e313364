"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers.norms import standardize


def z_scores(p: Problem) -> Tensor:
    x = doubles(p["x"])
    return torch.cat([x.mean()[None], x.std(correction=0)[None], standardize(x)])
