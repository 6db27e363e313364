"""Next word: a language model made of counts continues a prefix that the reader types."""

import html
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Float, Int, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_table, rules, shared
from lessons.what_a_transformer_does.next_word.counts import next_words, shares_of, words_of

SHARED = shared("next_word")


class NextWord(LiveFigure):
    """A language model that counts: what came after these words in its text, and how often.

    The reader types a prefix and extends it word by word, by choice or by chance. If the text lacks
    the last words, the model uses fewer of them, and says so.

    Args:
        text: all that the model has read, 2 to 400 words; capitals count as small letters.
        beginning: the words so far, at most 240 letters.
        context: how many of the last words it uses, 1 to 4.
        temperature: what the logarithms of the counts are divided by, from 0.1 to 3.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "next_word"
    printed = ("beginning", "context")

    text = Unicode().tag(sync=True, figure=True)
    beginning = Unicode("").tag(sync=True, figure=True, letters=SHARED["letters"])
    context = Int(2).tag(sync=True, figure=True, limits=SHARED["context"])
    temperature = Float(1.0).tag(sync=True, figure=True, limits=SHARED["temperature"])

    def __init__(self, text: str, **traits: Any):
        super().__init__(text=text, **traits)

    @staticmethod
    def problems(*, text: str, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.count_of("the words of text", words_of(text), SHARED["words"])

    def next_words(self) -> tuple[int, dict[str, int]]:
        """Return how many words were used, and how often each word follows them."""
        return next_words(words_of(self.text), words_of(self.beginning), self.context)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, for the first eight next words.

        times (n, 1) counts each of them, shares (n, 1) is its probability among all next words.
        """
        counts = self.next_words()[1]
        times = torch.tensor([*counts.values()], dtype=torch.float64)
        columns = {"times": times, "shares": shares_of(counts, self.temperature)}
        return {name: column[: SHARED["rows"], None] for name, column in columns.items()}

    def picture(self) -> str:
        """Return the beginning, the settings and both tables."""
        used, counts = self.next_words()
        names = [*counts][: SHARED["rows"]]
        results = self.results()
        tables = (
            picture_table(caption, results[key], names, SHARED["heads"][key], "tl-bars nw-bars")
            for key, caption in SHARED["captions"].items()
        )
        settings = (
            f"words it uses {self.context}, found in the text: the last {used}; "
            f"temperature {self.temperature:g}; {len(counts)} possible next words"
        )
        beginning = html.escape(self.beginning)
        asked = f"<p>{SHARED['question']}</p><p>“{beginning} …”</p>"
        return f"{asked}<p>{settings}</p>{panels(*tables)}"
