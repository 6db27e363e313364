"""Write the tables of static pictures and their layout on the page."""

import html
from collections.abc import Callable, Mapping, Sequence

import torch

from lessons.kit.figures.units import number


def picture_table(
    caption: str,
    values: torch.Tensor | list[list[float]],
    rows: list[str],
    columns: list[str],
    kind: str = "",
    write: Callable[[float], str] = number,
) -> str:
    """Return one table of a static picture, shaded like the live table; all text is escaped.

    `write` formats a number, like `matrix({…, write})` in JavaScript.
    """
    values = torch.as_tensor(values).double().tolist()
    finite = [abs(x) for row in values for x in row if abs(x) < float("inf")]
    top = max([1e-9, *finite])

    def cell(x: float) -> str:
        heat = abs(x) / top if abs(x) < float("inf") else 0.0
        kind = "tl-nan" if x != x else "tl-off" if x == float("-inf") else ""
        return f'<td class="{kind}" style="--heat:{heat:.3f}">{write(x)}</td>'

    return html_table(caption, rows, columns, [[*map(cell, row)] for row in values], kind)


def text_table(
    caption: str, rows: list[str], columns: list[str], cells: list[list[str]], kind: str = ""
) -> str:
    """Return a table of texts that looks like :func:`picture_table`; all text is escaped."""
    written = [[f"<td>{html.escape(text)}</td>" for text in row] for row in cells]
    return html_table(caption, rows, columns, written, kind)


def html_table(
    caption: str, rows: list[str], columns: list[str], cells: list[list[str]], kind: str
) -> str:
    """Return a table from the markup of its cells; caption and names are escaped."""
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in columns)
    body = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>{"".join(row)}</tr>'
        for name, row in zip(rows, cells, strict=True)
    )
    return (
        f'<div class="tl-matrix-box"><table class="tl-matrix {kind}">'
        f"<caption>{html.escape(caption)}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def picture_tables(
    captions: Mapping[str, str],
    values: Mapping[str, torch.Tensor],
    names: Mapping[str, tuple[list[str], list[str]]],
    kinds: Mapping[str, str] | None = None,
    writers: Mapping[str, Callable[[float], str]] | None = None,
) -> list[str]:
    """Return one table for each caption. The other arguments have the same keys.

    Args:
        captions: by key, in the order of the page.
        values: the numbers of each table.
        names: the names of its rows and of its columns.
        kinds: its CSS class, if it has one.
        writers: the function that formats its numbers, if that is not `number`.
    """
    kinds, writers = kinds or {}, writers or {}
    return [
        picture_table(
            caption, values[key], *names[key], kinds.get(key, ""), writers.get(key, number)
        )
        for key, caption in captions.items()
    ]


def panels(*tables: str) -> str:
    """Return tables side by side, or one below the other on a narrow page."""
    return f'<div class="tl-panels">{"".join(tables)}</div>'


def counted(items: Sequence[object]) -> list[str]:
    """Return the names "1", "2", …, one for each item.

    >>> counted(["a", "b"])
    ['1', '2']
    """
    return [str(number) for number in range(1, len(items) + 1)]
