"""What the exercises of the_cat_sat share."""

import math

import torch
from torch import Tensor

WORDS = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]], dtype=torch.float32)


def scaled(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.mT / math.sqrt(key.shape[-1])
