"""Head reader: what each of MiniLM's 72 heads attends to, and what it adds."""

import html
from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

import torch
from torch import Tensor
from traitlets import Enum, Int

from lessons.kit.figures import LiveFigure, counted, panels, picture_tables, rules, shared
from lessons.kit.figures.units import number
from lessons.looking_inside.head_reader.heads import (
    FILE,
    HEADS,
    LAYERS,
    all_pieces,
    places,
    stored,
)

SHARED = shared("head_reader")


short = partial(number, digits=2)  # there are many of them side by side


def shares_of(weights: Tensor, sizes: Tensor) -> Tensor:
    """Return which share of the length that a row adds up comes from each token, shape (…, T)."""
    added = weights * sizes
    return added / added.sum(dim=-1, keepdim=True)


def entropy(row: Tensor) -> Tensor:
    """Return −Σ w ln w of each row, in nats."""
    return -torch.xlogy(row, row).sum(dim=-1)


class HeadReader(LiveFigure):
    """The 72 heads of all-MiniLM-L6-v2 on twelve sentences, from stored activations.

    The reader picks a word and sees what every head attends to from there. For one head the figure
    shows the whole row, its average behavior, and how much each token really adds: a large weight
    on a short vector adds little.

    ``python -m lessons.looking_inside.head_reader.make`` computes the activations again.

    Args:
        sentence: the index of the sentence, 0 to 11.
        word: the index of a piece in it; 0 is [CLS], the last one [SEP].
        layer: the index of the layer, 0 to 5.
        head: the index of the head, 0 to 11.
        measure: "weight", or "added", the share of weight times size of what the value adds.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.

    Reference: Wang et al. 2020; Kobayashi et al. 2020.
    """

    name = "head_reader"
    asset_files: ClassVar = {"activations": FILE}

    sentence = Int(0).tag(sync=True, figure=True, below=len(all_pieces()))
    word = Int(7).tag(sync=True, figure=True)
    layer = Int(2).tag(sync=True, figure=True, below=LAYERS)
    head = Int(7).tag(sync=True, figure=True, below=HEADS)
    measure = Enum(list(SHARED["measures"]), "weight").tag(sync=True, figure=True)

    @staticmethod
    def problems(*, sentence: int, word: int, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.index_of("word", word, len(all_pieces()[sentence]))

    def pieces(self) -> list[str]:
        """Return the pieces of the chosen sentence."""
        return all_pieces()[self.sentence]

    def grid(self) -> Tensor:
        """Return the row of the chosen word in every head, by the chosen measure, (L, H, T)."""
        weights = stored().weights[self.sentence][:, :, self.word]
        return (
            weights
            if self.measure == "weight"
            else shares_of(weights, stored().sizes[self.sentence])
        )

    def kinds(self, sentence: int, word: int) -> Tensor:
        """Return what the chosen head gives to each kind of token from a word, shape (7,)."""
        pieces = all_pieces()[sentence]
        row = stored().weights[sentence][self.layer, self.head, word]
        beside = [row[i] if 0 <= i < len(row) else row.new_zeros(()) for i in (word - 1, word + 1)]
        same = torch.tensor([piece == pieces[word] for piece in pieces])
        spread = entropy(row)
        return torch.stack([*beside, row[0], row[-1], row[same].sum(), spread, spread.exp()])

    def twins(self) -> dict[str, Tensor]:
        """Return the cosines (7,) with the same piece at every other place, by a name for it."""
        own, pieces, found = (self.sentence, self.word), all_pieces(), {}
        piece, alike = self.pieces()[self.word], stored().alike
        for place in places(pieces):
            i, t = place
            if place != own and pieces[i][t] == piece:
                times = pieces[i][: t + 1].count(piece)
                name = SHARED["names"][i] + (f" ({times})" if times > 1 else "")
                found[name] = alike[min(own, place), max(own, place)]
        return found

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed in float64.

        grid (12, 6) is the largest entry of each head's row; row (T, 4) the chosen head's weights,
        sizes, their products and the shares of these; head (7, 2) what it gives to each kind of
        token, from here and from all words on average; similarity (N + 1, 7) the cosines with the
        same piece elsewhere, and last those of two different words.
        """
        weights = stored().weights[self.sentence][self.layer, self.head, self.word]
        sizes = stored().sizes[self.sentence][self.layer, self.head]
        words = [(i, t) for i, t in places(all_pieces()) if 0 < t < len(all_pieces()[i]) - 1]
        average = torch.stack([self.kinds(*place) for place in words]).mean(dim=0)
        columns = [weights, sizes, weights * sizes, shares_of(weights, sizes)]
        return {
            "grid": self.grid().amax(dim=-1).T,
            "row": torch.stack(columns, dim=-1),
            "head": torch.stack([self.kinds(self.sentence, self.word), average], dim=-1),
            "similarity": torch.stack([*self.twins().values(), stored().others]),
        }

    def picture(self) -> str:
        """Return the sentence, what is chosen, and all tables."""
        word = self.pieces()[self.word]
        named = {"word": word, "measure": SHARED["measures"][self.measure]}
        heads = SHARED["heads"]
        names = {
            "grid": (counted(range(HEADS)), counted(range(LAYERS))),
            "row": (self.pieces(), heads["row"]),
            "head": (SHARED["head"], heads["head"]),
            "similarity": ([*self.twins(), SHARED["others"]], heads["similarity"]),
        }
        captions = {name: SHARED["captions"][name].format(**named) for name in names}
        kinds, writers = {name: f"hr-{name}" for name in names}, dict.fromkeys(names, short)
        tables = picture_tables(captions, self.results(), names, kinds, writers)
        pieces = " · ".join(map(html.escape, self.pieces()))
        chosen = (
            f"Read from “{html.escape(word)}” by head {self.head + 1} of layer {self.layer + 1}."
        )
        aside = f'<p class="tl-aside">{html.escape(SHARED["aside"])}</p>'
        return f"{aside}<p>{pieces}</p><p>{chosen}</p>{panels(*tables)}"

    def __repr__(self) -> str:
        return (
            f"HeadReader({self.pieces()[self.word]!r}, layer={self.layer}, head={self.head}, "
            f"measure={self.measure!r})"
        )
