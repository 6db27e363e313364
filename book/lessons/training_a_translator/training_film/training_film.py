"""Training film: the recorded run of a translator, moment by moment."""

import html
import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from traitlets import Int

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared

SHARED = shared("training_film")
RUN = json.loads(Path(__file__).with_name("run.json").read_text(encoding="utf-8"))


class TrainingFilm(LiveFigure):
    """A recorded run: its loss, and its translations of three sentences during training.

    ``python -m lessons.training_a_translator.training_film.record`` records it again.

    Args:
        moment: the index of the moment, from 0, before the first step, to the last.
        sentence: the index of the chosen sentence.
        head: the index of the head of the decoder.

    Raises:
        TraitError: an index has the wrong type or is out of range.
    """

    name = "training_film"

    moment = Int(0).tag(sync=True, figure=True, below=len(RUN["moments"]))
    sentence = Int(0).tag(sync=True, figure=True, below=len(RUN["sentences"]))
    head = Int(0).tag(sync=True, figure=True, below=SHARED["count_of_heads"])

    @property
    def now(self) -> dict[str, Any]:
        """Return what was recorded at this moment."""
        return dict(RUN["moments"][self.moment])

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name.

        measures (3, 1) are held-out loss, BLEU and exact match in percent; right (T, 1) is
        the probability of each right word, weights (T, S) its attention weights.
        """
        now = self.now
        measures = [now["held_out_loss"], now["bleu"], now["exact"]]
        right, weights = now["right"][self.sentence], now["weights"][self.sentence][self.head]
        return {
            "measures": torch.tensor(measures, dtype=torch.float64)[:, None],
            "right": torch.tensor(right, dtype=torch.float64)[:, None] / 100,
            "weights": torch.tensor(weights, dtype=torch.float64) / 100,
        }

    def picture(self) -> str:
        """Return the tables of this moment, and the translation at every moment."""
        shown, captions = RUN["sentences"][self.sentence], SHARED["captions"]
        names = {
            "measures": (SHARED["measures"], SHARED["heads"]["measures"]),
            "right": (shown["words"], SHARED["heads"]["right"]),
            "weights": (shown["words"], shown["source"]),
        }
        captions = {key: text.format(head=self.head + 1) for key, text in captions.items()}
        tables = picture_tables(captions, self.results(), names, {"measures": "tl-plain"})
        lines = "".join(
            f'<tr><th scope="row">{moment["step"]}</th>'
            f"<td>{html.escape(moment['translations'][self.sentence]) or '(nothing)'}</td></tr>"
            for moment in RUN["moments"]
        )
        caption = html.escape(SHARED["film"])
        film = f'<table class="tf-film"><caption>{caption}</caption><tbody>{lines}</tbody></table>'
        start = f"Step {self.now['step']}. The sentence is “{html.escape(shown['text'])}”."
        aside = f'<p class="tl-aside">{html.escape(SHARED["aside"])}</p>'
        return f"{aside}<p>{start}</p>{panels(*tables)}{film}"

    def __repr__(self) -> str:
        return f"TrainingFilm(step={self.now['step']}, sentence={self.sentence})"
