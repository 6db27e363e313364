"""Two sentences climb the encoder of the trained translator: where does one word become two?"""

import html
from functools import partial
from typing import Any, ClassVar

import torch
from torch import Tensor
from traitlets import Int, Unicode

from lessons.encoder.encoder_climb.climb import Stage, climb, stage_similarities
from lessons.encoder.encoder_climb.pairs import (
    SHARED,
    Pair,
    chosen_pair,
    other_words,
    same_places,
    shared_words,
)
from lessons.encoder.encoder_climb.static_curves import static_curves
from lessons.kit.figures import SHEETS, LiveFigure, panels, picture_tables
from lessons.kit.figures.units import number
from lessons.kit.machine import machine
from lessons.trained.translator import sizes_of

FIRST, SECOND = SHARED["examples"][0]
LAYERS, HEADS = sizes_of()["num_encoder_layers"], sizes_of()["num_heads"]
short = partial(number, digits=2)
MODEL = SHEETS / "translator/translator.bin"


def listed(names: list[str], most: int) -> str:
    """Return up to `most` different names, or how many there are.

    >>> listed(["le", "chat", "le"], 2), listed(["le", "chat"], 1)
    ('le, chat', 'mean of 2')
    """
    different = list(dict.fromkeys(names))
    if len(different) > most:
        return str(SHARED["several"].format(count=len(different)))
    return ", ".join(different)


class EncoderClimb(LiveFigure):
    """Two sentences in the encoder of the trained translator, and one word that both share.

    The reader types French twice. A curve shows how alike the word's two vectors are, from the
    embedding to the last layer, with two others to compare: the other words that both share, and
    different words at the same position. Below, it shows what the word attends to in a layer.

    Args:
        sentence, other: two French sentences, at most 100 letters each; of their words the
            first 14 count. Left out, they are the first example of ``encoder_climb.json``.
        word: which shared word, as the menu calls it; "" is the first ambiguous one or, where
            there is none, the longest. So is what the sentences do not share.
        layer: whose attention is drawn, from 1.
        head: which head's, from 1; 0 is the mean of all.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "encoder_climb"
    printed = ("sentence", "other", "word", "layer", "head")
    asset_files: ClassVar = {"model": MODEL}

    sentence = Unicode().tag(sync=True, figure=True, letters=SHARED["letters"])
    other = Unicode().tag(sync=True, figure=True, letters=SHARED["letters"])
    word = Unicode("").tag(sync=True, figure=True, letters=SHARED["letters"])
    layer = Int(1).tag(sync=True, figure=True, limits={"min": 1, "max": LAYERS})
    head = Int(0).tag(sync=True, figure=True, limits={"min": 0, "max": HEADS})

    def __init__(self, sentence: str = FIRST, other: str = SECOND, **traits: Any):
        super().__init__(sentence=sentence, other=other, **traits)

    def words(self) -> list[list[str]]:
        """Return the words of both sentences that are climbing."""
        tokenizer, most = machine()[1], SHARED["most_words"]
        return [tokenizer.pieces(text)[:most] for text in (self.sentence, self.other)]

    def pairs(self) -> list[Pair]:
        """Return the words that both sentences share, as the menu lists them."""
        first, second = self.words()
        return shared_words(first, second, known={*machine()[1].tokens})

    def climbs(self) -> tuple[list[Stage], list[Stage]]:
        """Return the stages of both sentences, each with its end."""
        model, tokenizer = machine()
        first, second = (
            [*tokenizer.encode(text)[: SHARED["most_words"]], tokenizer.eos_id]
            for text in (self.sentence, self.other)
        )
        return climb(model, first), climb(model, second)

    def curves(self, pair: Pair) -> dict[str, list[tuple[int, int]]]:
        """Return the pairs of places that each curve compares, by its name."""
        others, (first, second) = other_words(self.pairs(), pair), self.words()
        unlike = same_places(first, second)
        opposed = [f"{first[i]} / {second[i]}" for i, _ in unlike]
        groups = {
            "word": ({"word": pair.word}, [pair.places]),
            "shared": (
                {"words": listed([one.word for one in others], 3)},
                [o.places for o in others],
            ),
            "place": ({"words": listed(opposed, 2)}, unlike),
        }
        return {
            SHARED["curves"][name].format(**words): places
            for name, (words, places) in groups.items()
            if places
        }

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed in float64.

        With L layers, H heads and sentences of S and T tokens: similarity (L + 1, up to 3), the
        cosines of each curve; first (S, 1 + H) and second (T, 1 + H), where the word looks: the
        mean of all heads, then each. Nothing if no word is shared.
        """
        pair = chosen_pair(self.pairs(), self.word)
        if pair is None:
            return {}
        climbs = self.climbs()
        curves = [stage_similarities(*climbs, places) for places in self.curves(pair).values()]
        rows = [
            stages[self.layer].weights[:, place]
            for stages, place in zip(climbs, pair.places, strict=True)
        ]
        first, second = (torch.cat([row.mean(dim=0, keepdim=True), row]).T for row in rows)
        return {"similarity": torch.stack(curves, dim=-1), "first": first, "second": second}

    def named(self, pair: Pair) -> dict[str, tuple[list[str], list[str]]]:
        """Return the names of rows and columns of each result."""
        eos = machine()[1].tokens[machine()[1].eos_id]
        mean, one = SHARED["heads"]
        heads = [mean, *(one.format(head=h + 1) for h in range(HEADS))]
        layers = [SHARED["layer"].format(layer=i + 1) for i in range(LAYERS)]
        first, second = ([*words, eos] for words in self.words())
        return {
            "similarity": ([SHARED["embedding"], *layers], [*self.curves(pair)]),
            "first": (first, heads),
            "second": (second, heads),
        }

    def picture(self) -> str:
        """Return the sentences, the curves and all tables."""
        said = f'<p class="tl-aside">{html.escape(SHARED["aside"])}</p>'
        said += "".join(f"<p>“{html.escape(text)}”</p>" for text in (self.sentence, self.other))
        pair, results = chosen_pair(self.pairs(), self.word), self.results()
        if pair is None:
            return f"{said}<p>{SHARED['nothing']}</p>"
        words, names = {"word": pair.label, "layer": self.layer}, self.named(pair)
        captions = {name: SHARED["captions"][name].format(**words) for name in results}
        kinds = {name: f"ec-{name}" for name in results}
        tables = picture_tables(captions, results, names, kinds, dict.fromkeys(results, short))
        return said + static_curves(results["similarity"], *names["similarity"]) + panels(*tables)
