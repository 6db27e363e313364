"""The mask lab: pads, masks, and what softmax makes of every row."""

import math
import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, switched, unfold

from lessons.kit.figures.registry import MaskLab
from lessons.kit.figures.units import number

FIGURE = MaskLab
HOME = "notebooks/08_masks.html"
KEYS = [
    ("Pads/1", "Space"),
    ("apply the look-ahead mask", "Space"),
    ("as keys (key-broadcast)", "ArrowRight"),
    ("apply the padding mask", "Space"),
    ("Follow row/1", "ArrowDown"),
]
LABELS = ["Pads/2", "apply the look-ahead mask"]
SLIDERS = []
SIZES = [(1, 1), (1, 4), (2, 3), (4, 4), (5, 2)]  # tokens and width
EMBEDDINGS = [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2], [0, 0, 0, 0]]
WORDS = ["the", "cat", "sat"]
REFUSED = [
    ({"token_ids": [1, 2]}, "token_ids and embeddings must be equally many, got 2 and 4"),
    ({"token_ids": [], "embeddings": []}, r"one length of at least 1, got \[\]"),
    ({"token_ids": [1, 2, 3, 0.5]}, "not the float 0.5"),
    ({"token_ids": [1, 2, 3, 2**60]}, f"token_ids must be at most .* got {2**60}"),
    ({"pad_id": 2**60}, f"pad_id must be at most .* got {2**60}"),
    ({"pad_id": -1}, "pad_id must be at least 0, got -1"),
    ({"embeddings": [[1], [2], [3, 4], [5]]}, r"of at least 1, got \[1, 2\]"),
    ({"embeddings": [[1], [2], [3], [math.nan]]}, "between -1000 and 1000, got nan"),
    ({"embeddings": [[1], [2], [3], [-1001]]}, "between -1000 and 1000, got -1001"),
    ({"selected": 4}, "selected must satisfy 0 <= selected < 4, got 4"),
    ({"selected": -1}, "selected must satisfy 0 <= selected < 4, got -1"),
]
LOST = (
    {"selected": 2},
    {"token_ids": [1], "embeddings": [[1.0, 2.0]]},
    "selected must satisfy 0 <= selected < 1, got 2",
)


def make(**traits) -> MaskLab:
    first = {"token_ids": [1, 2, 3, 0], "words": WORDS, "embeddings": EMBEDDINGS}
    return MaskLab(**(first | traits))


def short(x: float) -> str:
    return number(x, digits=3)


WRITERS = dict.fromkeys(("plain", "lowered", "weights"), short)


def cases() -> Iterator[MaskLab]:
    for tokens, width in SIZES:
        for case in range(8):
            yield MaskLab(
                torch.randint(0, 3, (tokens,)).tolist(),
                (5 * torch.randn(tokens, width, dtype=torch.float64)).tolist(),
                padding=bool(case & 1),
                outer=bool(case & 2),
                causal=bool(case & 4),
            )
    yield MaskLab([9, 4, 9, 2, 9], torch.eye(5).tolist(), pad_id=9, outer=True)


def randomize(host, dice: random.Random) -> dict:
    start = saved_state(host)
    ids, pad = start["token_ids"], start["pad_id"]
    real = [token if token != pad else max(ids) + 1 for token in ids]
    pads = [switched(host, f"Pads/{i}", dice) for i in range(1, len(ids) + 1)]
    control(host, "apply the padding mask").check()
    rules = ["as keys (key-broadcast)", "as keys and queries (outer product)"]
    return {
        "token_ids": [pad if is_pad else token for is_pad, token in zip(pads, real, strict=True)],
        "outer": bool(picked(host, rules, dice)),
        "causal": switched(host, "apply the look-ahead mask", dice),
        "padding": switched(host, "apply the padding mask", dice),
    }


def make_unusual(host) -> None:
    control(host, "as keys and queries (outer product)").check()
    control(host, "Pads/1").check()
    unfold(host)
