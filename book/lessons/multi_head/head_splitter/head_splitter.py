"""The head splitter: one number's way from the projection through a head to the output."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Float, Int, List, Unicode, default

from lessons.kit.figures import LiveFigure, panels, picture_table, rules, shared
from transformer_lite.layers.attention import attention_steps
from transformer_lite.layers.multi_head import merge_heads, split_heads

SHARED = shared("head_splitter")
SPLITS = [(d_model, num_heads) for d_model, num_heads in SHARED["splits"]]
PANELS = (("values", "split", "viewed"), ("places", "weights", "way", "row"))
COUNT, SIZE = {"min": 1, "max": 4}, {"min": -10, "max": 10}


def coded_values(tokens: int, width: int) -> Tensor:
    """Return values that carry their address: tens for the token from 1, ones for the feature."""
    codes = 10 * torch.arange(1, tokens + 1)[:, None] + torch.arange(width)
    return codes.double()


def output_weights(width: int) -> Tensor:
    """Return a fixed output matrix of small numbers; the JavaScript has the same rule."""
    places = torch.arange(width)
    return ((3 * places[:, None] + 5 * places) % 7 - 3).double() / 4


class HeadSplitter(LiveFigure):
    """Split, attend, join and project, while one number of the values is followed.

    Queries and keys are the first `d_model` features of the embeddings. A value is named after its
    place: 23 is feature 3 of the second token.

    Args:
        tokens: the names of 1 to 4 tokens.
        embeddings: one list of numbers a token, all of one length, at most 10 in size.
        d_model, num_heads: the split, one of 4 = 2·2, 6 = 2·3, 6 = 3·2, 8 = 1·8, 2·4 and 4·2.
        token, feature: the number that is followed, counted from 0.
        query: the token in whose output it is followed, counted from 0.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "head_splitter"
    printed = ("tokens", "embeddings")

    tokens = List(Unicode()).tag(sync=True, figure=True, count=COUNT)
    embeddings = List(List(Float())).tag(sync=True, figure=True, limits=SIZE)
    d_model = Int(8).tag(sync=True, figure=True)
    num_heads = Int(2).tag(sync=True, figure=True)
    token = Int().tag(sync=True, figure=True)
    feature = Int(2).tag(sync=True, figure=True)
    query = Int().tag(sync=True, figure=True)

    def __init__(self, tokens: list[str], embeddings: list[list[float]], **traits: Any):
        super().__init__(tokens=tokens, embeddings=embeddings, **traits)

    @default("token")
    def _second_or_last(self) -> int:
        return min(1, max(len(self.tokens) - 1, 0))

    @default("query")
    def _third_or_last(self) -> int:
        return min(2, max(len(self.tokens) - 1, 0))

    @staticmethod
    def problems(
        *,
        tokens: list[str],
        embeddings: list[list[float]],
        d_model: int,
        num_heads: int,
        feature: int,
        **places: int,
    ) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.same_length(tokens=tokens, embeddings=embeddings)
        yield from rules.same_width("embeddings", embeddings, SPLITS[0][0])
        if (d_model, num_heads) not in (splits := _splits(embeddings)):
            width = f"embeddings of width {len(embeddings[0])}"
            got = (d_model, num_heads)
            yield f"(d_model, num_heads) must be one of {splits} for {width}, got {got}"
        yield from rules.index_of("feature", feature, d_model)
        for name, place in places.items():
            yield from rules.index_of(name, place, len(tokens))

    def splits(self) -> list[tuple[int, int]]:
        """Return the splits, as (d_model, num_heads), that the embeddings are wide enough for."""
        return _splits(self.embeddings)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        T tokens, H heads of width K, D = H·K. values (T, D); places (5, 2), where the followed
        number is after view and transpose and after the view alone; split and viewed (H·T, K),
        the heads one under the other; weights (T, T) of its head; way (4, 1), from the number to
        the joined entry that it becomes part of; row (D, 4), what the query's row holds feature by
        feature: joined, the number's row of the output matrix, what it adds, output.
        """
        width, heads, count = self.d_model, self.num_heads, len(self.tokens)
        x = torch.tensor(self.embeddings, dtype=torch.float64)[None, :, :width]
        values, w_o = coded_values(count, width), output_weights(width)
        asked, split = split_heads(x, heads), split_heads(values[None], heads)
        steps = attention_steps(asked, asked, split)
        joined = merge_heads(steps.output)[0]
        viewed = values.view(1, heads, count, -1)
        head, feature = self.feature * heads // width, self.feature
        number = values[self.token, feature]
        weight = steps.weights[0, head, self.query, self.token]
        way = torch.stack([number, weight, weight * number, joined[self.query, feature]])
        part = weight * number * w_o[feature]
        row = [joined[self.query], w_o[feature], part, joined[self.query] @ w_o]
        return {
            "values": values,
            "places": torch.stack([self._place(number, x) for x in (split, viewed)], dim=-1),
            "split": split.flatten(0, 2),
            "viewed": viewed.flatten(0, 2),
            "weights": steps.weights[0, head],
            "way": way[:, None],
            "row": torch.stack(row, dim=-1),
        }

    def _place(self, number: Tensor, heads: Tensor) -> Tensor:
        """Return offset, head, row, place and joined column of a number among the heads."""
        [[_, head, row, place]] = (heads == number).nonzero().tolist()
        offset = self.token * self.d_model + self.feature
        return torch.tensor([offset, head, row, place, head * heads.shape[-1] + place])

    def picture(self) -> str:
        """Return every result as a table."""
        results, tokens = self.results(), self.tokens
        number, asker = f"{results['way'][0, 0]:g}", tokens[self.query]
        words = {"number": number, "asker": asker, "head": int(results["places"][1, 0])}
        features = [str(i) for i in range(self.d_model)]
        rows = [f"{h} · {token}" for h in range(self.num_heads) for token in tokens]
        in_head = features[: self.d_model // self.num_heads]
        sums = [head.format(**words, feature=self.feature) for head in SHARED["row"]]
        names = {
            "values": (tokens, features),
            "places": (SHARED["places"], SHARED["ways"]),
            "split": (rows, in_head),
            "viewed": (rows, in_head),
            "weights": (tokens, tokens),
            "way": (SHARED["way"], [asker]),
            "row": (features, sums),
        }

        def table(key: str) -> str:
            caption = SHARED["captions"][key].format(**words)
            return picture_table(caption, results[key], *names[key])

        tables = "".join(panels(*map(table, group)) for group in PANELS)
        return f'<p class="tl-aside">{SHARED["question"]} {SHARED["key"]}</p>{tables}'


def _splits(embeddings: list[list[float]]) -> list[tuple[int, int]]:
    return [split for split in SPLITS if split[0] <= len(embeddings[0])]
