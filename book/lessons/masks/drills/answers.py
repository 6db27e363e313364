"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem
from transformer_lite.layers import combine_masks, look_ahead_mask, padding_mask

PAD = "[pad]"


def batch_mask(p: Problem) -> Tensor:
    ids = torch.tensor([[int(word != PAD) for word in words] for words in p["sentences"]])
    ahead = look_ahead_mask(ids.shape[1])
    padding = padding_mask(ids).reshape(2, 1, -1)
    every = torch.ones_like(ahead)
    parts = {"padding": [every, padding], "look-ahead": [ahead], "both": [ahead, padding]}
    return combine_masks(*parts[p["kind"]]).expand(2, -1, -1)[:, p["query"]]
