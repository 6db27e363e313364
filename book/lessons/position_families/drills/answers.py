"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.layers.positions import ALiBi, ShawRelative, alibi_slopes, t5_buckets


def alibi_row(p: Problem) -> Tensor:
    slope = alibi_slopes(p["heads"])[p["head"] - 1]
    bias = ALiBi(p["heads"]).slopes[p["head"] - 1].reshape(()) * (doubles(p["keys"]) - p["query"])
    return torch.cat([slope.reshape(1).double(), bias.double()])


def shaw_score(p: Problem) -> Tensor:
    query, key = (doubles(p[name]).float()[None, None, None] for name in ("query", "key"))
    scheme = ShawRelative(d_head=4, max_distance=1)
    scheme.table.weight.data = doubles(p["vectors"]).float()
    position = scheme.bias(query, p["j"] + 1, start=p["i"])[0, 0, 0, p["j"]]
    content = (query @ key.mT)[0, 0, 0, 0]
    return torch.stack([content, 2 * position, content / 2 + position])


def t5_bucket(p: Problem) -> Tensor:
    distances = torch.tensor([p["near"], p["exact"] * 2 ** p["doublings"], p["far"]])
    return t5_buckets(-distances, 2 * p["exact"], 8 * p["exact"], bidirectional=False)
