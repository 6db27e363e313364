"""The family tree: nine models from the same parts, what each changed, and what it costs."""

import html
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor
from traitlets import Dict, Enum, Int, List

from lessons.descendants.family_tree.sizes import PARENTS, SIZES, ancestors, parameters, stored
from lessons.kit.figures import LiveFigure, panels, picture_table, shared, text_table
from lessons.kit.figures.units import number, short
from transformer_lite.models.published import count_multiply_adds, count_parameters, memory

SHARED = shared("family_tree")
MODELS = [stored(name) for name in PARENTS]
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float8": torch.float8_e4m3fn}


def grouped(x: float) -> str:
    """Write a number to the unit, its thousands apart; one decimal where it is not whole.

    >>> grouped(124439808.0), grouped(31.02)
    ('124,439,808', '31')
    """
    whole, _, rest = number(x, 1).partition(".")
    return f"{int(whole):,}" + (f".{rest}" if rest else "")


#: How each table writes its numbers.
WRITERS: dict[str, Callable[[float], str]] = {
    "parameters": grouped,
    "work": partial(short, units=SHARED["units"]),
    "bytes": partial(short, units=SHARED["byte_units"]),
}


def _with_shares(counts: list[int]) -> Tensor:
    """Add the sum below the counts, and each one's share of it in percent next to it."""
    column = torch.tensor([*counts, sum(counts)], dtype=torch.float64)
    return torch.stack([column, 100 * column / column[-1]], dim=1)


class FamilyTree(LiveFigure):
    """Nine published models: the block of each, what is new in it, and its cost.

    Args:
        model: a name in `sizes.PARENTS`.
        dtype: the type of weights and cache: "float32", "bfloat16" or "float8".
        context: how many tokens a token looks at, a power of two from 128 to 131072. A learned
            table of positions ends it earlier, and a window cuts it.
        texts: how many texts are written at once, a power of two from 1 to 64.
        models: what the page is told of the nine; the package counts it, nobody sets it.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "family_tree"
    printed = ("model", "context")

    model = Enum(list(PARENTS), "Llama 3 8B").tag(sync=True, figure=True)
    dtype = Enum(list(SHARED["dtypes"]), "bfloat16").tag(sync=True, figure=True)
    context = Int(4096).tag(sync=True, figure=True, options=SHARED["contexts"])
    texts = Int(1).tag(sync=True, figure=True, options=SHARED["texts"])
    models = List(Dict(), default_value=MODELS).tag(sync=True, figure=True)

    @staticmethod
    def problems(*, models: list[dict[str, Any]], **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        if models != MODELS:
            yield f"models must stay what the package counts, got {len(models)} others"

    def keys_met(self) -> int:
        """Return how many keys a query meets, and a cache keeps, of a text of this length."""
        size = SIZES[self.model]
        return min(self.context, size.max_len or self.context, size.window or self.context)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, counted by the package.

        parameters (6, 2): weights part by part, then all, and their share in percent; work (6, 2):
        multiply–adds of one token, the same way; bytes (4, 1): weights, training with Adam, what a
        cache keeps of one token, and of all texts. summary (2,): billions of weights, and the
        bytes of the cache as a part of those of the weights.
        """
        size = SIZES[self.model]
        counts = parameters(self.model)
        bytes_of = memory(size, DTYPES[self.dtype])
        cached = bytes_of.cache_bytes_per_token
        weight_bytes = counts.total * DTYPES[self.dtype].itemsize
        each = bytes_of.training_bytes // count_parameters(size).total
        memories = [
            weight_bytes,
            each * counts.total,
            cached,
            cached * self.keys_met() * self.texts,
        ]
        return {
            "parameters": _with_shares([*counts]),
            "work": _with_shares([*count_multiply_adds(size, self.keys_met())]),
            "bytes": torch.tensor(memories, dtype=torch.float64)[:, None],
            "summary": torch.tensor(
                [counts.total / 1e9, memories[3] / weight_bytes], dtype=torch.float64
            ),
        }

    def family(self) -> list[list[str]]:
        """Return of each part its name, its kind, since which model, and its chapter."""
        return [
            [label, kind, SHARED["new"] if came == self.model else came, chapter]
            for label, kind, came, chapter in stored(self.model)["parts"].values()
        ]

    def picture(self) -> str:
        """Return the line of ancestors and all tables."""
        line = " → ".join(f"{name}, {SIZES[name].year}" for name in ancestors(self.model))
        words = {
            "keys": grouped(self.keys_met()),
            "dtype": self.dtype,
            "texts": "1 text" if self.texts == 1 else f"{self.texts} texts",
        }
        tables = [
            picture_table(
                SHARED["captions"][name],
                values,
                [row.format(**words) for row in SHARED[name]],
                [head.format(**words) for head in SHARED[f"{name}_heads"]],
                "tl-plain ft-bars",
                WRITERS[name],
            )
            for name, values in self.results().items()
            if name in WRITERS
        ]
        note = f'<p class="ft-note">{html.escape(stored(self.model)["note"])}</p>'
        parts = [part for part, *_ in self.family()]
        cells = [texts for _, *texts in self.family()]
        caption, heads = SHARED["captions"]["family"], SHARED["family_heads"]
        family = text_table(caption, parts, heads, cells, "ft-family")
        question = f"<p>{SHARED['question']}</p>"
        return f"{question}<p>{line}</p>{panels(family)}{panels(*tables, note)}"
