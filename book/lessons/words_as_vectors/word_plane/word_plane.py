"""The word plane: real word vectors, drawn on a plane, and an arrow to move between them."""

import json
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor
from traitlets import Bool, Enum, List, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, rules, shared
from lessons.kit.figures.units import number
from lessons.words_as_vectors.word_plane.record import FILE, PRECISION
from transformer_lite.before.neighbors import Neighbors, analogy

SHARED = shared("word_plane")


@cache
def recorded() -> dict[str, Any]:
    """Return what `record` has written."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def words() -> list[str]:
    """Return the words of the figure, in the order of its numbers."""
    listed: list[str] = recorded()["words"]
    return listed


@cache
def word_vectors() -> Tensor:
    """Return vectors of length 1 with the inner products of MiniLM's, shape (N, N) for N words.

    Vectors with the same inner products differ by no more than a rotation: cosines, lengths and
    projections are the same. They come from a Cholesky factorization.
    """
    rows = recorded()["products"]
    lower = [[*row, *[0] * (len(rows) - len(row))] for row in rows]
    below = torch.tensor(lower, dtype=torch.float64) / PRECISION["products"]
    return torch.linalg.cholesky(below + below.T + torch.eye(len(rows)))


class WordPlane(LiveFigure):
    """Words with MiniLM's vectors, and an arrow from one word to another that starts anywhere.

    The reader moves the arrow's start to another word and sees what lies nearest to its tip: by
    cosine in all dimensions, and on the plane, which is not the same.

    Args:
        pair: the two words that the arrow joins, as *man* and *king*.
        start: the word that it is moved to, as *woman*.
        exclude: leave out these three words, as tests of analogies do.
        plane: "all", the plane that keeps most of the variance of all words; "three", the one
            through the three words, on which their arrows are not shortened.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "word_plane"
    printed = ("pair", "start")

    pair = List(Unicode(), ["man", "king"]).tag(sync=True, figure=True, count=SHARED["pair"])
    start = Unicode("woman").tag(sync=True, figure=True)
    exclude = Bool(True).tag(sync=True, figure=True)
    plane = Enum(list(SHARED["planes"]), "all").tag(sync=True, figure=True)

    @staticmethod
    def problems(*, pair: list[str], start: str, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        for name, word in [*(("pair", word) for word in pair), ("start", start)]:
            yield from rules.one_of(name, word, words())
        if len(set(pair)) < len(pair):
            yield f"pair must have two different words, got {pair}"

    def _three(self) -> list[int]:
        return [words().index(word) for word in (*self.pair, self.start)]

    def nearest(self) -> Neighbors:
        """Return the words nearest to the arrow's tip, by the package's `analogy`."""
        a, b, c = self._three()
        return analogy(word_vectors(), b, a, c, self.exclude, SHARED["rows"])

    def places(self) -> Tensor:
        """Return where each word lies on the plane, shape (N, 2)."""
        if self.plane == "all":
            return torch.tensor(recorded()["places"], dtype=torch.float64) / PRECISION["places"]
        vectors = word_vectors()
        a, b, c = vectors[self._three()]
        others = [vectors.mean(dim=0), *vectors[:2]]
        directions = torch.stack([b - a, *(x - a for x in (c, *others))])
        return (vectors - a) @ _first_two(directions).T

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        nearest (8, 1) holds the largest cosines with the arrow's tip; drawn (8, 1) says which place
        these words take by their distance from the tip in the drawing; kept (3, 1) says what the
        plane keeps of the variance and of the arrow, and how parallel the two arrows are.
        """
        (a, b, c), places, vectors = self._three(), self.places(), word_vectors()
        found = self.nearest()
        distances = (places - (places[b] - places[a] + places[c])).norm(dim=1)
        left_out = {a, b, c} if self.exclude else set()
        order = [i for i in distances.argsort(stable=True).tolist() if i not in left_out]
        drawn = [order.index(i) + 1 for i in found.rows]
        arrow, other = vectors[b] - vectors[a], vectors[self._answer(found)] - vectors[c]
        kept = [
            _variance(places) / _variance(vectors),
            (places[b] - places[a]).norm() / arrow.norm(),
            arrow @ other / (arrow.norm() * other.norm()),
        ]
        return {
            "nearest": torch.tensor(found.cosines, dtype=torch.float64)[:, None],
            "drawn": torch.tensor(drawn, dtype=torch.float64)[:, None],
            "kept": torch.stack(kept)[:, None],
        }

    def _answer(self, found: Neighbors) -> int:
        """Return the first word found to which an arrow leads from the start."""
        return next(i for i in found.rows if words()[i] != self.start)

    def picture(self) -> str:
        """Return the question, the settings and all tables."""
        (a, b), c, found = self.pair, self.start, self.nearest()
        named = {"a": a, "b": b, "c": c, "answer": words()[self._answer(found)]}
        found_words = [words()[i] for i in found.rows]
        kept = [text.format(**named) for text in SHARED["kept"]]
        rows = {"nearest": found_words, "drawn": found_words, "kept": kept}
        names = {key: (row, SHARED["heads"][key]) for key, row in rows.items()}
        kinds = dict.fromkeys(names, "wp-plain") | {"nearest": "tl-bars wp-bars"}
        writers = dict.fromkeys(names, partial(number, digits=3))
        tables = picture_tables(SHARED["captions"], self.results(), names, kinds, writers)
        rule = "leaves out" if self.exclude else "does not leave out"
        question = f"{b} − {a} + {c}, among {len(words())} words; the search {rule} these three."
        drawing = f"Drawn on {SHARED['planes'][self.plane]}."
        return f"<p>{SHARED['question']}</p><p>{question} {drawing}</p>{panels(*tables)}"


def _first_two(directions: Tensor) -> Tensor:
    """Return two directions of length 1 at a right angle: the first two that are not the same."""
    found: list[Tensor] = []
    for direction in directions:
        left = direction - sum((direction @ e * e for e in found), torch.zeros_like(direction))
        if left.norm() > 1e-3 and len(found) < 2:
            found.append(left / left.norm())
    return torch.stack(found)


def _variance(points: Tensor) -> Tensor:
    """Return the mean squared distance of points from their mean."""
    return (points - points.mean(dim=0)).square().sum(dim=1).mean()
