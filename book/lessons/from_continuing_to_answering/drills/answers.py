"""The right answers of the chapter's drills, computed by the package."""

from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers.norms import standardize


def group_advantages(p: Problem) -> Tensor:
    return standardize(doubles(p["rewards"]))
