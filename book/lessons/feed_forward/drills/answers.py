"""The right answers of the chapter's drills, computed by the package."""

from torch import Tensor, nn

from lessons.kit.drills.answers import Problem, doubles


def relu_layer(p: Problem) -> Tensor:
    x, weights, bias = (doubles(p[name]) for name in ("x", "weights", "bias"))
    return nn.functional.linear(x, weights, bias).relu()
