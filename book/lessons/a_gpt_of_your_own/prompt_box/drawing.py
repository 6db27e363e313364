"""What the GPT of the book goes on with, computed by the package as the page computes it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from lessons.kit import draws
from lessons.kit.figures import shared
from lessons.trained.book_gpt import precise_book_gpt
from transformer_lite.decoding import keep_top_k

SHARED = shared("prompt_box")


class Setting(NamedTuple):
    """What the written words depend on, as the figure's traits name it."""

    text: str
    temperature: float = 1.0
    top_k: int = 0
    seed: int = 0
    written: int = 0


class Drawn(NamedTuple):
    """A prompt and what was drawn after it.

    Attributes:
        pieces: the words of the prompt that are read.
        unknown: for each of them, whether the model does not know it.
        words: what was written.
        written: for each word of it, its probability of all words and as it was drawn.
        best: the likeliest next words.
        next: the same two probabilities of each.
    """

    pieces: list[str]
    unknown: list[bool]
    words: list[str]
    written: Tensor
    best: list[str]
    next: Tensor


def next_probabilities(ids: list[int], setting: Setting) -> Tensor:
    """Return the probability of every token, of all words and as drawn from, shape (V, 2)."""
    logits = precise_book_gpt().logits(ids)
    hot = logits / setting.temperature
    kept = keep_top_k(hot, setting.top_k) if setting.top_k else hot
    return torch.stack([logits.softmax(dim=-1), kept.softmax(dim=-1)], dim=-1)


@lru_cache(maxsize=64)
def draw(setting: Setting) -> Drawn:
    """Draw words after a prompt, one chance a word; the chances are those of mulberry32."""
    tokenizer = precise_book_gpt().tokenizer
    pieces = tokenizer.pieces(setting.text)[-SHARED["words"] :]
    prompt = tokenizer.encode(setting.text)[-SHARED["words"] :]
    ids = [tokenizer.bos_id, *prompt]
    numbers = []
    for chance in draws.uniform_floats(setting.seed, setting.written):
        both = next_probabilities(ids, setting)
        drawn = draws.draw_index(both[:, 1], chance)
        numbers.append(both[drawn])
        ids.append(drawn)
    after = next_probabilities(ids, setting)
    order = after[:, 0].argsort(descending=True, stable=True)[: SHARED["rows"]]
    return Drawn(
        pieces,
        [i == tokenizer.unk_id for i in prompt],
        [tokenizer.tokens[i] for i in ids[len(prompt) + 1 :]],
        torch.stack(numbers) if numbers else torch.empty(0, 2, dtype=torch.double),
        [tokenizer.tokens[i] for i in order.tolist()],
        after[order],
    )
