"""Read a table that a teacher wrote, with errors that name the row and column."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

Row = dict[str, str]
#: Characters that separate cells: Excel uses the country's, and tabs in its "Unicode Text".
_DELIMITERS = ",;\t"
_SEPARATOR = re.compile(r"\Asep=.(?=\r?\n)")  # a first line that only Excel reads
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods, .xls


def read_table(path: Path) -> str:
    """Read the text of a teacher's table, in UTF-8 or in UTF-16 with a byte order mark.

    Raises:
        ValueError: it is in another encoding, or a workbook; the message says how to save it.
    """
    content = path.read_bytes()
    how = "In Excel choose Save As, CSV UTF-8; elsewhere choose CSV and the encoding UTF-8"
    if content.startswith(_WORKBOOKS):
        raise ValueError(f"{path} must be a table in CSV, and it is a workbook. {how}")
    try:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return content.decode("utf-16")
        if b"\0" in content:
            raise ValueError(f"{path} must be text in UTF-8, and it has zero bytes. {how}")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = content.count(b"\n", 0, error.start) + 1
        line = content[content.rfind(b"\n", 0, error.start) + 1 : error.end]
        problem = (
            f"must be in UTF-8, and line {row} is not: {line.decode('ascii', 'replace')[-40:]!r}"
        )
        raise ValueError(f"{path} {problem}. {how}") from None


def delimiter_of(text: str) -> str:
    """Return the separator of a table: the one that splits the first row into the most cells."""
    found = (csv.reader(io.StringIO(text, newline=""), delimiter=sign) for sign in _DELIMITERS)
    counts = [len(next(filter(None, rows), [])) for rows in found]
    return _DELIMITERS[counts.index(max(counts))]


def cells_of(text: str, what: str) -> list[list[str]]:
    """Return the cells of a table, row by row; an empty row is an empty list.

    Raises:
        ValueError: the text is not valid CSV; the message calls the table `what`.
    """
    text = _SEPARATOR.sub("", text.removeprefix("\ufeff"))
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text)))
    except csv.Error as error:
        raise ValueError(f"{what} must be a table in CSV: {error}") from None
    return [row if any(map(str.strip, row)) else [] for row in rows]


def rows_of(text: str, what: str, needed: Sequence[str], known: Sequence[str]) -> list[Row]:
    """Return the rows of a table, by column name; rows without any text are left out.

    Args:
        text: the table, as CSV.
        what: its name in messages, such as "the roster".
        needed: the columns that it must have.
        known: all columns that it may have.

    Raises:
        ValueError: a column is missing, unknown or duplicate, or a row is longer than the first.
    """
    table = [[cell.strip() for cell in row] for row in cells_of(text, what)]
    first = next((number for number, row in enumerate(table) if row), 0)
    head = [name.casefold() for name in table[first]] if table else []
    while head and not head[-1]:
        head.pop()  # Excel keeps empty columns that were once in use
    if lacking := [name for name in needed if name not in head]:
        raise ValueError(f"{what} must have a column {lacking[0]!r}, got {', '.join(head)[:200]!r}")
    if odd := [name for name in head if name not in known or head.count(name) > 1]:
        rule = f"the columns {', '.join(known)}, each once"
        raise ValueError(f"{what} must have no others than {rule}, got {odd[0]!r}")
    found = []
    for number, row in enumerate(table[first + 1 :], start=first + 2):
        if any(row[len(head) :]):
            raise ValueError(
                f"{what} must have {len(head)} cells a row, got {len(row)} in row {number}"
            )
        filled = [*row, *[""] * (len(head) - len(row))][: len(head)]
        found += [dict(zip(head, filled, strict=True)) | {"": str(number)}] if row else []
    return found
