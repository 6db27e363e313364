"""The family tree: a model, a type of numbers, a context and a number of texts."""

import random
from collections.abc import Iterator

from controls import control, picked, slid

from lessons.descendants.family_tree.family_tree import SHARED
from lessons.descendants.family_tree.family_tree import WRITERS as WRITERS
from lessons.descendants.family_tree.sizes import PARENTS
from lessons.kit.figures.registry import FamilyTree

FIGURE = FamilyTree
HOME = "notebooks/25_descendants.html"
KEYS = [
    ("Llama 3 8B", "ArrowDown"),
    ("context S", "ArrowRight"),
    ("texts at once", "ArrowRight"),
    ("Numbers as/bfloat16", "ArrowLeft"),
]
LABELS = ["Mixtral 8x7B", "BERT base", "float8"]
SLIDERS = ["context S", "texts at once"]
UNSEEN = ("summary",)  # for the tour
REFUSED = [
    ({"model": "GPT-5"}, "GPT-5"),
    ({"dtype": "int8"}, "int8"),
    ({"context": 4000}, r"context must be one of \[128, 256, .* got 4000"),
    ({"context": 4096.5}, "context.* not the float 4096.5"),
    ({"models": []}, "models must stay what the package counts, got 0 others"),
    ({"texts": 0}, r"texts must be one of \[1, 2, .* got 0"),
]


make = FamilyTree


def cases() -> Iterator[dict]:
    dice = random.Random(25)
    for model in PARENTS:
        for dtype in SHARED["dtypes"]:
            context, texts = dice.choice(SHARED["contexts"]), dice.choice(SHARED["texts"])
            figure = make(model=model, dtype=dtype, context=context, texts=texts)
            yield {
                "state": figure.state(),
                "expected": figure.results(),
                "family": figure.family(),
            }


def randomize(host, dice: random.Random) -> dict:
    def step(label: str, values: list[int]) -> int:
        return values[int(slid(host, label, [*range(len(values))], dice))]

    model, dtypes = dice.choice([*PARENTS]), [*SHARED["dtypes"]]
    host.get_by_label(model, exact=True).check()  # ViT-B/16 is not a label 16 of a group ViT-B
    return {
        "model": model,
        "dtype": dtypes[picked(host, dtypes, dice)],
        "context": step("context S", SHARED["contexts"]),
        "texts": step("texts at once", SHARED["texts"]),
    }


def make_unusual(host) -> None:
    control(host, "T5 small").check()
    control(host, "float32").check()
    control(host, "context S").fill("10")
    control(host, "texts at once").fill("6")
