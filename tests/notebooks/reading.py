"""What the rules for a chapter's shape read in it: words, sections, calls, proofs and drawings."""

import ast
import builtins
import re
from collections.abc import Iterator

from chapters import calls, code_cells, output_texts, source, syntax, tags
from citations import CITED
from nbformat import NotebookNode

DIAGRAM = re.compile(r"(^|\.)diagrams\.\w+\.\w+$")
HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)
WORD = re.compile(r"\S*\w\S*")
WRAPPERS = {
    "bool",
    "bool_",
    "tensor",
}  # they make a truth value of another one, and compute nothing
DRAWING = {"plt", "plots", *vars(builtins)}


def words_on_the_page(notebook: NotebookNode) -> list[int]:
    """How many words of each cell a reader sees before anything is unfolded."""
    return [len(WORD.findall(" ".join(visible(cell)))) for cell in notebook.cells]


def visible(cell: NotebookNode) -> Iterator[str]:
    """Yield what the page shows of a cell; of an output in two forms it shows one.

    A citation is one word, whatever its authors are called.
    """
    marks = set(tags(cell))
    if not marks & {"remove-input", "hide-input", "hide-cell"}:
        yield CITED.sub("(cited)", source(cell))
    if cell.cell_type == "code" and not marks & {"hide-output", "hide-cell"}:
        yield from (output_texts(output)[-1] for output in cell.outputs if output_texts(output))


def sections(notebook: NotebookNode) -> list[tuple[str, str]]:
    """Heading and text of every section of the second level."""
    text = "\n\n".join(source(cell) for cell in notebook.cells if cell.cell_type == "markdown")
    parts = HEADING.split(text)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def section_of(notebook: NotebookNode, place: int) -> str:
    """The heading of the section that contains a cell."""
    before = [cell for cell in notebook.cells[:place] if cell.cell_type == "markdown"]
    headings = [name for cell in before for name in HEADING.findall(source(cell))]
    return headings[-1] if headings else ""


def all_calls(notebook: NotebookNode, *names: str) -> Iterator[tuple[int, NotebookNode, ast.Call]]:
    for place, cell in code_cells(notebook):
        yield from ((place, cell, call) for call in calls(cell, *names))


def diagrams(cell: NotebookNode) -> Iterator[ast.Call]:
    """Yield the calls of diagrams.CHAPTER.NAME(…)."""
    for node in ast.walk(syntax(cell)):
        if isinstance(node, ast.Call) and DIAGRAM.search(ast.unparse(node.func)):
            yield node


def is_literal(node: ast.AST, cell: NotebookNode) -> bool:
    """Whether an expression computes nothing: it calls nothing and reads no computed name."""
    known = {
        target.id: statement.value
        for statement in syntax(cell).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }

    def literal(part: ast.AST) -> bool:
        if isinstance(part, ast.Name):
            return part.id in known and literal(known[part.id])
        if isinstance(part, ast.Call):
            return last_name(part.func) in WRAPPERS and all(map(literal, part.args))
        return all(map(literal, ast.iter_child_nodes(part)))

    return literal(node)


def only_draws(cell: NotebookNode) -> bool:
    """Whether a cell shows a plot, defines nothing and keeps no result but the plot's own."""
    body = syntax(cell).body
    kept = [s.value for s in body if isinstance(s, ast.Assign | ast.AugAssign)]
    made = [call for value in kept for call in ast.walk(value) if isinstance(call, ast.Call)]
    return (
        any(calls(cell, "show"))
        and not any(isinstance(s, ast.FunctionDef | ast.ClassDef) for s in body)
        and all(ast.unparse(call.func).partition(".")[0] in DRAWING for call in made)
    )


def last_name(node: ast.AST) -> str:
    """The name that a call ends in: "tensor" of torch.tensor."""
    return str(getattr(node, "attr", getattr(node, "id", "")))
