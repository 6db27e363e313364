"""Where the chapters are, and how the tests read their cells."""

import ast
import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

FOLDER = Path(__file__).parents[2] / "notebooks"
CHAPTERS = sorted(FOLDER.glob("*.ipynb"))
# Without this, a test parametrized over no chapter at all would pass.
assert len(CHAPTERS) >= 3, f"{FOLDER} must hold at least the first three chapters, got {CHAPTERS}"


def read(path: Path) -> NotebookNode:
    """Read a notebook without repairing it. All readers share one object, so do not change it."""
    return _notebook(path.read_text(encoding="utf-8"))


@cache
def _notebook(text: str) -> NotebookNode:
    return nbformat.from_dict(nbformat.reader.parse_json(text))


def code_cells(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Yield the place and the cell of all code cells."""
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            yield place, cell


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def source(cell: NotebookNode) -> str:
    """The text of a cell, which a file may hold in one piece or line by line."""
    return _joined(cell.source)


def syntax(cell: NotebookNode) -> ast.Module:
    """Parse a code cell; magics and shell lines count as the calls IPython makes of them."""
    return _syntax(source(cell))


@cache
def _syntax(text: str) -> ast.Module:
    return ast.parse(TransformerManager().transform_cell(text))


def calls(cell: NotebookNode, *names: str) -> Iterator[ast.Call]:
    """Yield the calls of functions with one of the names, as in f(…) and module.f(…)."""
    for node in ast.walk(syntax(cell)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            if name in names:
                yield node


def strings(node: ast.AST) -> list[str]:
    """All string literals inside a piece of code, without the formats of f-strings (:.4f)."""
    nodes = list(ast.walk(node))
    formats = [n.format_spec for n in nodes if isinstance(n, ast.FormattedValue) and n.format_spec]
    skipped = {id(part) for spec in formats for part in ast.walk(spec)}
    return [
        n.value
        for n in nodes
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in skipped
    ]


def output_texts(output: NotebookNode) -> list[str]:
    """What a stored output says in words: printed text, text/plain, text/html without its tags."""
    if output.output_type == "stream":
        return [_joined(output.text)]
    if output.output_type == "error":
        return [f"{output.ename}: {output.evalue}"]
    texts = {mime: _joined(text) for mime, text in output.data.items() if mime.startswith("text/")}
    if "text/html" in texts:
        texts["text/html"] = html.unescape(re.sub(r"<[^>]*>", " ", texts["text/html"]))
    return list(texts.values())


def rules_in(module: dict[str, Any]) -> list[FunctionType]:
    """The rules of a module: every function that it defines and does not keep to itself."""
    return [
        value
        for name, value in module.items()
        if isinstance(value, FunctionType)
        and value.__module__ == module["__name__"]
        and not name.startswith("_")
    ]


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
