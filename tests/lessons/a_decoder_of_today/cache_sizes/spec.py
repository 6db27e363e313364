"""The cache sizes: length, number of texts, and the model that is taken apart."""

import random
from collections.abc import Iterator

from controls import control, slid, unfold

from lessons.a_decoder_of_today.cache_sizes.cache_sizes import MODELS, SHARED
from lessons.a_decoder_of_today.cache_sizes.cache_sizes import WRITERS as WRITERS
from lessons.kit.figures.registry import CacheSizes

FIGURE = CacheSizes
HOME = "notebooks/29_a_decoder_of_today.html"
KEYS = [("tokens", "ArrowRight"), ("texts at once", "ArrowRight"), ("model", "ArrowDown")]
LABELS: list[str] = []
SLIDERS = ["tokens", "texts at once"]
UNSEEN = ("curve",)
REFUSED = [
    ({"tokens": 1000}, r"tokens must be one of \[256, .* got 1000"),
    ({"texts": 3}, r"texts must be one of \[1, 2, .* got 3"),
    ({"model": "GPT-2"}, r"model must be one of \['Llama 7B', .* got 'GPT-2'"),
    ({"tokens": 512.5}, "tokens.* not the float 512.5"),
]

make = CacheSizes


def cases() -> Iterator[CacheSizes]:
    sizes = (
        {},
        {"tokens": 256, "model": "Gemma 3 27B"},
        {"tokens": 1024, "texts": 8, "model": "Gemma 3 27B"},
        {"tokens": 131072, "model": "DeepSeek-V3"},
        {"tokens": 1048576, "texts": 64, "model": "Qwen3-Next 80B"},
    )
    for traits in sizes:
        yield make(**traits)


def randomize(host, dice: random.Random) -> dict:
    def size(label: str, sizes: list[int]) -> int:
        return sizes[int(slid(host, label, list(range(len(sizes))), dice))]

    name = dice.choice([*MODELS])
    control(host, "model").select_option(name)
    return {
        "tokens": size("tokens", SHARED["tokens"]),
        "texts": size("texts at once", SHARED["texts"]),
        "model": name,
    }


def make_unusual(host) -> None:
    control(host, "tokens").fill("12")
    control(host, "texts at once").fill("6")
    control(host, "model").select_option("Qwen3-Next 80B")
    unfold(host)
