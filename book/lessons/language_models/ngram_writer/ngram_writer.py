"""n-gram writer: a model of counts writes, word by word, and what it copies is marked."""

import html

import torch
from torch import Tensor
from traitlets import Int, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from lessons.language_models.ngram_writer.writing import (
    TEXTS,
    Choice,
    contexts_of,
    longest_run,
    sentences_of,
    write,
)
from transformer_lite.before.counts import END

SHARED = shared("ngram_writer")
LENGTHS = range(SHARED["length"]["min"], SHARED["length"]["max"] + 1)


class NgramWriter(LiveFigure):
    """A text generator made of counts, which looks back at L words, from 0 to 5.

    It counts one of two small texts that the figure carries, and draws word after word. The words
    that it could choose from are shown with their counts, and the longest run of words that also
    occurs in the text is marked. ``python -m lessons.language_models.ngram_writer.collect`` writes
    both texts again.

    Args:
        text: "prose", sentences of this book, or "grammar", sentences of the corpus by grammar.
        length: how many words it looks back at, L; one less than the n of n-gram.
        seed: of what is drawn, from 0 to 9999.
        choices: how many words are drawn, from 1 to 60; each ⟨end⟩ of a sentence is one of them.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "ngram_writer"
    printed = ("text", "length")

    text = Unicode("prose").tag(sync=True, figure=True, options=SHARED["texts"])
    length = Int(1).tag(sync=True, figure=True, limits=SHARED["length"])
    seed = Int(0).tag(sync=True, figure=True, limits=SHARED["seed"])
    choices = Int(24).tag(sync=True, figure=True, limits=SHARED["choices"])

    def written(self) -> list[Choice]:
        """Return every choice so far."""
        return write(self.text, self.length, self.seed, self.choices)

    def shown(self) -> list[str]:
        """Return the candidates of the last choice that are shown: the most frequent, the drawn."""
        last, rows = self.written()[-1], SHARED["rows"]
        names = [*last.counts]
        if last.word in names[:rows]:
            return names[:rows]
        return [*names[: rows - 1], last.word]

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name.

        times (n, 1) and shares (n, 1) belong to the last choice, measures (4, 1) to all that is
        written, contexts (6, 2) to the text: how many contexts of each length it holds, and how
        many of them are always followed by the same word.
        """
        made, known = self.written(), set(TEXTS[self.text])
        *finished, _ = written = sentences_of(made)
        counts = made[-1].counts
        times = torch.tensor([counts[word] for word in self.shown()], dtype=torch.float64)
        copied = sum(tuple(sentence) in known for sentence in finished)
        forced = sum(len(choice.counts) == 1 for choice in made)
        run = longest_run(self.text, written).length
        rows = [contexts_of(self.text, length) for length in LENGTHS]
        return {
            "times": times[:, None],
            "shares": times[:, None] / sum(counts.values()),
            "measures": torch.tensor([[forced], [run], [len(finished)], [copied]]),
            "contexts": torch.tensor([[len(r), sum(len(x) == 1 for x in r)] for r in rows]),
        }

    def picture(self) -> str:
        """Return what is written, and all tables."""
        words = self.shown()
        rows = {
            **{"times": words, "shares": words, "measures": SHARED["measures"]},
            "contexts": [f"L = {length}" for length in LENGTHS],
        }
        names = {key: (row, SHARED["heads"][key]) for key, row in rows.items()}
        bars = {"times": "tl-bars ng-bars", "shares": "tl-bars ng-bars"}
        tables = picture_tables(SHARED["captions"], self.results(), names, bars)
        name = SHARED["names"][SHARED["texts"].index(self.text)]
        settings = (
            f"It has counted {name} and looks back at {self.length} words; "
            f"{self.choices} choices made, with seed {self.seed}."
        )
        asked = f"<p>{SHARED['question']}</p><p>{settings}</p>"
        return f'{asked}<div class="ng-page">{self._page()}</div>{panels(*tables)}'

    def _page(self) -> str:
        """Return what is written, with the copied run marked, and dotted what was no choice."""
        made = self.written()
        written = sentences_of(made)
        forced = iter([len(choice.counts) == 1 for choice in made])
        run = longest_run(self.text, written)
        lines = []
        for index, words in enumerate(written):
            shown = [_dotted(html.escape(word), next(forced)) for word in words]
            if index == run.sentence and run.length:
                end = run.start + run.length
                shown[run.start : end] = [f"<mark>{' '.join(shown[run.start : end])}</mark>"]
            finished = index < len(written) - 1
            if finished:
                kind = "tl-aside ng-forced" if next(forced) else "tl-aside"
                shown.append(f'<span class="{kind}">{END}</span>')
            lines.append(f"<p>{' '.join(shown)}</p>" if shown else "")
        return "".join(lines)


def _dotted(word: str, forced: bool) -> str:
    return f'<span class="ng-forced">{word}</span>' if forced else word
