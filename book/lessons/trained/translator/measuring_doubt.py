"""Find the rule of doubt anew: ``python -m lessons.trained.translator.measuring_doubt``.

Several signals are compared. For each, the threshold is the one at which one in fifty right
translations of held-out sentences is doubted; the best signal is the one that then misses the
fewest wrong translations of sentences that the grammar cannot draw. One half of all sentences
chooses, the other half tells the rates. It writes the rule beside the weights and into the page.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lessons.trained.data import read_data
from lessons.trained.options import Options
from lessons.trained.translator.doubt import RULE, SIGNALS, Rule, Written, write_all
from lessons.trained.translator.loading import FOLDER, Translator, load_translator
from lessons.trained.translator.page import PAGE, write_page
from transformer_lite.text import Pair, Tokenizer

OUTSIDE = FOLDER / "outside.txt"
#: The share of right translations that may be doubted, where a rule is chosen.
FALSE_ALARMS = 0.02
#: The shares at which a signal's misses are shown.
SHOWN = (0.01, 0.02, 0.05, 0.1)
#: How many pairs the training begins with that are as familiar as can be: *merci*, *oui*.
FAMILIAR = 10


class Outside(NamedTuple):
    """A sentence that the grammar cannot draw, and all that would be right; () if nothing is."""

    lacks: str
    source: str
    targets: tuple[str, ...]


class Case(NamedTuple):
    """A sentence of known words, as the translator wrote it.

    Attributes:
        source: in French.
        english: its translation.
        is_right: whether that is what is wanted.
        signals: all signals, by name.
    """

    source: str
    english: str
    is_right: bool
    signals: dict[str, float]


class Outcome(NamedTuple):
    """What a rule does: the shares of right ones doubted, and of wrong ones missed."""

    threshold: float
    false_alarms: float
    misses: float


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


def is_known(tokenizer: Tokenizer, text: str) -> bool:
    """Return whether a translator knows all words of a text: the others are marked anyway."""
    return tokenizer.unk_id not in tokenizer.encode(text)


def cases(
    translator: Translator,
    sentences: Sequence[tuple[str, Sequence[str]]],
) -> list[Case]:
    """Translate sentences of known words and measure every signal.

    Args:
        translator: its rule is not used.
        sentences: each with all translations that are right; full stops at the end do not count.
    """
    tokenizer = translator.tokenizer
    known = [one for one in sentences if is_known(tokenizer, one[0])]
    sources = [source for source, _ in known]
    written = write_all(translator.model, tokenizer, sources)
    return [_case(tokenizer, *known[i], written[i]) for i in range(len(known))]


def _case(tokenizer: Tokenizer, source: str, targets: Sequence[str], written: Written) -> Case:
    english = tokenizer.decode(written.ids)
    bare = [tokenizer.pieces(text.rstrip(".")) for text in (english, *targets)]
    signals = {name: of(written) for name, of in SIGNALS.items()}
    return Case(source, english, bare[0] in bare[1:], signals)


def outcome(cases: Sequence[Case], signal: str, threshold: float) -> Outcome:
    """Return how a threshold does on some cases; a share of nothing is 0."""
    right = [case.signals[signal] < threshold for case in cases if case.is_right]
    wrong = [case.signals[signal] >= threshold for case in cases if not case.is_right]
    return Outcome(threshold, _share(right), _share(wrong))


def _share(found: Sequence[bool]) -> float:
    return sum(found) / max(len(found), 1)


def threshold_at(inside: Sequence[Case], signal: str, share: float) -> float:
    """Return the threshold below which at most a share of the right translations lies.

    Raises:
        ValueError: no translation is right.
    """
    values = sorted(case.signals[signal] for case in inside if case.is_right)
    if not values:
        raise ValueError("inside must hold right translations, got none")
    return values[int(share * len(values))]


def choose(
    inside: Sequence[Case],
    outside: Sequence[Case],
    names: Sequence[str],
    familiar: Sequence[Case] = (),
) -> Rule:
    """Return the signal that misses the fewest wrong translations, with its rates on these cases.

    Its threshold leaves the allowed share of false alarms, or fewer: no familiar sentence is below.

    Args:
        inside: held-out sentences.
        outside: sentences that the grammar cannot draw.
        names: the signals to choose from.
        familiar: sentences that a reader types first, and that are translated right.

    Raises:
        ValueError: no translation of `inside` is right.
    """
    rules = []
    for name in names:
        lowest = min((case.signals[name] for case in familiar), default=math.inf)
        threshold = min(threshold_at(inside, name, FALSE_ALARMS), lowest)
        rules.append(_with_rates(Rule(name, threshold, 0.0, 0.0), inside, outside))
    return min(rules, key=lambda rule: rule.misses)


def _with_rates(rule: Rule, inside: Sequence[Case], outside: Sequence[Case]) -> Rule:
    return replace(
        rule,
        false_alarms=outcome(inside, rule.signal, rule.threshold).false_alarms,
        misses=outcome(outside, rule.signal, rule.threshold).misses,
    )


def halves(items: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Return every other case, from the first and from the second."""
    return list(items[::2]), list(items[1::2])


