"""Two recurrent translators, one with z* alone and one with attention, on texts of growing length.

A text joins one to four noun phrases, such as "chat noir et pain vert", and its translation puts
each color before its noun. There are 48 phrases, so almost no text of three or four phrases is
seen twice. Both translators train on the same 4,000 texts of one to four phrases. "exact" is, for
texts of one, two, three and four phrases, the share of 100 that are translated word for word; no
text of three or four phrases among them occurs in training. "phrases" is, for texts of four, how
often the first, second, third and fourth phrase is right. "loss" is the mean training loss of the
last tenth of the steps. The encoder reads both ways, so z* has twice as many numbers as the width.
"""

from collections.abc import Callable
from functools import cache, partial

import torch
from torch import nn

from transformer_lite.models.recurrent import (
    AdditiveAttention,
    FixedContext,
    RecurrentTranslator,
    build_recurrent,
)
from transformer_lite.text import Batches, Pair, WordTokenizer
from transformer_lite.training import Trainer, exact_match, translate

GRID = {
    "seed": [0, 1, 2],
    "steps": [150, 600, 1800],
    "width": [8, 32],
    "look": ["z* alone", "attention"],
}
TOLERANCE = {"exact": 0.1, "phrases": 0.1, "loss": 0.1}
NOUNS = {
    "chat": "cat", "chien": "dog", "cheval": "horse", "livre": "book",
    "jardin": "garden", "bateau": "boat", "arbre": "tree", "pain": "bread",
}  # fmt: skip
COLORS = {
    "noir": "black", "blanc": "white", "rouge": "red", "vert": "green", "gris": "gray",
    "brun": "brown",
}  # fmt: skip
TEXTS, TESTS, MOST, PEAK, WARM_UP = 4000, 100, 4, 0.01, 20
LOOKS: dict[str, Callable[[int, int], nn.Module]] = {
    "z* alone": lambda h, m: FixedContext(h),
    "attention": lambda h, m: AdditiveAttention(h, m, h),
}


def phrases(count: int, draw: torch.Generator) -> Pair:
    """Draw a text of so many noun phrases, and its translation."""
    nouns, colors = list(NOUNS.items()), list(COLORS.items())
    ids = torch.randint(len(nouns) * len(colors), (count,), generator=draw).tolist()
    chosen = [(nouns[i // len(colors)], colors[i % len(colors)]) for i in ids]
    return Pair(
        " et ".join(f"{noun[0]} {color[0]}" for noun, color in chosen),
        " and ".join(f"{color[1]} {noun[1]}" for noun, color in chosen),
    )


@cache
def data() -> tuple[WordTokenizer, list[Pair], list[list[Pair]]]:
    """Return the tokenizer, the texts to learn from, and the texts to test with, by length."""
    draw = torch.Generator().manual_seed(0)
    train = [phrases(1 + i % MOST, draw) for i in range(TEXTS)]
    known = {pair.source for pair in train}
    tests: list[list[Pair]] = []
    for count in range(1, MOST + 1):
        drawn = [phrases(count, draw) for _ in range(2 * TESTS)]
        new = [pair for pair in drawn if count < 3 or pair.source not in known]
        tests.append(new[:TESTS])
    return WordTokenizer.train([text for pair in train for text in pair[:2]]), train, tests


def rate(step: int, steps: int) -> float:
    """Return the learning rate: up to the peak in 20 steps, then straight down to 0."""
    return PEAK * min(step / WARM_UP, 1 - step / (steps + 1))


def train_one(
    look: str, width: int = 32, steps: int = 150, seed: int = 0
) -> tuple[RecurrentTranslator, float]:
    """Train one translator, and return it with the mean loss of the last tenth of the steps."""
    tokenizer, train, _ = data()
    torch.manual_seed(seed)
    model = build_recurrent(len(tokenizer), width, width, LOOKS[look])
    batches = Batches(train, tokenizer, 512, seed)
    trainer = Trainer(model, batches, partial(rate, steps=steps), label_smoothing=0.0)
    losses = [step.loss for step in trainer.run(steps)][-(steps // 10) :]
    return model, sum(losses) / len(losses)


def point(seed: int, steps: int, width: int, look: str) -> dict[str, float | list[float]]:
    """Train one translator and let it translate texts of each length."""
    tokenizer, _, tests = data()
    model, loss = train_one(look, width, steps, seed)
    written = [translate(model, tokenizer, [pair.source for pair in pairs]) for pairs in tests]
    exact = [
        exact_match(said, [pair.target for pair in pairs])
        for said, pairs in zip(written, tests, strict=True)
    ]
    right = torch.zeros(MOST)
    for said, pair in zip(written[-1], tests[-1], strict=True):
        for place, phrase in enumerate(said.split(" and ")[:MOST]):
            right[place] += phrase == pair.target.split(" and ")[place]
    return {"loss": loss, "exact": exact, "phrases": (right / TESTS).tolist()}
