"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.models.recurrent import AdditiveAttention, RecurrentCell, RecurrentLayer


def recurrence_by_hand(p: Problem) -> Tensor:
    cell = RecurrentCell(1, 1).double()
    weights = [[p["w"]]], [[p["u"]]], [p["b"]], [0.0]
    names = "weight_ih", "weight_hh", "bias_ih", "bias_hh"
    cell.load_state_dict(dict(zip(names, map(doubles, weights), strict=True)))
    return RecurrentLayer(cell)(doubles([p["x"]])[..., None]).outputs.detach()


def additive_attention_row(p: Problem) -> Tensor:
    """Put h into the annotation's first number, and the numbers for U h into the others."""
    attention = AdditiveAttention(2, 3, 2).double()
    pick = torch.cat([torch.zeros(2, 1), torch.eye(2)], dim=1)
    weights = torch.eye(2), pick, doubles([p["v"]])
    names = "query_proj.weight", "key_proj.weight", "energy.weight"
    attention.load_state_dict(dict(zip(names, weights, strict=True)))
    memory = torch.cat([doubles(p["notes"])[:, None], doubles(p["keys"])], dim=1)
    steps = attention.steps(doubles([p["state"]]), memory[None])
    return torch.cat([steps.energies[0], steps.weights[0], steps.context[0, :1]]).detach()
