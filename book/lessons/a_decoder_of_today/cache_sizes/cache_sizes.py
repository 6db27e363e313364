"""The cache sizes: how many bytes five models keep of texts, against the length of the texts."""

from functools import partial

import torch
from torch import Tensor
from traitlets import Int, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from lessons.kit.figures.units import number

SHARED = shared("cache_sizes")
MODELS = {model["name"]: model for model in SHARED["models"]}
WRITERS = {"sizes": partial(number, digits=2), "parts": partial(number, digits=2)}
BYTES_PER_KB, BYTES_PER_GB = 1e3, 1e9


class CacheSizes(LiveFigure):
    """Bytes of the KV cache, or of what replaces it, for five published models.

    Some layers of a model keep a few numbers of every token. Its other layers keep those of the
    last tokens alone, or one state whose size does not depend on the text. Weights are not counted,
    and neither are the last inputs that a state's short convolution keeps, which are few.

    Args:
        tokens: the length of each text, a power of two from 256 to 1048576.
        texts: how many texts are written at once, a power of two from 1 to 64.
        model: the name of the model whose cache is taken apart.

    Raises:
        TraitError: a value has the wrong type or is not one of these.
    """

    name = "cache_sizes"
    printed = ("tokens", "model")

    tokens = Int(8192).tag(sync=True, figure=True, options=SHARED["tokens"])
    texts = Int(1).tag(sync=True, figure=True, options=SHARED["texts"])
    model = Unicode("Llama 7B").tag(sync=True, figure=True, options=[*MODELS])

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, in float64.

        sizes (5, 3): for each model the kB that one more token adds, the GB of all texts and their
        percentage of the first model's; parts (2, 4): layers, numbers, tokens kept and GB of both
        kinds of layers of the chosen model; curve (13, 5): GB of all models at each length.
        """
        totals = torch.tensor(self._totals(self.tokens), dtype=torch.float64)
        longer = torch.tensor(self._totals(self.tokens + 1), dtype=torch.float64)
        each = (longer - totals) / self.texts / BYTES_PER_KB
        curve = [self._totals(length) for length in SHARED["tokens"]]
        model = MODELS[self.model]
        kept = self.tokens, min(self.tokens, model["other"]["kept"])
        parts = [
            [kind["layers"], kind["numbers"], count, self._bytes(kind, count) / BYTES_PER_GB]
            for kind, count in zip((model["full"], model["other"]), kept, strict=True)
        ]
        return {
            "sizes": torch.stack([each, totals / BYTES_PER_GB, 100 * totals / totals[0]], dim=1),
            "parts": torch.tensor(parts, dtype=torch.float64),
            "curve": torch.tensor(curve, dtype=torch.float64) / BYTES_PER_GB,
        }

    def _bytes(self, kind: dict[str, int], kept: int) -> int:
        """Count the bytes that layers of one kind keep of all texts."""
        return SHARED["bytes_per_number"] * self.texts * kind["layers"] * kind["numbers"] * kept

    def _totals(self, tokens: int) -> list[int]:
        """Count the bytes of each model's cache at a length."""
        return [
            self._bytes(model["full"], tokens)
            + self._bytes(model["other"], min(tokens, model["other"]["kept"]))
            for model in SHARED["models"]
        ]

    def picture(self) -> str:
        """Return the settings and both tables."""
        rows = [model["row"] for model in SHARED["models"]]
        names = {
            "sizes": (rows, SHARED["sizes_heads"]),
            "parts": (SHARED["parts"], SHARED["parts_heads"]),
        }
        captions = {key: text.format(model=self.model) for key, text in SHARED["captions"].items()}
        kinds = dict.fromkeys(captions, "tl-plain")
        tables = picture_tables(captions, self.results(), names, kinds, WRITERS)
        texts = "1 text" if self.texts == 1 else f"{self.texts} texts"
        question = f'<p class="tl-aside">{SHARED["question"]}</p>'
        return f"{question}<p>{texts} of {self.tokens} tokens</p>{panels(*tables)}"
