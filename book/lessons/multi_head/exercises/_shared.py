"""What the exercises of multi_head share."""

import torch
from torch import Tensor

from transformer_lite.layers import multi_head as package

CODED = torch.tensor([[[10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]]]).float()


def viewed(x: Tensor, h: int) -> Tensor:
    return x.view(len(x), h, x.shape[1], -1)


def split(x: Tensor, num_heads: int) -> Tensor:
    return package.split_heads(x, num_heads)
