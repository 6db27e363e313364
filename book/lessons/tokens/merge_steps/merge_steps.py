"""Merge steps: any text, and byte-pair encoding on it, merge by merge, forward and back."""

import html
from typing import Any

import torch
from torch import Tensor
from traitlets import Int, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from lessons.tokens.merge_steps.steps import Candidate, Step, training_steps
from transformer_lite.text.bpe import BytePairEncoding
from transformer_lite.text.byte_alphabet import chunks

SHARED = shared("merge_steps")
ROWS = SHARED["rows"]


class MergeSteps(LiveFigure):
    """Byte-pair encoding, which a reader steps forward and back on any text.

    It shows the tokens of the text, the most frequent pairs of neighbors, which of them is merged
    next and why, and how another text is split by the merges so far.

    Args:
        text: the text from which the merges are learned, at most 160 letters.
        other: a text that is only split, at most 160 letters.
        step: how many merges are done, from 0; if fewer are possible, all of them.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "merge_steps"

    text = Unicode().tag(sync=True, figure=True, letters=SHARED["letters"])
    other = Unicode("").tag(sync=True, figure=True, letters=SHARED["letters"])
    step = Int(0).tag(sync=True, figure=True, limits=SHARED["step"])

    def __init__(self, text: str, **traits: Any):
        super().__init__(text=text, **traits)

    def seen(self) -> tuple[Step, list[Candidate]]:
        """Return the text as it is now, and the merges that made it so."""
        steps = list(training_steps(self.text))
        now = min(self.step, len(steps) - 1)
        return steps[now], [step.candidates[0] for step in steps[:now]]

    def pieces(self) -> tuple[list[str], list[str]]:
        """Return the tokens of the text and those of the other one."""
        step, past = self.seen()
        # Should a pair come up twice, because its parts are made otherwise, it is one merge.
        merges = list(dict.fromkeys(candidate.pair for candidate in past))
        ours = [token for chunk in chunks(self.text) for token in step.words[chunk]]
        return ours, BytePairEncoding(merges).pieces(self.other)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name.

        sizes (4, 1) counts bytes and tokens; times (n, 1) and ids (n, 2) belong to the first eight
        pairs, the next merge first; past (m, 1) is how often the last eight merges stood together.
        """
        step, past = self.seen()
        ours, others = self.pieces()
        size = len(self.text.encode("utf-8", "surrogatepass"))
        first = step.candidates[:ROWS]
        return {
            "sizes": _column([size, len(ours), len(others), step.vocabulary]),
            "times": _column([candidate.times for candidate in first]),
            "ids": torch.tensor([c.ids for c in first], dtype=torch.float64).reshape(-1, 2),
            "past": _column([candidate.times for candidate in past[-ROWS:]]),
        }

    def _names(self) -> dict[str, list[str]]:
        """Return the names of the rows of each table."""
        step, past = self.seen()
        pairs = [_written(candidate) for candidate in step.candidates[:ROWS]]
        before = len(past) - len(past[-ROWS:])
        made = [f"{before + i}: {_written(c)}" for i, c in enumerate(past[-ROWS:], start=1)]
        return {"sizes": SHARED["sizes"], "times": pairs, "ids": pairs, "past": made}

    def picture(self) -> str:
        """Return the text and its tokens, and all tables."""
        names = {key: (rows, SHARED["heads"][key]) for key, rows in self._names().items()}
        kinds = dict.fromkeys(names, "mg-plain") | {"times": "tl-bars mg-bars"}
        tables = picture_tables(SHARED["captions"], self.results(), names, kinds)
        ours, others = (html.escape(" · ".join(pieces)) for pieces in self.pieces())
        done = f"“{html.escape(self.text)}” after {len(self.seen()[1])} merges: {ours}"
        cut = f"“{html.escape(self.other)}” is cut into: {others}" if self.other else ""
        return f"<p>{SHARED['question']}</p><p>{done}</p><p>{cut}</p>{panels(*tables)}"

    def __repr__(self) -> str:
        return f"MergeSteps({self.text!r}, step={self.step})"


def _column(numbers: list[int]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64).reshape(-1, 1)


def _written(candidate: Candidate) -> str:
    return " + ".join(candidate.pair)
