"""The head splitter: one number's way from the projection through a head to the output."""

from collections.abc import Iterator

import torch
from torch import Tensor
from traitlets import Float, Int, List, TraitError, Unicode, validate

from transformer_lite.attention import attention_steps
from transformer_lite.figures._base import LiveFigure, picture_table
from transformer_lite.multi_head import merge_heads, split_heads

SPLITS = [(4, 2), (6, 2), (6, 3), (8, 1), (8, 2), (8, 4)]  # d_model, num_heads; as in the .js
MOST_TOKENS = 4
LARGEST = 10.0
PLACES = ["offset", "head", "row", "place", "joined column"]
WAY = ["number", "weight", "product", "joined"]


def coded_values(tokens: int, width: int) -> Tensor:
    """Return values that carry their address: tens for the token from 1, ones for the feature."""
    codes = 10 * torch.arange(1, tokens + 1)[:, None] + torch.arange(width)
    return codes.double()


def output_weights(width: int) -> Tensor:
    """Return a fixed output matrix of small numbers; the same rule stands in the JavaScript."""
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

    tokens = List(Unicode()).tag(sync=True, figure=True)
    embeddings = List(List(Float())).tag(sync=True, figure=True)
    d_model = Int(8).tag(sync=True, figure=True)
    num_heads = Int(2).tag(sync=True, figure=True)
    token = Int(1).tag(sync=True, figure=True)
    feature = Int(2).tag(sync=True, figure=True)
    query = Int(2).tag(sync=True, figure=True)

    def __init__(self, tokens: list[str], embeddings: list[list[float]], **traits):
        last = max(len(tokens) - 1, 0)
        places = {"token": min(1, last), "query": min(2, last)}
        super().__init__(tokens=tokens, embeddings=embeddings, **(places | traits))

    @validate("tokens", "embeddings", "d_model", "num_heads", "token", "feature", "query")
    def _check(self, proposal):
        problem = next(_problems(**self.state() | {proposal.trait.name: proposal.value}), None)
        if problem:
            raise TraitError(problem)
        return proposal.value

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
        results, tokens = self.results(), self.tokens
        features = [str(i) for i in range(self.d_model)]
        rows = [f"head {h}, {token}" for h in range(self.num_heads) for token in tokens]
        columns = features[: self.d_model // self.num_heads]
        number, asker = f"{results['way'][0, 0]:g}", tokens[self.query]
        head = int(results["places"][1, 0])
        row = ["joined", f"W⁽ᵒ⁾, row {self.feature}", f"{number} adds", "output"]
        groups = (
            [
                ("values", "Values: tens the word, ones the feature", tokens, features),
                ("places", f"Where is {number}?", PLACES, ["transposed", "view alone"]),
            ],
            [
                ("split", "view, then transpose", rows, columns),
                ("viewed", "view alone", rows, columns),
            ],
            [
                ("weights", f"Weights of head {head}", tokens, tokens),
                ("way", f"From {number} to {asker}", WAY, [asker]),
                ("row", f"The row of {asker}", features, row),
            ],
        )

        def table(key: str, caption: str, rows: list[str], columns: list[str]) -> str:
            return picture_table(caption, results[key].double(), rows, columns)

        panels = ("".join(table(*item) for item in group) for group in groups)
        return "".join(f'<div class="tl-panels">{panel}</div>' for panel in panels)

    def __repr__(self) -> str:
        return f"HeadSplitter(tokens={self.tokens!r}, embeddings={self.embeddings!r})"


def _splits(embeddings: list[list[float]]) -> list[tuple[int, int]]:
    return [split for split in SPLITS if split[0] <= len(embeddings[0])]


def _problems(
    tokens: list[str],
    embeddings: list[list[float]],
    d_model: int,
    num_heads: int,
    **places: int,
) -> Iterator[str]:
    """Yield which rules these traits break, in words."""
    count, widths = len(tokens), sorted({len(row) for row in embeddings})
    if not 1 <= count <= MOST_TOKENS:
        yield f"tokens must be 1 to {MOST_TOKENS} names, got {count}"
    if count != len(embeddings):
        yield f"tokens and embeddings must be equally many, got {count} and {len(embeddings)}"
    if len(widths) != 1 or widths[0] < SPLITS[0][0]:
        yield f"embeddings must share one length of at least 4, got {widths}"
    for x in (x for row in embeddings for x in row):
        if not abs(x) <= LARGEST:
            yield f"embeddings must be at most {LARGEST:g} in size, got {x}"
    if (d_model, num_heads) not in (splits := _splits(embeddings)):
        yield (
            f"(d_model, num_heads) must be one of {splits} for embeddings of width {widths[0]}, "
            f"got {(d_model, num_heads)}"
        )
    for name, place in places.items():
        limit = d_model if name == "feature" else count
        if not 0 <= place < limit:
            yield f"{name} must satisfy 0 <= {name} < {limit}, got {place}"
