"""The head splitter: one number's way through a head."""

import random
from collections.abc import Iterator

import torch
from controls import chosen, control, picked, saved_state, slid, unfold

from lessons.kit.figures.registry import HeadSplitter

FIGURE = HeadSplitter
HOME = "notebooks/09_multi_head.html"
KEYS = [
    ("D = heads × width", "ArrowUp"),
    ("Follow/CAT", "ArrowRight"),
    ("feature", "ArrowLeft"),
    ("into the output of/SAT", "ArrowLeft"),
]
LABELS = ["Follow/SAT", "into the output of/The"]
SLIDERS = ["feature"]
WORDS = ["The", "CAT", "SAT"]
EMBEDDINGS = [[1, 0, 1, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1, 1, 0], [1, 1, 1, 1, 0, 0, 1, 1]]
REFUSED = [
    ({"tokens": [], "embeddings": []}, "tokens must have 1 to 4 entries, got 0"),
    ({"tokens": list("abcde"), "embeddings": [[0] * 4] * 5}, "1 to 4 entries, got 5"),
    ({"tokens": ["a"]}, "equally many, got 1 and 3"),
    ({"embeddings": [[1, 2, 3]] * 3, "feature": 0}, r"at least 4, got \[3\]"),
    ({"embeddings": [[0] * 8, [0] * 8, [0] * 4]}, r"at least 4, got \[4, 8\]"),
    ({"embeddings": [[10.5] * 8] * 3}, "between -10 and 10, got 10.5"),
    ({"embeddings": [[float("nan")] * 8] * 3}, "between -10 and 10, got nan"),
    ({"num_heads": 3}, r"embeddings of width 8, got \(8, 3\)"),
    ({"d_model": 5, "num_heads": 1}, r"got \(5, 1\)"),
    ({"embeddings": [[0] * 4] * 3}, r"\[\(4, 2\)\] for embeddings of width 4, got \(8, 2\)"),
    ({"token": 3}, "token must satisfy 0 <= token < 3, got 3"),
    ({"query": -1}, "query must satisfy 0 <= query < 3, got -1"),
    ({"feature": 8}, "feature must satisfy 0 <= feature < 8, got 8"),
    ({"d_model": 4, "feature": 5}, "feature must satisfy 0 <= feature < 4, got 5"),
    ({"tokens": [1, "b", "c"]}, "not the int 1"),
]
LOST = (
    {"query": 2},
    {"tokens": ["a", "b"], "embeddings": [[1.0] * 8] * 2},
    "query must satisfy 0 <= query < 2, got 2",
)


def make(**traits) -> HeadSplitter:
    return HeadSplitter(**({"tokens": WORDS, "embeddings": EMBEDDINGS} | traits))


def cases() -> Iterator[HeadSplitter]:
    for count in (1, 3, 4):
        names = [f"t{i}" for i in range(count)]
        numbers = (2 * torch.randn(count, 8, dtype=torch.float64)).tolist()
        for d_model, num_heads in make().splits():
            for feature in (0, d_model // 2, d_model - 1):
                place = {"token": (feature + 1) % count, "query": feature % count}
                yield HeadSplitter(
                    names,
                    numbers,
                    d_model=d_model,
                    num_heads=num_heads,
                    feature=feature,
                    **place,
                )


first_view = unfold


def randomize(host, dice: random.Random) -> dict:
    start = saved_state(host)
    words = start["tokens"]
    splits = HeadSplitter(**start).splits()
    d_model, num_heads = splits[chosen(host, "D = heads × width", len(splits), dice)]
    return {
        "d_model": d_model,
        "num_heads": num_heads,
        "token": picked(host, [f"Follow/{word}" for word in words], dice),
        "query": picked(host, [f"into the output of/{word}" for word in words], dice),
        "feature": int(slid(host, "feature", list(range(d_model)), dice)),
    }


def make_unusual(host) -> None:
    control(host, "D = heads × width").select_option(index=0)
    control(host, "Follow/SAT").check()
    control(host, "into the output of/The").check()
