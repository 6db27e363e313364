"""The head splitter: one number's way through a head."""

import random
from collections.abc import Iterator

import torch
from controls import chosen, control, picked, saved_state, slid
from torch import Tensor

from transformer_lite.figures import HeadSplitter

FIGURE = HeadSplitter
HOME = "notebooks/09_multi_head.html"
KEYS = [
    ("D = heads × width", "ArrowUp"),
    ("Follow a number of/CAT", "ArrowRight"),
    ("feature", "ArrowLeft"),
    ("into the output of/SAT", "ArrowLeft"),
]
LABELS = ["Follow a number of/SAT", "into the output of/The"]
SLIDERS = ["feature"]
WORDS = ["The", "CAT", "SAT"]
EMBEDDINGS = [[1, 0, 1, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1, 1, 0], [1, 1, 1, 1, 0, 0, 1, 1]]


def make(**traits) -> HeadSplitter:
    return HeadSplitter(**({"tokens": WORDS, "embeddings": EMBEDDINGS} | traits))


def cases() -> Iterator[dict]:
    for count in (1, 3, 4):
        names = [f"t{i}" for i in range(count)]
        numbers = (2 * torch.randn(count, 8, dtype=torch.float64)).tolist()
        for d_model, num_heads in make().splits():
            for feature in (0, d_model // 2, d_model - 1):
                place = {"token": (feature + 1) % count, "query": feature % count}
                figure = HeadSplitter(
                    names,
                    numbers,
                    d_model=d_model,
                    num_heads=num_heads,
                    feature=feature,
                    **place,
                )
                yield {"state": figure.state(), "expected": figure.results()}


def expected(figure: HeadSplitter) -> dict[str, Tensor]:
    return figure.results()


def randomize(host, dice: random.Random) -> HeadSplitter:
    start = saved_state(host)
    words = start["tokens"]
    splits = HeadSplitter(**start).splits()
    d_model, num_heads = splits[chosen(host, "D = heads × width", len(splits), dice)]
    return HeadSplitter(
        words,
        start["embeddings"],
        d_model=d_model,
        num_heads=num_heads,
        token=picked(host, [f"Follow a number of/{word}" for word in words], dice),
        query=picked(host, [f"into the output of/{word}" for word in words], dice),
        feature=int(slid(host, "feature", list(range(d_model)), dice)),
    )


def make_unusual(host) -> None:
    control(host, "D = heads × width").select_option(index=0)
    control(host, "Follow a number of/SAT").check()
    control(host, "into the output of/The").check()
