"""How good the translator is, split by split and phenomenon by phenomenon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lessons.trained.translator.loading import Translator
from transformer_lite.text import Pair
from transformer_lite.training import exact_match, translate


class Row(NamedTuple):
    """One line of a table of exact match.

    Attributes:
        name: a phenomenon, or a split.
        pairs: how many pairs it was measured on.
        exact: the share of them whose translation is right, letter by letter.
        wrong: the first of them that is wrong: source, translation, reference. None if all are
            right.
    """

    name: str
    pairs: int
    exact: float
    wrong: tuple[str, str, str] | None


def measure(translator: Translator, pairs: Sequence[Pair], beam_width: int = 1) -> list[Row]:
    """Translate pairs and return the table of exact match: all of them, then each phenomenon.

    Args:
        translator: what to measure.
        pairs: sentences, their translations, and what is hard about them.
        beam_width: as in :func:`transformer_lite.training.translate`.

    Raises:
        ValueError: there are no pairs.
    """
    sources = [pair.source for pair in pairs]
    written = translate(translator.model, translator.tokenizer, sources, beam_width)
    return [split_row("all", pairs, written), *by_phenomenon(pairs, written)]


def split_row(name: str, pairs: Sequence[Pair], translations: Sequence[str]) -> Row:
    """Return the line of a table about these pairs.

    Raises:
        ValueError: there are no pairs, or not as many translations.
    """
    exact = exact_match(translations, [pair.target for pair in pairs])
    together = zip(pairs, translations, strict=True)
    wrong = ((p.source, ours, p.target) for p, ours in together if ours != p.target)
    return Row(name, len(pairs), exact, next(wrong, None))


def by_phenomenon(pairs: Sequence[Pair], translations: Sequence[str]) -> list[Row]:
    """Return a line for each phenomenon, the hardest first.

    A pair counts in the line of each of its phenomena.

    Raises:
        ValueError: there are not as many translations as pairs.

    >>> pairs = [Pair("oui", "yes", frozenset({"short"}))]
    >>> by_phenomenon(pairs, ["no"])
    [Row(name='short', pairs=1, exact=0.0, wrong=('oui', 'no', 'yes'))]
    """
    together = list(zip(pairs, translations, strict=True))
    rows = []
    for name in sorted({name for pair in pairs for name in pair.phenomena}):
        chosen = [(pair, ours) for pair, ours in together if name in pair.phenomena]
        rows.append(split_row(name, *map(list, zip(*chosen, strict=True))))
    return sorted(rows, key=lambda row: (row.exact, row.name))
