"""Show what a benchmark has recorded: `measured NAME` shows benchmarks/results/NAME.json as tables.

The content of the directive is what the page says as long as no record exists. The option `columns`
names the columns to show, separated by commas, and `without` those to leave out. `match` is a
column and a value, as in `what=MB`, and shows only the rows with this value.
"""

import json
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


class Measured(SphinxDirective):
    """Show the tables of a record, with the machine and the note."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = dict.fromkeys(("columns", "without", "match"), directives.unchanged)

    def run(self) -> list[nodes.Node]:
        path = RESULTS / f"{self.arguments[0]}.json"
        self.env.note_dependency(str(path))
        if not path.exists():
            return self.parse_content_to_nodes()
        record = json.loads(path.read_text(encoding="utf-8"))
        shown: list[nodes.Node] = []
        for part in record.get("parts", [record]):
            rows = self.chosen(part["rows"])
            shown += [table(part["title"], rows), nodes.paragraph("", part["note"])]
        return [*shown, nodes.paragraph("", f"Measured on: {record['machine']}.")]

    def chosen(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows and the columns that the options ask for."""
        if "match" in self.options:
            column, _, value = self.options["match"].partition("=")
            rows = [row for row in rows if str(row.get(column)) == value]
        names, left_out = self.names("columns"), self.names("without")
        unknown = {name for name in names + left_out for row in rows if name not in row}
        if unknown or not rows:
            known = ", ".join(rows[0]) if rows else "no row matches"
            raise self.error(f"{self.arguments[0]}: {', '.join(unknown)} not in: {known}")
        return [{name: row[name] for name in names or row if name not in left_out} for row in rows]

    def names(self, option: str) -> list[str]:
        """Return the names of columns in an option."""
        return [name.strip() for name in self.options.get(option, "").split(",") if name]


def table(title: str, rows: list[dict[str, Any]]) -> nodes.Node:
    """Return rows as a table with a caption, which a narrow page scrolls."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    group = nodes.tgroup("", *(nodes.colspec("", colwidth=1) for _ in columns), cols=len(columns))
    group += nodes.thead("", line(columns))
    group += nodes.tbody("", *(line([text(row.get(name, "")) for name in columns]) for row in rows))
    return nodes.container("", nodes.table("", nodes.title("", title), group), classes=["measured"])


def line(cells: list[str]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", cell)) for cell in cells))


def text(value: object) -> str:
    """Return a number without trailing zeros, and anything else as it is."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def setup(app: Sphinx) -> None:
    app.add_directive("measured", Measured)
