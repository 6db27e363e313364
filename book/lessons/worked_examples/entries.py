"""The worked examples and the documents they come from, read from the files in `data/`."""

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from lessons.worked_examples.registry import computed_ids, run


class PrintedNumber(float):
    """A number with the digits that a document prints: 0.60 stays 0.60."""

    digits: str

    def __new__(cls, digits: str) -> "PrintedNumber":
        number = super().__new__(cls, digits)
        number.digits = digits
        return number

    def __repr__(self) -> str:
        return self.digits


@dataclass(frozen=True)
class Document:
    """One lecture document: its short key, author, title and citation key in the bibliography."""

    key: str
    author: str
    title: str
    citation: str


#: The five lecture documents by their short names, in the order in which the book lists them.
DOCUMENTS = {
    document.key: document
    for document in (
        Document(
            "ahmed",
            "Ahmed",
            "Transformers 2: Residual Connections and Layer Normalization",
            "ahmed2025residual",
        ),
        Document(
            "muhammad_abdulmumin",
            "Muhammad and Abdulmumin",
            "Transformer (2)",
            "muhammad2025transformer",
        ),
        Document("ramarao", "Ramarao", "Intro to Transformers (part 2)", "ramarao2024intro"),
        Document(
            "nonlineark",
            "nonlineark",
            "Deep Learning - Foundations and Concepts, Chapter 12: Transformers",
            "nonlineark2025bishop",
        ),
        Document(
            "handwritten_notes", "Handwritten notes", "Introduction To Transformers", "notesintro"
        ),
    )
}


@dataclass(frozen=True)
class WorkedExample:
    """One number, vector, formula or claim of a document, and what is right.

    Attributes:
        id: the entry's name, the same in chapters, tests and the appendix.
        document: a key of :data:`DOCUMENTS`.
        lines: where it is in the document.
        topic: what it is about, in a few words.
        inputs: what the computation receives.
        printed: the value as the document prints it; None where it prints none.
        verdict: a key of :data:`~lessons.worked_examples.VERDICTS`.
        note: what is printed, what is right and why it matters.
        value: the right value or values; None where there is nothing to state.
        against: the key of `value` that the document's own words ask for, where there are several.
        claim: whether it is a matter of wording, with nothing to compute.
        judged: whether the verdict was reasoned, because no rule can compare the two.
    """

    id: str
    document: str
    lines: str
    topic: str
    inputs: dict[str, Any]
    printed: object
    verdict: str
    note: str
    value: object
    against: str | None = None
    claim: bool = False
    judged: bool = False

    @property
    def source(self) -> str:
        """The document and the lines, ready to print."""
        word = "line" if self.lines.split(";")[0].isdigit() else "lines"
        return f"{DOCUMENTS[self.document].author}, {word} {self.lines}"

    @property
    def computes(self) -> bool:
        """Whether this package computes the entry; it does unless the entry is a claim."""
        return self.id in computed_ids()

    def compute(self) -> object:
        """Compute the entry with this package and return plain numbers, lists or a dict.

        Raises:
            ValueError: the entry is a claim.

        >>> load()["zscore-mean"].compute()
        13.0
        """
        if self.claim:
            raise ValueError(f"{self.id!r} is a claim about wording: there is nothing to compute")
        return run(self.id, self.inputs)


def load() -> dict[str, WorkedExample]:
    """Read all worked examples.

    Returns:
        The entries by id, in the order of :data:`DOCUMENTS` and of the lines in each.

    >>> load()["output-the-sum"].printed
    [1.2669, 0.9999, 1.2669, 0.9999]
    """
    folder = resources.files("lessons.worked_examples") / "data"
    entries = {}
    for key in DOCUMENTS:
        text = (folder / f"{key}.json").read_text(encoding="utf-8")
        for fields in json.loads(text, parse_float=PrintedNumber):
            fields["inputs"] = _convert(fields["inputs"], float)
            fields["value"] = _convert(fields["value"], float)
            fields["printed"] = _convert(fields["printed"], PrintedNumber)
            entries[fields["id"]] = WorkedExample(document=key, **fields)
    return entries


def _convert(value: object, number: type) -> object:
    """Give every number with a decimal point one type; read inf, -inf and nan, unknown to JSON."""
    if isinstance(value, dict):
        return {key: _convert(item, number) for key, item in value.items()}
    if isinstance(value, list):
        return [_convert(item, number) for item in value]
    if isinstance(value, PrintedNumber):
        return number(value.digits)
    return float(value) if value in ("inf", "-inf", "nan") else value
