"""Draft and verify: a small model drafts words, and the GPT of the book checks them."""

import html
from functools import reduce
from typing import ClassVar

import torch
from torch import Tensor
from traitlets import Float, Int, Unicode

from lessons.fast_generation.draft_and_verify.speculation import (
    SHARED,
    Moment,
    Setting,
    both_at,
    draft_numbers,
    moment_of,
    pass_numbers,
    shown_at,
    why_numbers,
    written_at,
)
from lessons.kit.figures import LiveFigure, html_table, picture_table
from lessons.kit.figures.units import number
from lessons.trained.book_gpt import longer, precise_book_gpt
from lessons.trained.book_gpt.bigrams import BIGRAMS
from lessons.trained.book_gpt.page import PAGE


class DraftAndVerify(LiveFigure):
    """Speculative decoding with the GPT of the book, step by step.

    A draft model proposes k words. The large model computes its probabilities at all of them in one
    pass, accepts each with probability min(1, p/q), replaces the first rejected one by a draw from
    the residual, and adds a word if all are accepted. The figure shows why the text follows the
    large model's probabilities exactly, and what it costs. It runs in the page, without a kernel;
    ``python -m lessons.trained.book_gpt.make`` makes the large model again, and
    ``python -m lessons.trained.book_gpt.bigrams`` the bigram table.

    Args:
        text: the prompt, at most 200 letters; its last 24 words are read.
        draft: the draft model: "frequencies" of words, a table of "bigrams", the first "layer" of
            the GPT, or the "gpt" itself.
        length: how many words are drafted in each round, k, from 1 to 6.
        temperature: what the logits of both models are divided by, from 0.3 to 2.
        seed: of the random numbers, from 0 to 9999.
        step: how many steps are done, from 1 to 99. A draft, its check, each verdict and each word
            after the accepted ones is a step. A text ends when it has 20 words, and keeps the last
            round whole.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.

    Reference: Leviathan et al. 2023; Chen et al. 2023.
    """

    name = "draft_and_verify"
    printed = ("text", "draft", "length")
    asset_files: ClassVar = {"model": PAGE, "table": BIGRAMS}

    text = Unicode("attention is").tag(sync=True, figure=True, letters=SHARED["letters"])
    draft = Unicode("bigrams").tag(sync=True, figure=True, options=SHARED["drafts"])
    length = Int(4).tag(sync=True, figure=True, limits=SHARED["length"])
    temperature = Float(1.0).tag(sync=True, figure=True, limits=SHARED["temperature"])
    seed = Int(5).tag(sync=True, figure=True, limits=SHARED["seed"])
    step = Int(5).tag(sync=True, figure=True, limits=SHARED["step"])

    def setting(self) -> Setting:
        """Return what the text depends on."""
        return Setting(**{name: getattr(self, name) for name in Setting._fields})

    def moment(self) -> Moment:
        """Return the rounds so far and what the last step did."""
        return moment_of(self.setting())

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name.

        draft (k, 3) has q, p and min(1, p/q) of each drafted word. why (n, 3) has min(p, q), the
        residual and p of the likeliest words, of all others and of all words.
        passes (3, 1) has the weights
        read by checks, by drafting and by plain decoding, in passes of the large model.
        """
        moment = self.moment()
        return {
            "draft": draft_numbers(moment),
            "why": why_numbers(moment),
            "passes": pass_numbers(self.setting(), moment),
        }

    def picture(self) -> str:
        """Return the text so far, and the tables with their bars."""
        moment, found = self.moment(), self.results()
        ids = written_at(moment)
        tokens = precise_book_gpt().tokenizer.tokens
        words = [tokens[i] for i in ids[len(moment.rounds[0].start) :]]
        whole = reduce(longer, words, self.text.rstrip())
        prompt = html.escape(self.text.rstrip())
        written = html.escape(whole[len(self.text.rstrip()) :])
        captions, passes = SHARED["captions"], SHARED["passes"]
        cost = picture_table(
            captions["passes"], found["passes"], passes, ["passes"], "tl-bars dv-passes",
            lambda x: brief(x, 1),
        )  # fmt: skip
        keys = "".join(
            f'<span class="dv-key dv-key-{name}">{html.escape(text)}</span>'
            for name, text in SHARED["keys"].items()
        )
        draft, why = _draft_table(moment, found["draft"]), _why_table(moment, found["why"])
        fates = "".join(f"<span>{html.escape(text)}</span>" for text in SHARED["fates"])
        return (
            f'<div class="tl-draft-and-verify"><p>{html.escape(SHARED["legend"])}</p>'
            f'<p class="dv-text" lang="en"><span class="dv-prompt">{prompt}</span>{written} …</p>'
            f"<p>Draft model: {SHARED['names'][self.draft]}, {self.length} words in each round, "
            f"temperature {self.temperature:g}.</p>"
            f'<div class="dv-stage"><div class="dv-drafted">{draft}</div>'
            f'<div class="dv-proof">{why}<p class="dv-keys">{keys}</p>'
            f'<p class="dv-keys">{fates}</p></div>'
            f'<div class="dv-cost">{cost}</div></div></div>'
        )


def brief(x: float, digits: int = 3) -> str:
    """Write a probability for a table: three decimals, "?" before it is known.

    >>> brief(0.25), brief(0.0002), brief(float("nan"))
    ('0.25', '<0.001', '?')
    """
    if x != x:
        return "?"
    least = 10**-digits
    return f"<{least:g}" if 1e-9 <= x < least / 2 else number(max(0.0, x), digits)


def verdicts(moment: Moment) -> list[str]:
    """Return the name of the verdict on each drafted word so far."""
    one, found = moment.rounds[-1], []
    for i in range(len(one.drafted)):
        if i < min(moment.judged, one.accepted):
            found.append("accepted")
        elif moment.judged <= one.accepted:
            found.append("waits")
        else:
            found.append("rejected" if i == one.accepted else "dropped")
    return found


def _words(ids: tuple[int, ...] | list[int]) -> list[str]:
    return [precise_book_gpt().tokenizer.tokens[i] for i in ids]


def _draft_table(moment: Moment, numbers: Tensor) -> str:
    most = numbers[:, :2].nan_to_num(0).max()
    shares = torch.column_stack([numbers[:, :2] / most, numbers[:, 2]]).nan_to_num(0)
    cells = []
    for row, share in zip(numbers.tolist(), shares.tolist(), strict=True):
        cells.append(
            [
                f'<td style="--share:{part:.3f}">{html.escape(brief(x))}</td>'
                for x, part in zip(row, share, strict=True)
            ]
        )
    signs = [SHARED["verdicts"][name] for name in verdicts(moment)]
    words = _words(moment.rounds[-1].drafted)
    return html_table(
        SHARED["captions"]["draft"],
        [f"{word} {sign}" for word, sign in zip(words, signs, strict=True)],
        SHARED["heads"]["draft"],
        cells,
        "tl-bars dv-draft",
    )


def _why_table(moment: Moment, numbers: Tensor) -> str:
    p, q = (x.nan_to_num(0) for x in both_at(moment))
    ids = shown_at(moment)
    most = float(torch.maximum(p, q)[ids].max())
    total = numbers[-1].nan_to_num(0)
    bars = [(float(p[i]) / most, float(q[i]) / most) for i in ids]
    bars += [(0.0, 0.0), (float(total[2]), float(total[0]))]
    cells = []
    for row, (large, small) in zip(numbers.tolist(), bars, strict=True):
        over = " dv-over" if small > large else ""
        over += " dv-unknown" if moment.stage == "drafted" else ""
        both, end = min(large, small), max(large, small)
        bar = f'<td class="dv-bar{over}" style="--both:{both:.3f};--end:{end:.3f}">'
        *parts, last = (f"{html.escape(brief(x))}</td>" for x in row)
        cells.append([*(f"<td>{part}" for part in parts), bar + last])
    names = [*_words(ids), SHARED["others"], SHARED["total"]]
    return html_table(SHARED["captions"]["why"], names, SHARED["heads"]["why"], cells, "dv-why")
