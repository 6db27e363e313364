"""Recurrent translator: an unrolled network, the path of a gradient and its length."""

import html
import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from traitlets import Bool, Int

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from lessons.kit.figures.units import number, power

SHARED = shared("recurrent_translator")
#: How the numbers of each table are written.
WRITERS = {"cells": number, "gradients": power, "weights": number}
RUN = json.loads(Path(__file__).with_name("run.json").read_text(encoding="utf-8"))


class RecurrentSteps(LiveFigure):
    """A sequence-to-sequence machine, unrolled, with Bahdanau's attention and without.

    A reader points at an output word and a source word, and sees the cells that a gradient passes
    between them, and how long it was measured in two trained translators. Both read forwards. The
    decoder of one gets the last state z* at every step, that of the other has attention.
    ``python -m lessons.recurrent_networks.recurrent_translator.record`` records them again.

    Args:
        sentence: the index of the sentence.
        attention: whether the machine with attention is drawn, or the one with z* alone.
        word: the index of the output word, from 0; a larger number means the last one.
        source: the index of the source word, likewise.

    Raises:
        TraitError: a value has the wrong type or is out of range.
    """

    name = "recurrent_translator"
    printed = ("sentence", "attention")

    sentence = Int(0).tag(sync=True, figure=True, below=len(RUN["sentences"]))
    attention = Bool(False).tag(sync=True, figure=True)
    word = Int(1).tag(sync=True, figure=True, limits=SHARED["most"])
    source = Int(2).tag(sync=True, figure=True, limits=SHARED["most"])

    @property
    def shown(self) -> dict[str, Any]:
        """Return what was recorded of the sentence."""
        return dict(RUN["sentences"][self.sentence])

    @property
    def place(self) -> tuple[int, int]:
        """Return the output word and the source word, inside the sentence."""
        shown = self.shown
        return (
            min(self.word, len(shown["words"]) - 1),
            min(self.source, len(shown["source"]) - 1),
        )

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name.

        cells (S, 2) and gradients (S, 2) belong to the output word, by source word and machine;
        weights (T, S) is the alignment: what each output word takes from each source word.
        """
        shown, (word, _) = self.shown, self.place
        source = len(shown["source"])
        cells = [[cells_between(s, source, on) for on in (False, True)] for s in range(source)]
        gradients = torch.tensor(shown["gradients"], dtype=torch.float64)
        return {
            "cells": torch.tensor(cells),
            "gradients": gradients[:, word].T,
            "weights": torch.tensor(shown["weights"], dtype=torch.float64) / 100,
        }

    def status_text(self) -> list[str]:
        """Describe what is chosen, what was measured, and the translation of the drawn model."""
        shown, (word, source), texts = self.shown, self.place, SHARED["texts"]
        results, machine = self.results(), int(self.attention)
        small, large = map(power, results["gradients"][source].tolist())
        named = {"word": shown["words"][word], "source": shown["source"][source]}
        said, target = shown["said"][machine], shown["target"]
        verdict = ", which is right." if said == target else f"; the right one is “{target}”."
        drawn = {"machine": SHARED["machines"][machine], "said": said, "verdict": verdict}
        way = texts["way"].format(small=small, large=large, **named)
        return [way, texts["here"].format(**drawn)]

    @staticmethod
    def trained() -> str:
        """Return how long both machines trained, and how good they are."""
        (before, after), (plain, looking) = RUN["steps"], map(number, RUN["exact"])
        words = {"before": before, "after": after, "plain": plain, "looking": looking}
        return str(SHARED["texts"]["both"].format(measured=RUN["measured"], **words))

    def picture(self) -> str:
        """Return the sentence, what is chosen in it, and the tables."""
        shown, machines = self.shown, SHARED["machines"]
        names = {
            "cells": (shown["source"], machines),
            "gradients": (shown["source"], machines),
            "weights": (shown["words"], shown["source"]),
        }
        kinds = {key: f"rt-{key}" for key in names}
        tables = picture_tables(SHARED["captions"], self.results(), names, kinds, WRITERS)
        asked = f"“{shown['text']}” → “{shown['target']}”"
        lines = (SHARED["question"], asked, *self.status_text(), self.trained())
        said = "".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines)
        return f"{said}{panels(*tables)}"


def cells_between(source: int, length: int, attention: bool) -> int:
    """Return how many cells the shortest way from an output word back to a source word passes.

    The score of a word is computed from what the decoder reads, too. Without attention that is z*,
    so the way goes back through the encoder from its end. Attention reads the state of the source
    word's own cell.

    Args:
        source: which source word, from 0.
        length: how many source words there are.
        attention: whether the machine has attention.

    >>> cells_between(5, 6, attention=False), cells_between(0, 6, attention=False)
    (1, 6)
    >>> cells_between(0, 6, attention=True)
    1
    """
    return 1 if attention else length - source
