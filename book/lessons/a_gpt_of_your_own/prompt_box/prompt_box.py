"""The prompt box: a small GPT that has read this book goes on with what a reader types."""

import html
from functools import reduce
from typing import ClassVar

from torch import Tensor
from traitlets import Float, Int, Unicode

from lessons.a_gpt_of_your_own.prompt_box.drawing import SHARED, Drawn, Setting, draw
from lessons.kit.figures import LiveFigure, panels, picture_table
from lessons.kit.figures.units import power
from lessons.trained.book_gpt import longer
from lessons.trained.book_gpt.page import PAGE


class PromptBox(LiveFigure):
    """A small GPT that has read this book, and goes on with what a reader types.

    The reader sees which words may come next, and lets the text grow: by the words drawn at a
    temperature from the likeliest ones, or by a word of the reader's choice. It runs in the page,
    without a kernel; ``python -m lessons.trained.book_gpt.make`` makes its model anew.

    Args:
        text: the prompt, at most 200 letters; the last 32 words of it are read.
        temperature: what the logits are divided by, from 0.1 to 3.
        top_k: among how many of the likeliest words is drawn, 1, 2, 3, 5, 10, 20 or 50; 0 takes
            all.
        seed: which chance it is, from 0 to 9999.
        written: how many words are written after the prompt, from 0 to 32.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "prompt_box"
    printed = ("text",)
    asset_files: ClassVar = {"model": PAGE}

    text = Unicode("attention is").tag(sync=True, figure=True, letters=SHARED["letters"])
    temperature = Float(1.0).tag(sync=True, figure=True, limits=SHARED["temperature"])
    top_k = Int(0).tag(sync=True, figure=True, options=SHARED["top_k"])
    seed = Int(0).tag(sync=True, figure=True, limits=SHARED["seed"])
    written = Int(0).tag(sync=True, figure=True, limits=SHARED["written"])

    def drawn(self) -> Drawn:
        """Return the words that were written, and which may come next."""
        return draw(Setting(**{name: getattr(self, name) for name in Setting._fields}))

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name.

        next (8, 2) has the probabilities of the likeliest next words, of all words and as drawn;
        written (n, 2) has those of the words that were written.
        """
        drawn = self.drawn()
        return {"next": drawn.next, "written": drawn.written}

    def picture(self) -> str:
        """Return the prompt, what was written after it, and the tables."""
        drawn, results = self.drawn(), self.results()
        names = {"next": drawn.best, "written": drawn.words}
        tables = [
            picture_table(
                caption, results[key], names[key], SHARED["heads"], "tl-bars pb-bars", power
            )
            for key, caption in SHARED["captions"].items()
            if names[key]
        ]
        told = _unknown(drawn)
        kept = f"from the {self.top_k} likeliest words" if self.top_k else "from all words"
        whole = reduce(longer, drawn.words, self.text.rstrip())
        written = html.escape(whole[len(self.text.rstrip()) :])
        prompt = html.escape(self.text.rstrip())
        return (
            f'<p class="pb-page" lang="en"><span class="pb-prompt">{prompt}</span>{written} …</p>'
            f"<p>Drawn at temperature {self.temperature:g} {kept}. {html.escape(told)}</p>"
            f"{panels(*tables)}"
        )


def _unknown(drawn: Drawn) -> str:
    """Return in words what the model does not know; nothing if it knows all."""
    pairs = zip(drawn.pieces, drawn.unknown, strict=True)
    strange = [*dict.fromkeys(f"“{piece}”" for piece, is_new in pairs if is_new)]
    if not strange:
        return ""
    named = strange[: SHARED["named"]]
    more = f", and {len(strange) - len(named)} more," if len(strange) > len(named) else ""
    return f"It does not know {', '.join(named)}{more} and reads {SHARED['unknown']}."
