"""How a test reads the tables of a static picture."""

import re
from html import unescape

TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
CELL = re.compile(r"<(?:td|th)[^>]*>([^<]*)</t[dh]>")


def _texts(markup: str) -> list[str]:
    return [unescape(text) for text in CELL.findall(markup)]


def tables_of(picture: str) -> list[dict]:
    """Return each table's caption, heads, row names and cells, as a reader sees them."""
    tables = []
    for table in TABLE.findall(picture):
        head, body = table.split("<tbody>")
        rows = [_texts(row) for row in body.split("<tr>")[1:]]
        tables.append(
            {
                "caption": unescape(re.search("<caption>(.*?)</caption>", table)[1]),
                "heads": _texts(head)[1:] if "<td></td>" in head else _texts(head),
                "rows": [row[0] for row in rows],
                "cells": [row[1:] for row in rows],
            }
        )
    return tables
