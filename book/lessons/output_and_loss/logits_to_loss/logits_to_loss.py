"""Logits to loss: the last steps of the model for one word, and the gradient of its loss."""

import html
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Float, Int, List, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, rules, shared
from lessons.kit.figures.units import number
from transformer_lite.layers.attention import masked_softmax
from transformer_lite.layers.loss import cross_entropy, smoothed_targets

SHARED = shared("logits_to_loss")


class LogitsToLoss(LiveFigure):
    """The logits of a few words, their probabilities, the loss, and its gradient p − target.

    The reader drags each logit, chooses the right word and how far its target is smoothed, and
    may take gradient steps.

    Args:
        words: the vocabulary, 2 to 8 words of at most 12 letters.
        logits: the score of each word, from −6 to 6.
        target: the index of the right word.
        label_smoothing: the part of the target that is spread evenly over all words, 0 to 0.5.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "logits_to_loss"

    words = List(Unicode()).tag(sync=True, figure=True, count=SHARED["words"])
    logits = List(Float()).tag(sync=True, figure=True, limits=SHARED["logit"])
    target = Int(0).tag(sync=True, figure=True)
    label_smoothing = Float(0.0).tag(sync=True, figure=True, limits=SHARED["smoothing"])

    def __init__(self, words: list[str], logits: list[float], **traits: Any):
        super().__init__(words=words, logits=logits, **traits)

    @staticmethod
    def problems(*, words: list[str], logits: list[float], target: int, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        for word in words:
            yield from rules.count_of("the letters of a word", word, SHARED["letters"])
        yield from rules.same_length(words=words, logits=logits)
        yield from rules.index_of("target", target, len(words))

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        V is the number of words. probabilities (V, 2) has the columns p and target; gradient
        (V, 1) is that of the loss, by autograd; measures (5, 1) are loss, its least value,
        the plain loss, its exponential and that of the loss.
        """
        target = torch.tensor(self.target)
        logits = torch.tensor(self.logits, dtype=torch.float64, requires_grad=True)
        loss = cross_entropy(logits, target, self.label_smoothing)
        (gradient,) = torch.autograd.grad(loss, logits)
        logits, loss = logits.detach(), loss.detach()
        wanted = smoothed_targets(target, len(self.words), self.label_smoothing).double()
        plain, least = cross_entropy(logits, target), torch.special.entr(wanted).sum()
        return {
            "probabilities": torch.stack([masked_softmax(logits), wanted], dim=1),
            "gradient": gradient[:, None],
            "measures": torch.stack([loss, least, plain, plain.exp(), loss.exp()])[:, None],
        }

    def picture(self) -> str:
        """Return the logits, the settings and all tables."""
        rows = dict.fromkeys(SHARED["heads"], self.words) | {"measures": SHARED["measures"]}
        names = {key: (rows[key], head) for key, head in SHARED["heads"].items()}
        kinds = {"measures": "tl-plain"}
        tables = picture_tables(SHARED["captions"], self.results(), names, kinds)
        pairs = zip(self.words, self.logits, strict=True)
        logits = ", ".join(f"{html.escape(word)} {number(z)}" for word, z in pairs)
        settings = (
            f"The right word is “{html.escape(self.words[self.target])}”; "
            f"label smoothing {self.label_smoothing:g}"
        )
        aside = f'<p class="tl-aside">{html.escape(SHARED["aside"])}</p>'
        return f"{aside}<p>Logits: {logits}</p><p>{settings}</p>{panels(*tables)}"

    def __repr__(self) -> str:
        return f"LogitsToLoss(logits={self.logits!r}, target={self.words[self.target]!r})"
