"""Soft retrieval: words as keys in the plane, a query to drag, and the mixture that it receives."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Enum, Float, List, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, rules, shared
from transformer_lite.layers.attention import attention_steps

SHARED = shared("soft_retrieval")
MATRICES = SHARED["values"]  # the value matrix by what the values are
WORDS, PAIR = {"min": 2, "max": 8}, {"min": 2, "max": 2}


class SoftRetrieval(LiveFigure):
    """One query against some keys in the plane: scores, weights and the mixture of the values.

    Args:
        words: the names of the keys, 2 to 8 of them.
        places: the key of each word, a point of two numbers from −4 to 4.
        query: the point that asks.
        features: the names of the two coordinates.
        sharpness: the factor on the scores, from 0 to 4.
        values: what each word hands over: "keys", its key itself; "swapped", its key with the two
            features exchanged; "second", its key with only the second feature left.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "soft_retrieval"
    printed = ("words", "places")

    words = List(Unicode()).tag(sync=True, figure=True, count=WORDS)
    places = List(List(Float())).tag(sync=True, figure=True, limits=SHARED["plane"])
    query = List(Float(), [1.0, 1.0]).tag(sync=True, figure=True, limits=SHARED["plane"])
    features = List(Unicode(), ["first", "second"]).tag(sync=True, figure=True, count=PAIR)
    sharpness = Float(1.0).tag(sync=True, figure=True, limits=SHARED["sharpness"])
    values = Enum(list(MATRICES), "keys").tag(sync=True, figure=True)

    def __init__(self, words: list[str], places: list[list[float]], **traits: Any):
        super().__init__(words=words, places=places, **traits)

    @staticmethod
    def problems(
        *,
        words: list[str],
        places: list[list[float]],
        query: list[float],
        **_: Any,
    ) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.same_length(words=words, places=places)
        yield from rules.same_width("places", places, 2, 2)
        yield from rules.same_width("query", [query], 2, 2)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        With n words: keys and values (n, 2), scores and weights (n, 1), mixture (1, 2).
        """
        keys = torch.tensor(self.places, dtype=torch.float64)
        query = torch.tensor([self.query], dtype=torch.float64)
        values = keys @ torch.tensor(MATRICES[self.values], dtype=torch.float64)
        steps = attention_steps(self.sharpness * query, keys, values, scale=1.0)
        return {
            "keys": keys,
            "scores": keys @ query.mT,
            "weights": steps.weights.mT,
            "values": values,
            "mixture": steps.output,
        }

    def picture(self) -> str:
        """Return the query and every result as a table."""
        values = {"query": torch.tensor([self.query], dtype=torch.float64)} | self.results()
        names = {
            "query": (["query"], self.features),
            "keys": (self.words, self.features),
            "scores": (self.words, ["score"]),
            "weights": (self.words, ["weight"]),
            "values": (self.words, self.features),
            "mixture": (["mixture"], self.features),
        }
        tables = picture_tables(SHARED["captions"], values, names, {"weights": "tl-bars"})
        return f'<p class="tl-aside">{SHARED["question"]}</p>{panels(*tables)}'
