"""The translator: a trained Transformer that a reader can use, inspect and break."""

import html
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import torch
from torch import Tensor
from traitlets import Bool, Float, Int, List, Unicode

from lessons.decoding.translator.ablation import Head
from lessons.decoding.translator.reading import (
    HEADS,
    LAYERS,
    SHARED,
    Reading,
    Setting,
    doubt,
    found,
    read,
    sentence,
    shown,
)
from lessons.kit.figures import SHEETS, LiveFigure, panels, picture_table, rules
from lessons.kit.figures.units import number, power
from lessons.kit.machine import machine

short = partial(number, digits=2)
LETTERS, COUNTED = SHARED["letters"], {"min": 0, "max": 2**31 - 1}
WRITERS: dict[str, Callable[[float], str]] = {"attention": short, "next": power, "beams": short}


class TranslatorLab(LiveFigure):
    """A French–English translator, trained on the book's own sentences.

    The reader types French and gets English, sees the attention weights, the most probable next
    words and the beams of a search, and can break the model: heads, positions, the mask.

    Args:
        text: what is translated, at most 160 letters; the first 28 words of it are read.
        method: how words are picked, "likeliest", "beam" or "chance".
        beams: how many prefixes beam search keeps, 1 to 5.
        alpha: its length penalty, 0 to 2.
        temperature: the divisor of the logits when words are sampled, 0.1 to 3.
        seed: the seed of the random draws, from 0.
        part: which attention is shown, "encoder", "cross" or "self" (the decoder's own).
        layer: its layer, from 0; the encoder and the decoder may differ in depth.
        head: its head, from 0; −1 is the average of all.
        place: the chosen word of the translation, from 0; the last if there are fewer.
        form: how attention is shown, "lines" or "table".
        silenced: heads that add nothing, each as [part, layer, head].
        positions: whether positions are added to the words.
        mask: whether the decoder's words cannot attend to later ones.
        simple: whether only the text, its translation and the attention are shown.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "translator"
    printed = ("text",)
    asset_files: ClassVar = {"translator": SHEETS / "translator/translator.bin"}

    text = Unicode("l'avocat mange un avocat").tag(sync=True, figure=True, letters=LETTERS)
    method = Unicode("likeliest").tag(sync=True, figure=True, options=SHARED["methods"])
    beams = Int(4).tag(sync=True, figure=True, limits=SHARED["beams"])
    alpha = Float(0.6).tag(sync=True, figure=True, limits=SHARED["alpha"])
    temperature = Float(1.0).tag(sync=True, figure=True, limits=SHARED["temperature"])
    seed = Int(0).tag(sync=True, figure=True, limits=COUNTED)
    part = Unicode("cross").tag(sync=True, figure=True, options=SHARED["parts"])
    layer = Int(LAYERS["cross"] - 1).tag(sync=True, figure=True)
    head = Int(-1).tag(sync=True, figure=True, limits={"min": -1, "max": HEADS - 1})
    place = Int(1).tag(sync=True, figure=True, limits=COUNTED)
    form = Unicode("lines").tag(sync=True, figure=True, options=SHARED["forms"])
    silenced = List(List()).tag(sync=True, figure=True)
    positions = Bool(True).tag(sync=True, figure=True)
    mask = Bool(True).tag(sync=True, figure=True)
    simple = Bool(False).tag(sync=True, figure=True)

    @staticmethod
    def problems(*, part: str, layer: int, silenced: list[list[Any]], **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.index_of("layer", layer, LAYERS[part])
        for head in silenced:
            yield from _problems_of_a_head(head)

    def setting(self) -> Setting:
        """Return what the translation depends on."""
        values = {name: getattr(self, name) for name in Setting._fields}
        return Setting(**values | {"silenced": tuple(Head(*head) for head in self.silenced)})

    def reading(self) -> Reading:
        """Return the translation with its attention weights."""
        return read(self.setting())

    def _next(self, reading: Reading) -> tuple[list[str], Tensor]:
        """Return the most likely words at the chosen position with their probabilities."""
        place = min(self.place, len(reading.words) - 1)
        best = reading.log_probs[place].topk(SHARED["rows"])
        tokens = machine()[1].tokens
        return shown([tokens[i] for i in best.indices.tolist()]), best.values.exp()[:, None]

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name.

        attention (T, S) has a row for each word that looks; next (8, 1) are the probabilities of
        the likeliest words at the chosen place; beams (M, 2), if there are beams, are the
        log-probability and the score of each sentence that was kept.
        """
        reading = self.reading()
        heads = reading.weights[self.part][self.layer]
        results = {
            "attention": heads.mean(dim=0) if self.head < 0 else heads[self.head],
            "next": self._next(reading)[1],
        }
        if reading.search is not None:
            numbers = [reading.search.log_probs[0], reading.search.scores[0]]
            results["beams"] = torch.stack(numbers, dim=1)
        return results

    def picture(self) -> str:
        """Return the sentence, its translation, the attention and the other tables."""
        reading, results = self.reading(), self.results()
        names = {
            "attention": self._names(reading),
            "next": (self._next(reading)[0], SHARED["heads"]["next"]),
        }
        if reading.search is not None:
            ended = SHARED["shown"]["<eos>"]  # all that is left of an empty one
            kept = [sentence(ids) or ended for ids in found(reading.search)]
            names["beams"] = (kept, SHARED["heads"]["beams"])
        kinds = {"attention": "", "next": "tl-bars tr-bars", "beams": "tr-sentences"}
        tables = {
            name: picture_table(
                SHARED["captions"][name], results[name], *names[name], kinds[name], WRITERS[name]
            )
            for name in ("beams", "next", "attention")  # in the order of the page
            if name == "attention" or (name in results and not self.simple)
        }
        written = html.escape(reading.text)
        kind = "tr-simple" if self.simple else "tr-full"  # the style keeps room by it
        return (
            f'<p lang="fr" class="{kind}">“{html.escape(self.text)}”</p>'
            f'<p class="tr-english" lang="en">“{written}”</p>'
            f"<p>{self._said()}</p>{panels(*tables.values())}"
        )

    def _names(self, reading: Reading) -> tuple[list[str], list[str]]:
        """Return the words that look and those that are looked at."""
        if self.part == "encoder":
            return reading.pieces, reading.pieces
        if self.part == "cross":
            return reading.words, reading.pieces
        return reading.words, [*shown(["<bos>"]), *reading.words[:-1]]

    def _said(self) -> str:
        """Return the settings in words."""
        head = "all heads averaged" if self.head < 0 else f"head {self.head + 1}"
        place = min(self.place, len(self.reading().words) - 1)
        word = html.escape(self.reading().words[place])
        parts = [
            f"It takes {SHARED['picks'][self.method]}. {SHARED['titles'][self.part]}, "
            f"layer {self.layer + 1}, {head}. Word {place + 1} is “{word}”."
        ]
        found = doubt(self.text)
        if found is not None and found.is_doubtful and self.text.strip():
            word, share = shown([found.word])[0], number(found.probability, 2)
            parts.append(html.escape(SHARED["doubt"].format(word=word, share=share)))
        if self.silenced:
            parts.append(f"{len(self.silenced)} heads are off.")
        parts += ["No positions."] * (not self.positions) + ["No mask."] * (not self.mask)
        return " ".join(parts)


def _problems_of_a_head(head: list[Any]) -> Iterator[str]:
    """Yield in words why this names no head."""
    if len(head) != 3:
        yield f"a head of silenced must have 3 entries, part, layer and head, got {head}"
        return
    part, layer, index = head
    yield from rules.one_of("the part of a silenced head", part, SHARED["parts"])
    for name, place, count in (("layer", layer, LAYERS.get(part, 1)), ("head", index, HEADS)):
        if type(place) is not int or not 0 <= place < count:
            yield f"the {name} of a silenced head must lie below {count}, got {place!r}"
