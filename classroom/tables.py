"""Read a table that a teacher wrote, with errors that name the row and column."""

import csv
import io
from collections.abc import Sequence

Row = dict[str, str]


def cells_of(text: str, what: str) -> list[list[str]]:
    """Return the cells of a table, row by row.

    Raises:
        ValueError: the text is not valid CSV; the message calls the table `what`.
    """
    try:
        return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    except csv.Error as error:
        raise ValueError(f"{what} must be a table with commas: {error}") from None


def rows_of(text: str, what: str, needed: Sequence[str], known: Sequence[str]) -> list[Row]:
    """Return the rows of a table, by the names of its columns; rows without any text are left out.

    Args:
        text: the table, as CSV with commas.
        what: what it is called in a message, such as "the roster".
        needed: the columns that it must have.
        known: all that it may have.

    Raises:
        ValueError: a column is missing, unknown or there twice, or a row is longer than the first.
    """
    head, *rows = cells_of(text, what) or [[]]
    head = [name.strip().casefold() for name in head]
    if lacking := [name for name in needed if name not in head]:
        raise ValueError(f"{what} must have a column {lacking[0]!r}, got {', '.join(head)[:200]!r}")
    if odd := [name for name in head if name not in known or head.count(name) > 1]:
        rule = f"the columns {', '.join(known)}, each once"
        raise ValueError(f"{what} must have no others than {rule}, got {odd[0]!r}")
    for number, row in enumerate(rows, start=2):
        if len(row) > len(head):
            raise ValueError(
                f"{what} must have {len(head)} cells a row, got {len(row)} in row {number}"
            )
    filled = [[cell.strip() for cell in row] + [""] * (len(head) - len(row)) for row in rows]
    return [
        dict(zip(head, row, strict=True)) | {"": str(n)}
        for n, row in enumerate(filled, 2)
        if any(row)
    ]
