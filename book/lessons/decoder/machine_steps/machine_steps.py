"""Machine steps: a sentence goes through the trained translator, box by box."""

import html
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor
from traitlets import Int, List, Unicode

from lessons.decoder.machine_steps.trace import SHARED, Place, Trace, trace
from lessons.kit.figures import SHEETS, LiveFigure, counted, panels, picture_table
from lessons.kit.figures.units import number, power
from lessons.kit.machine import machine
from lessons.trained.translator import sizes_of

SHOWN = SHARED["shown"]
#: What the weights of each kind of step are called in the model.
ATTENTIONS = {
    "attention": "encoder.layers.{}.self_attention",
    "self": "decoder.layers.{}.self_attention",
    "cross": "decoder.layers.{}.cross_attention",
}


class Table(NamedTuple):
    """A table of a step: what its rows and columns are called, and its numbers."""

    names: list[str]
    heads: list[str]
    values: Tensor


write: Callable[[float], str] = partial(number, digits=SHARED["digits"])
WRITERS: dict[str, Callable[[float], str]] = {
    "stream": write,
    "weights": power,
    "candidates": power,
}


class MachineSteps(LiveFigure):
    """A drawing of the whole Transformer that runs the trained translator step by step.

    Each step lights one box and shows its numbers: the first entries of the vectors before and
    after, the attention weights of one head, and at the end the probabilities of the next word.

    Args:
        text: a French sentence, at most 80 letters; its first 7 words are read.
        examples: sentences to choose from, 1 to 8.
        step: the step that is shown; a larger number shows the last one.
        head: the head whose weights are shown, from 0.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "machine_steps"
    printed = ("text", "step")
    asset_files: ClassVar = {"translator": SHEETS / "translator/translator.bin"}

    text = Unicode().tag(sync=True, figure=True, letters=SHARED["letters"])
    examples = List(Unicode()).tag(sync=True, figure=True, count=SHARED["examples"])
    step = Int(0).tag(sync=True, figure=True, limits=SHARED["step"])
    head = Int(0).tag(sync=True, figure=True, limits={"min": 0, "max": sizes_of()["num_heads"] - 1})

    def __init__(self, text: str, **traits: Any):
        super().__init__(text=text, **({"examples": [text]} | traits))

    @property
    def trace(self) -> Trace:
        """Return every step of the model on the sentence."""
        return trace(self.text)

    @property
    def place(self) -> Place:
        """Return the part, kind and layer of the step."""
        places = self.trace.places
        return places[min(self.step, len(places) - 1)]

    def tables(self) -> dict[str, Table]:
        """Return the tables of the step, by their names.

        stream are the vectors of the words, or of the newest token; weights those of one head;
        candidates the probabilities of the next word.
        """
        place, found = self.place, self.trace
        stream = _reading if place.part == "encoder" else _writing
        tables = {"stream": stream(found, place)}
        if place.kind in ATTENTIONS:
            weights = found.weights[ATTENTIONS[place.kind].format(place.layer)][self.head]
            tables["weights"] = _weights(found, place, weights)
        if place.kind == "output":
            shares, ids = found.log_probs[place.token].exp().topk(SHARED["candidates"])
            names = [_word(i) for i in ids.tolist()]
            tables["candidates"] = Table(names, [SHARED["heads"]["share"]], shares[:, None])
        return tables

    def results(self) -> dict[str, Tensor]:
        """Return the numbers of the step, by the names of their tables."""
        return {name: table.values for name, table in self.tables().items()}

    def words(self) -> dict[str, Any]:
        """Return the values for the captions and texts of the step."""
        place, found = self.place, self.trace
        sizes = machine()[0].config
        assert sizes is not None
        return {
            **{"D": sizes.d_model, "H": sizes.num_heads, "K": sizes.d_model // sizes.num_heads},
            **{"M": sizes.d_ff, "V": sizes.tgt_vocab_size},
            **{"S": len(found.source), "T": place.token + 1, "shown": SHOWN},
            **{"head": self.head + 1, "layer": place.layer + 1},
            **{"word": _word(found.ids[place.token]), "next": _word(found.ids[place.token + 1])},
            "share": write(found.log_probs[place.token].exp().max().item()),
        }

    def status_text(self) -> str:
        """Describe the step in words."""
        place, found, texts = self.place, self.trace, SHARED["texts"]
        unknown = ", ".join(f"“{word}”" for word in found.unknown)
        said = texts["unknown"].format(words=unknown) if unknown else ""
        said += texts["read"].format(words=SHARED["words"]) if found.is_cut else ""
        said += texts[f"{place.part} {place.kind}"].format(**self.words())
        if place.kind != "output":
            return said
        last = place.token == len(found.ids) - 2
        end = "go on" if not last else "ended" if found.ids[-1] == 2 else "cut"
        return said + texts[end].format(sentence=f"“{found.sentence}”")

    def picture(self) -> str:
        """Return the sentence, the step in words, and its tables."""
        captions, words = SHARED["captions"], self.words()
        place = self.place
        keys = {
            "stream": place.part,
            "weights": "row" if place.part == "decoder" else "weights",
            "candidates": "candidates",
        }
        tables = (
            picture_table(
                captions[keys[name]].format(**words),
                table.values,
                table.names,
                table.heads,
                "tl-bars ms-bars" if len(table.heads) == 1 else "",
                WRITERS[name],
            )
            for name, table in self.tables().items()
        )
        step = min(self.step, len(self.trace.places) - 1) + 1
        where = f"step {step} of {len(self.trace.places)}, head {self.head + 1}"
        lines = (
            SHARED["aside"],
            f"“{self.text}” → “{self.trace.sentence}”; {where}",
            self.status_text(),
        )
        said = "".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines)
        return f"{said}{panels(*tables)}"


def _word(token_id: int) -> str:
    return machine()[1].tokens[token_id]


def _reading(found: Trace, place: Place) -> Table:
    """Return the first entries of all words after a step of the encoder."""
    values = found.reading[found.places.index(place)]
    return Table(found.source, counted(range(SHOWN)), values[:, :SHOWN])


def _writing(found: Trace, place: Place) -> Table:
    """Return the first entries of the newest token before and after a step of the decoder."""
    token, steps = place.token, len(found.writing)
    first = next(i for i, other in enumerate(found.places) if other.part == "decoder")
    at = (found.places.index(place) - first) % steps
    after = found.writing[at][token, :SHOWN]
    before = found.words[token, :SHOWN] if at == 0 else found.writing[at - 1][token, :SHOWN]
    if place.kind == "output":
        return _rows("output", before, after)
    return _rows("embed" if at == 0 else "layer", before, after - before, after)


def _rows(kind: str, *rows: Tensor) -> Table:
    return Table(SHARED["rows"][kind], counted(range(SHOWN)), torch.stack(rows))


def _weights(found: Trace, place: Place, weights: Tensor) -> Table:
    """Return the attention weights of all words, or of the newest token alone."""
    if place.part == "encoder":
        return Table(found.source, found.source, weights)
    row = weights[place.token]
    if place.kind == "cross":
        return Table(found.source, [SHARED["heads"]["weight"]], row[:, None])
    seen = [_word(i) for i in found.ids[: place.token + 1]]
    return Table(seen, [SHARED["heads"]["weight"]], row[: place.token + 1, None])
