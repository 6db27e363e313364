"""Find the rule of doubt again: ``python -m lessons.trained.translator.measuring_doubt``.

The threshold is the one at which one in fifty right translations of held-out sentences is doubted.
One half of all sentences chooses it, the other half tells how many right translations it doubts,
and how many wrong ones it misses among sentences that the grammar cannot draw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lessons.trained.data import read_data
from lessons.trained.options import Options
from lessons.trained.translator.doubt import RULE, Rule, write_all
from lessons.trained.translator.loading import FOLDER, Translator, load_translator
from lessons.trained.translator.page import PAGE, write_page

OUTSIDE = FOLDER / "outside.txt"
#: The share of right translations that may be doubted, where the threshold is chosen.
FALSE_ALARMS = 0.02


class Outside(NamedTuple):
    """A sentence that the grammar cannot draw, and all that would be right; () if nothing is."""

    lacks: str
    source: str
    targets: tuple[str, ...]


class Case(NamedTuple):
    """A translation: whether it is right, and the mean log-probability of its words."""

    is_right: bool
    value: float


def read_outside(path: Path = OUTSIDE) -> list[Outside]:
    """Read the sentences that the grammar cannot draw.

    Raises:
        OSError: the file cannot be read.
    """
    found, lacks = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lacks = line.strip("[]")
        elif line and not line.startswith("#"):
            source, *targets = (part.strip() for part in line.split("|"))
            found.append(Outside(lacks, source, tuple(t for t in targets if t != "-")))
    return found


def cases(translator: Translator, sentences: Sequence[tuple[str, Sequence[str]]]) -> list[Case]:
    """Translate those sentences whose words are all known: the others are marked anyway.

    Args:
        translator: its rule is not used.
        sentences: each with all translations that are right; full stops at the end do not count.
    """
    tokenizer, found = translator.tokenizer, []
    known = [one for one in sentences if tokenizer.unk_id not in tokenizer.encode(one[0])]
    written = write_all(translator.model, tokenizer, [source for source, _ in known])
    for (_, targets), one in zip(known, written, strict=True):
        texts = [tokenizer.decode(one.ids), *targets]
        bare = [tokenizer.pieces(text.rstrip(".")) for text in texts]
        found.append(Case(bare[0] in bare[1:], one.log_probs.mean().item()))
    return found


def rule_of(inside: Sequence[Case], outside: Sequence[Case]) -> Rule:
    """Return the rule that every other case chooses, with its rates on the rest.

    Args:
        inside: held-out sentences.
        outside: sentences that the grammar cannot draw.

    Raises:
        ValueError: none of the translations of `inside` that choose is right.
    """
    right = sorted(case.value for case in inside[::2] if case.is_right)
    if not right:
        raise ValueError("inside must hold right translations, got none")
    threshold = right[int(FALSE_ALARMS * len(right))]
    alarms = [case.value < threshold for case in inside[1::2] if case.is_right]
    missed = [case.value >= threshold for case in outside[1::2] if not case.is_right]
    rates = [sum(found) / max(len(found), 1) for found in (alarms, missed)]
    return Rule(math.floor(threshold * 1e4) / 1e4, round(rates[0], 4), round(rates[1], 4))


def measure(translator: Translator) -> Rule:
    """Measure a translator that was trained by the options that :class:`Options` has by itself."""
    pairs = [pair for split in read_data(Options()).tests.values() for pair in split]
    decided = [pair for pair in pairs if "undecided" not in pair.phenomena]
    inside = cases(translator, [(pair.source, (pair.target,)) for pair in decided])
    return rule_of(inside, cases(translator, [one[1:] for one in read_outside()]))


def main(folder: Path = FOLDER, page: Path = PAGE) -> None:
    """Measure the translator in a folder, and write its rule there and into the page's file."""
    rule = measure(load_translator(folder))
    rule.save(folder / RULE)
    print(f"{rule}\n{page.name}: {write_page(load_translator(folder), page):,} bytes")


if __name__ == "__main__":
    main()
