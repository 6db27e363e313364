"""Which decimal numbers a chapter writes in words, and whether its outputs contain them.

A number is borne out when a number among the outputs, or in the worked examples that the chapter
shows, rounds to it at the digits written: 0.84 by 0.8446, −1.34 by −1.3416, 10⁻⁵ by 1e-05.
"""

import bisect
import math
import re
from collections.abc import Iterator
from decimal import Decimal

from chapters import calls, code_cells, output_texts, source, strings
from nbformat import NotebookNode

_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
# 1.2 × 10⁻⁵, 10^{-5} and \times 10^-5, with or without the first factor.
_POWER_OF_TEN = re.compile(
    r"(?:(?P<factor>\d+(?:\.\d+)?)\s*(?:×|·|\\times|\\cdot)\s*)?(?<![\d.])10"
    r"(?:\^\{?(?P<plain>-?\d+)\}?|(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
)
_PERCENT = re.compile(r"(\d\.\d+)\s?\\?%")
# Where a paper says it is not a quantity: section 3.5, sections 3.1 and 4.1.
_SECTION = re.compile(
    r"\b[Ss]ection\s\d+(?:\.\d+)*(?!\.?\d)"
    r"|\b[Ss]ections\s\d+(?:\.\d+)*(?:(?:,\s|,?\sand\s|\sto\s|–)\d+(?:\.\d+)*)*(?!\.?\d)"
)
# A minus sign belongs to the number unless something to subtract from comes before it. Three
# numbers with two dots are a version or a section.
_NUMBER = re.compile(
    r"(?:(?<![A-Za-z0-9.)\]}])-)?(?<![A-Za-z0-9.])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\d|\.\d)"
)
_URL = re.compile(r"\]\([^)\s]*\)|https?://\S+")
_TAG = re.compile(r'</?[a-z]+(?:\s+[\w-]+="[^"]*")*\s*/?>')


def numbers(text: str) -> list[str]:
    """Every number in a text, whole ones too, as Decimal reads them."""
    text = text.replace("−", "-")
    text = _PERCENT.sub(r"\1e-2", _POWER_OF_TEN.sub(_as_exponent, text))
    return _NUMBER.findall(text)


def decimal_numbers(text: str) -> list[str]:
    """The numbers in a text that are not whole: with a decimal point or a negative exponent."""
    visible = _SECTION.sub(" ", _TAG.sub(" ", _URL.sub(" ", text)))
    return [n for n in numbers(visible) if re.search(r"\.\d|[eE]-", n)]


def bears_out(number: str, pool: list[Decimal]) -> bool:
    """Whether a number of the sorted pool rounds to `number` at the digits it is written with."""
    wanted = Decimal(number)
    half = Decimal(5).scaleb(wanted.as_tuple().exponent - 1)
    place = bisect.bisect_left(pool, wanted - half)  # of the smallest number that may round to it
    return place < len(pool) and pool[place] <= wanted + half


def unfounded(notebook: NotebookNode, examples: dict, exceptions: dict[str, str]) -> list[str]:
    """What is wrong with the numbers of a chapter: those that none of its outputs contains.

    Args:
        notebook: a chapter with stored outputs.
        examples: the worked examples by id.
        exceptions: phrases to pass over, each with the reason.
    """
    pool = known_numbers(notebook, examples)
    problems = []
    for place, text in prose(notebook):
        for phrase in exceptions:
            text = text.replace(phrase, " ")
        problems += [
            f"cell {place} says {number}, which no output and no worked example bears out"
            for number in decimal_numbers(text)
            if not bears_out(number, pool)
        ]
    return problems


def prose(notebook: NotebookNode) -> Iterator[tuple[int, str]]:
    """Yield place and text of all that is written by hand: markdown, quizzes and captions."""
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            yield place, source(cell)
        else:
            for call in calls(cell, "question", "predict"):
                yield from ((place, text) for text in strings(call))
            for call in calls(cell, "compare"):
                captions = (word.value for word in call.keywords if word.arg == "caption")
                yield from ((place, text) for value in captions for text in strings(value))
        yield from ((place, text) for text in _texts(cell.metadata.get("mystnb", {})))


def known_numbers(notebook: NotebookNode, examples: dict) -> list[Decimal]:
    """The sorted numbers of a chapter's outputs and of the worked examples that it compares."""
    texts = [
        text
        for _, cell in code_cells(notebook)
        for output in cell.outputs
        for text in output_texts(output)
    ]
    for _, cell in code_cells(notebook):
        for call in calls(cell, "compare"):
            shown = (examples[name] for name in strings(call) if name in examples)
            texts += [
                text
                for entry in shown
                for part in (entry.inputs, entry.printed, entry.value, entry.note)
                for text in _texts(part)
            ]
    return sorted({Decimal(number) for text in texts for number in numbers(text)})


def _texts(data: object) -> Iterator[str]:
    """Yield the leaves of nested dicts and lists as text; NaN, ∞ and truth values are none."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list | tuple):
        for item in data:
            yield from _texts(item)
    elif isinstance(data, str):
        yield data
    elif isinstance(data, int | float) and not isinstance(data, bool) and math.isfinite(data):
        yield repr(data)


def _as_exponent(power: re.Match) -> str:
    exponent = power["plain"] or power["raised"].translate(_SUPERSCRIPTS)
    return f"{power['factor'] or '1'}e{exponent}"
