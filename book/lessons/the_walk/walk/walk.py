"""The walk: one sentence goes through the trained translator, station by station."""

import html
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor
from traitlets import Bool, Int, List, Unicode

from lessons.kit.figures import SHEETS, LiveFigure, panels, picture_table
from lessons.kit.figures.units import number, power
from lessons.kit.machine import machine
from lessons.the_walk.walk.passing import PAD, SHARED, Passing, passing


class Place(NamedTuple):
    """A station of the walk: the block of the machine, and the station in it."""

    block: dict[str, Any]
    station: dict[str, Any]

    @property
    def id(self) -> str:
        """How an address names it."""
        return f"{self.block['id']}.{self.station['id']}"


#: Every station by its id, in the order of the walk.
PLACES = {
    place.id: place
    for block in SHARED["blocks"]
    for place in (Place(block, station) for station in SHARED["kinds"][block["kind"]])
}
WRITERS = {"ids": lambda x: number(x, 0), "best": power}


class Walk(LiveFigure):
    """The whole machine as a walk: one sentence, from letters to the probability of each word.

    Each part of the trained translator is a station. It shows what goes in and what comes out, each
    matrix as a field of color and, unfolded, as numbers.

    Args:
        text: a French sentence, at most 120 letters; its first 12 words are read.
        examples: sentences to choose from, 1 to 10.
        word: which word of the translation is to come, from 1; beyond the last one, the last.
        station: a name of ``PLACES``, such as "layer-1-attention.weights".
        cache: whether only what is new is computed for a word after the first.
        chapters: what comes before the file of a chapter in a link to it; "" for no links.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "walk"
    printed = ("text", "station")
    tour_length = (18, 24)
    asset_files: ClassVar = {"translator": SHEETS / "translator/translator.bin"}

    text = Unicode().tag(sync=True, figure=True, letters=SHARED["letters"])
    examples = List(Unicode()).tag(sync=True, figure=True, count=SHARED["examples"])
    word = Int(1).tag(sync=True, figure=True, limits=SHARED["word"])
    station = Unicode("tokens.tokens").tag(sync=True, figure=True)
    cache = Bool(True).tag(sync=True, figure=True)
    chapters = Unicode("").tag(sync=True, figure=True)

    def __init__(self, text: str, **traits: Any):
        super().__init__(text=text, **({"examples": [text]} | traits))

    @staticmethod
    def problems(*, station: str, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        if station not in PLACES:
            yield f"station must name one of {len(PLACES)} stations, got {station!r}"

    @property
    def passing(self) -> Passing:
        """All that the machine does with the sentence."""
        return passing(self.text)

    def results(self) -> dict[str, Tensor]:
        """Return the matrices of the station, by their names.

        Most are (T, D), a row for each token that is computed; scores and weights (H, T, S); over
        the vocabulary (V, 1).
        """
        return {field["name"]: self._matrix(field) for field in self.place.station["fields"]}

    @property
    def place(self) -> Place:
        """The position in the walk."""
        return PLACES[self.station]

    @property
    def newest(self) -> int:
        """How many tokens of the target are read."""
        return min(self.word, len(self.passing.ids) - 1)

    def _matrix(self, field: dict[str, Any]) -> Tensor:
        """Return one matrix of the station."""
        block, found, role = self.place.block, self.passing, field.get("role")
        last = self.newest - 1
        if role == "ids":
            ids = found.ids[: last + 1] if block["lane"] == "decoder" else found.source_ids
            return torch.tensor(ids, dtype=torch.float64)[:, None]
        if field["of"] in ("best", "probabilities"):
            shares = self._shares()
            return (shares.topk(SHARED["best"]).values if role == "best" else shares)[:, None]
        values = found.seen[field["of"].format(**block)]
        if role == "vocabulary":
            return values[last][:, None]
        if block["lane"] == "encoder" or (role == "keys" and block["kind"] == "cross"):
            return values
        first = last if self.cache and role != "keys" else 0
        if role == "heads":
            keys = values.shape[2] if block["kind"] == "cross" else last + 1
            return values[:, first : last + 1, :keys]
        return values[first : last + 1]

    def _shares(self) -> Tensor:
        """Return the probability of each token to come next."""
        logits = self.passing.seen["output"][self.newest - 1].clone()
        logits[PAD] = -torch.inf
        return logits.softmax(dim=-1)

    def words(self) -> dict[str, Any]:
        """Return what the texts of a station put in."""
        config, found = machine()[0].config, self.passing
        assert config is not None
        return {
            **{"D": config.d_model, "H": config.num_heads, "K": config.d_model // config.num_heads},
            **{"M": config.d_ff, "V": config.tgt_vocab_size},
            **{"S": len(found.source), "T": self.newest},
            **{"word": shown(found.ids[self.newest - 1]), "next": shown(found.ids[self.newest])},
            "share": power(self._shares().max().item()),
        }

    def status_text(self) -> str:
        """Return the position in the walk and what happens there."""
        texts, found, place = SHARED["texts"], self.passing, self.place
        unknown = ", ".join(f"“{word}”" for word in found.unknown)
        said = texts["unknown"].format(words=unknown) if unknown else ""
        said += texts["cut"].format(most=SHARED["words"]) if found.is_cut else ""
        return said + place.station["say"].format(**self.words())

    def picture(self) -> str:
        """Return the sentence, the position in the walk, and all tables except large fields."""
        found, words = self.passing, self.words()
        tables = [
            picture_table(
                field["caption"].format(**words),
                self._matrix(field),
                self._names(field),
                [SHARED["heads"]["id" if field["role"] == "ids" else "probability"]],
                "tl-bars wk-bars" if field["role"] == "best" else "",
                WRITERS[field["role"]],
            )
            for field in self.place.station["fields"]
            if field.get("role") in WRITERS
        ]
        places = [*PLACES]
        where = SHARED["texts"]["where"].format(
            place=places.index(self.station) + 1,
            count=len(places),
            part=part_of(self.place),
            name=self.place.station["name"],
        )
        written = machine()[1].decode(found.ids)
        lines = SHARED["question"], f"“{self.text}” → “{written}”", where + self.status_text()
        said = "".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines)
        return f"{said}{panels(*tables)}"

    def _names(self, field: dict[str, Any]) -> list[str]:
        """Return the names of the rows of a table."""
        if field["role"] == "best":
            return [shown(i) for i in self._shares().topk(SHARED["best"]).indices.tolist()]
        if self.place.block["lane"] == "encoder":
            return [SHARED["shown"].get(word, word) for word in self.passing.source]
        return [shown(i) for i in self.passing.ids[: self.newest]]


def part_of(place: Place) -> str:
    """Return in words which part of the machine a station belongs to."""
    block = place.block
    layer = f", layer {block['layer']}" if "layer" in block else ""
    return f"{SHARED['lanes'][block['lane']].lower()}{layer}, {block['name']}"


def shown(token_id: int) -> str:
    """Return a token as the figure writes it."""
    word = machine()[1].tokens[token_id]
    return str(SHARED["shown"].get(word, word))