def shuffled(pairs: Sequence[Pair], count: int = 500) -> list[tuple[str, Sequence[str]]]:
    """Return held-out sentences with their words in another order, none with a translation."""
    rng = random.Random(0)
    found: list[tuple[str, Sequence[str]]] = []
    for source, *_ in pairs[:count]:
        words = source.split()
        rng.shuffle(words)
        if " ".join(words) != source:
            found.append((" ".join(words), ()))
    return found


def table(
    inside: Sequence[Case], groups: Mapping[str, Sequence[Case]], names: Sequence[str]
) -> str:
    """Write the misses of each signal in each group, over the false alarms that are allowed."""
    lines = [f"{'misses at false alarms of':<28}" + "".join(f"{100 * s:>7.0f} %" for s in SHOWN)]
    for group, cases in groups.items():
        wrong = sum(not case.is_right for case in cases)
        lines.append(f"{group}: {wrong} of {len(cases)} wrong")
        for name in names:
            at = (threshold_at(inside, name, share) for share in SHOWN)
            shares = [outcome(cases, name, threshold).misses for threshold in at]
            lines.append(f"  {name:<26}" + "".join(f"{100 * s:>7.1f} %" for s in shares))
    return "\n".join(lines)


def measure(
    translator: Translator,
    say: Callable[[str], object] = print,
    spare: bool = False,
) -> Rule:
    """Compare the signals on the translator's held-out sentences and on those outside.

    Args:
        translator: trained by the options that :class:`Options` has by itself.
        say: takes the lines of the report.
        spare: whether no sentence that training begins with may be doubted, at the price of misses.

    Returns:
        The rule, with its rates on the half that has not chosen it.
    """
    data = read_data(Options())
    pairs = [pair for split in data.tests.values() for pair in split]
    decided = [pair for pair in pairs if "undecided" not in pair.phenomena]
    inside = cases(translator, [(p.source, (p.target,)) for p in decided])
    first = [(p.source, (p.target,)) for p in data.train[:FAMILIAR]]
    familiar = [case for case in cases(translator, first) if case.is_right]
    theirs = read_outside()
    outside = cases(translator, [(one.source, one.targets) for one in theirs])
    mixed = cases(translator, shuffled(decided))
    say(f"outside: {len(outside)} of {len(theirs)} sentences have only known words")
    say(f"right: {sum(case.is_right for case in outside)} of them")
    choosing, telling = zip(halves(inside), halves(outside), strict=True)
    groups = {"inside": choosing[0], "outside": choosing[1], "shuffled": mixed}
    say(table(choosing[0], groups, [*SIGNALS]))
    chosen = choose(*choosing, [*SIGNALS], familiar if spare else ())
    rule = _with_rates(chosen, *telling)
    say(f"chosen: {rule.signal} below {rule.threshold:.4f}; on the half that chose, "
        f"false alarms {chosen.false_alarms:.3f}, misses {chosen.misses:.3f}; on the other, "
        f"false alarms {rule.false_alarms:.3f}, misses {rule.misses:.3f}")  # fmt: skip
    doubted = [case.source for case in familiar if case.signals[rule.signal] < rule.threshold]
    say(f"doubted of what training begins with: {', '.join(doubted) or 'nothing'}")
    say("wrong outside, and not doubted:")
    for case in outside:
        if not case.is_right and case.signals[rule.signal] >= rule.threshold:
            say(f"  {case.source} -> {case.english}")
    return replace(
        rule,
        threshold=math.floor(rule.threshold * 1e4) / 1e4,
        false_alarms=round(rule.false_alarms, 4),
        misses=round(rule.misses, 4),
    )


def main(arguments: Sequence[str] | None = None, folder: Path = FOLDER, page: Path = PAGE) -> int:
    """Measure, and write the rule and the page.

    Args:
        arguments: the command line; None takes that of the process.
        folder: where the translator is.
        page: its file of the page.

    Returns:
        The exit status, which is 0.
    """
    reader = argparse.ArgumentParser(
        "python -m lessons.trained.translator.measuring_doubt",
        description=__doc__.partition("\n")[0],
    )
    reader.add_argument(
        "--spare", action="store_true", help="doubt nothing that training begins with: merci"
    )
    chosen = reader.parse_args(arguments)
    rule = measure(load_translator(folder), spare=chosen.spare)
    rule.save(folder / RULE)
    print(f"{page.name}: {write_page(load_translator(folder), page):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
