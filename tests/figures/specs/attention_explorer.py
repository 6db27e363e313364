"""The attention explorer: three tokens, from the score to the output."""

import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, switched, typed
from torch import Tensor

from transformer_lite.figures import AttentionExplorer

FIGURE = AttentionExplorer
HOME = "notebooks/06_the_cat_sat.html"
KEYS = [
    ("The", "ArrowRight"),
    ("divide by √4", "Space"),
    ("look-ahead mask", "Space"),
    ("temperature", "ArrowRight"),
    ("Token 1, entry 1", "ArrowUp"),
    ("Token 2, entry 3", "5"),
    ("Name of token 2", "x"),
]
LABELS = ["CAT", "look-ahead mask"]
SLIDERS = ["temperature"]
SIZES = [(1, 1), (1, 4), (2, 3), (4, 4), (5, 2)]  # tokens and width
CAPTIONS = [
    "1 Scores: query · key",
    "2 Scaled",
    "3 Masked",
    "4 Weights: softmax of each row",
    "5 Output: weighted sum of values",
]


def make(**traits) -> AttentionExplorer:
    vectors = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]]
    return AttentionExplorer(**({"tokens": ["The", "CAT", "SAT"], "vectors": vectors} | traits))


def cases() -> Iterator[dict]:
    for index, (tokens, width) in enumerate(SIZES):
        for causal in (False, True):
            figure = AttentionExplorer(
                [f"t{i}" for i in range(tokens)],
                (3 * torch.randn(tokens, width, dtype=torch.float64)).tolist(),
                scaled=index % 2 == 0,
                temperature=0.1 + index,
                causal=causal,
            )
            yield {"state": figure.state(), "expected": figure.steps()._asdict()}


def expected(figure: AttentionExplorer) -> dict[str, Tensor]:
    return dict(zip(CAPTIONS, figure.steps(), strict=True))


def randomize(host, dice: random.Random) -> AttentionExplorer:
    start = saved_state(host)
    width = len(start["vectors"][0])
    vectors = [
        typed(host, f"Token {i}, entry", width, dice, top=3)
        for i in range(1, len(start["vectors"]) + 1)
    ]
    temperature = round(dice.uniform(0.1, 5), 1)
    control(host, "temperature").fill(str(temperature))
    return AttentionExplorer(
        start["tokens"],
        vectors,
        selected=picked(host, start["tokens"], dice),
        scaled=switched(host, f"divide by √{width}", dice),
        causal=switched(host, "look-ahead mask", dice),
        temperature=temperature,
    )


def make_unusual(host) -> None:
    control(host, "look-ahead mask").check()
    control(host, "Token 1, entry 1").fill("no number")
