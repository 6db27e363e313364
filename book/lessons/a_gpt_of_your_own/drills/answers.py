"""The right answers of the chapter's drills, computed by the package."""

from torch import Tensor, nn

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers import LowRank


def lora_merge(p: Problem) -> Tensor:
    linear = nn.Linear(2, 2, bias=False).double()
    linear.load_state_dict({"weight": doubles(p["W"])})
    layer = LowRank(linear, 1, p["alpha"])
    layer.load_state_dict(
        {"base.weight": doubles(p["W"]), "down": doubles([p["A"]]), "up": doubles(p["B"])[:, None]}
    )
    return layer.merge().weight.detach()
