"""Soft retrieval: words as keys in the plane, a query to drag, and the mixture that it receives."""

import torch
from torch import Tensor
from traitlets import Enum, Float, List, TraitError, Unicode, validate

from transformer_lite.attention import attention_steps
from transformer_lite.figures._base import LiveFigure, picture_table

LIMIT = 4.0  # the plane goes from −4 to 4 in both directions
MATRICES = {  # the value matrix by what the values are, as in soft_retrieval.js
    "keys": [[1.0, 0.0], [0.0, 1.0]],
    "swapped": [[0.0, 1.0], [1.0, 0.0]],
    "second": [[0.0, 0.0], [0.0, 1.0]],
}


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

    words = List(Unicode()).tag(sync=True, figure=True)
    places = List(List(Float())).tag(sync=True, figure=True)
    query = List(Float(), [1.0, 1.0]).tag(sync=True, figure=True)
    features = List(Unicode(), ["first", "second"]).tag(sync=True, figure=True)
    sharpness = Float(1.0).tag(sync=True, figure=True)
    values = Enum(list(MATRICES), "keys").tag(sync=True, figure=True)

    def __init__(self, words: list[str], places: list[list[float]], **traits):
        super().__init__(words=list(words), places=[list(place) for place in places], **traits)

    @validate("words", "places")
    def _check_places(self, proposal):
        pair = {"words": self.words, "places": self.places, proposal.trait.name: proposal.value}
        words, places = len(pair["words"]), len(pair["places"])
        if words != places:
            raise TraitError(f"words and places must be equally many, got {words} and {places}")
        if not 2 <= words <= 8:
            raise TraitError(f"words must be 2 to 8 names, got {words}")
        for place in pair["places"]:
            _check_point("places", place)
        return proposal.value

    @validate("query")
    def _check_query(self, proposal):
        _check_point("query", proposal.value)
        return proposal.value

    @validate("features")
    def _check_features(self, proposal):
        if len(proposal.value) != 2:
            raise TraitError(f"features must be 2 names, got {len(proposal.value)}")
        return proposal.value

    @validate("sharpness")
    def _check_sharpness(self, proposal):
        if not 0 <= proposal.value <= 4:
            raise TraitError(f"sharpness must satisfy 0 <= sharpness <= 4, got {proposal.value}")
        return proposal.value

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
        results = self.results()
        columns = {"scores": ["score"], "weights": ["weight"]}
        rows = {"mixture": ["mixture"]}
        captions = {
            "keys": "1 Keys",
            "scores": "2 Query · key",
            "weights": "3 Weights",
            "values": "4 Values",
            "mixture": "5 Mixture",
        }
        query = picture_table("Query", [self.query], ["query"], self.features)
        tables = (
            picture_table(
                caption, results[name], rows.get(name, self.words), columns.get(name, self.features)
            )
            for name, caption in captions.items()
        )
        return f'<div class="tl-panels">{query}{"".join(tables)}</div>'

    def __repr__(self) -> str:
        return f"SoftRetrieval(words={self.words!r}, places={self.places!r})"


def _check_point(name: str, point: list[float]) -> None:
    if len(point) != 2:
        raise TraitError(f"{name} must hold points of 2 numbers, got {point}")
    for x in point:
        if not -LIMIT <= x <= LIMIT:
            raise TraitError(f"{name} must lie between {-LIMIT:g} and {LIMIT:g}, got {x}")
