"""What a chapter must look like: each rule takes a notebook and returns what is wrong with it.

`test_rules.py` shows each rule a notebook that breaks it; `test_notebook_lint.py` applies all of
them to all chapters.
"""

import ast
import re
import statistics
from functools import cache
from pathlib import Path

from chapters import calls, code_cells, output_texts, rules_in, source, syntax, tags
from citations import KEY, as_roles
from docutils.nodes import make_id
from nbformat import NotebookNode
from nbformat.validator import iter_validate
from practice import covers_of
from pybtex.database import Entry, parse_file

LONGEST_CELL = 15
MEDIAN_CELL = 8
WIDEST_LINE = 80  # what the page shows without scrolling
WIDEST_HIDDEN_LINE = 100  # of code that it does not show: what fits an editor
MOST_DECIMALS = 4
SECTIONS = (
    "What you will be able to do",
    "Summary",
    "Exercises",
    "Quiz",
    "Where the documents say this",
    "Further reading",
)
# Not here: remove-… (a stored output that no page shows), raises-exception and nbval-… (they
# switch the comparison off; only `varies` does, for a number that differs between machines).
TAGS = {"hide-input", "hide-output", "hide-cell", "remove-input", "exercise", "solution", "varies"}
NBVAL_COMMENT = re.compile(r"#\s*(NBVAL_\w+|PYTEST_VALIDATE_IGNORE_OUTPUT)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
LEFTOVER = re.compile(r"\bText\(|<Axes|<matplotlib\.|<\w+(\.\w+)* object at 0x")
MACHINE_PATH = re.compile(
    r"(?<![\w.:/])/(home|Users|root|tmp|work|usr|opt|var|mnt|content|private)/|\b[A-Z]:\\\w"
)


def check_format(notebook: NotebookNode) -> list[str]:
    ids = [cell.get("id") for cell in notebook.cells]
    twice = [f"two cells have the id {name!r}" for name in set(ids) if ids.count(name) > 1]
    return [*(error.message for error in iter_validate(notebook)), *twice]


def check_kernel(notebook: NotebookNode) -> list[str]:
    name = notebook.metadata.get("kernelspec", {}).get("name")
    return [] if name == "python3" else [f"kernelspec must be named python3, got {name}"]


def check_title(notebook: NotebookNode) -> list[str]:
    first = notebook.cells[0]
    if first.cell_type == "markdown" and source(first).startswith("# "):
        return []
    return [f"the first cell must start with '# ', got {source(first)[:40]!r}"]


def check_sections(notebook: NotebookNode) -> list[str]:
    text = "\n".join(source(cell) for cell in notebook.cells if cell.cell_type == "markdown")
    headings = re.findall(r"^#{2,}\s+(.+?)\s*$", text, re.MULTILINE)
    return [f"no section {name!r}" for name in SECTIONS if name not in headings]


def check_cell_length(notebook: NotebookNode) -> list[str]:
    """Code that the page shows is short."""
    lengths = {
        place: source(cell).count("\n") + 1
        for place, cell in code_cells(notebook)
        if "remove-input" not in tags(cell)
    }
    problems = [
        f"cell {place} has {length} lines, more than {LONGEST_CELL}"
        for place, length in lengths.items()
        if length > LONGEST_CELL
    ]
    middle = statistics.median(lengths.values() or [0])
    if middle > MEDIAN_CELL:
        problems.append(f"the median code cell has {middle:g} lines, more than {MEDIAN_CELL}")
    return problems


def check_varying_outputs(notebook: NotebookNode) -> list[str]:
    """What is printed and not compared is asserted in the same cell."""
    return [
        f"cell {place} varies and asserts nothing"
        for place, cell in code_cells(notebook)
        if "varies" in tags(cell)
        and not any(isinstance(node, ast.Assert) for node in ast.walk(syntax(cell)))
    ]


def check_line_length(notebook: NotebookNode) -> list[str]:
    """Code fits the page that shows it, and the editor of those who work on it."""
    widest = {
        place: WIDEST_HIDDEN_LINE if "remove-input" in tags(cell) else WIDEST_LINE
        for place, cell in code_cells(notebook)
    }
    return [
        f"cell {place} has a line of {len(line)} characters, more than {widest[place]}"
        for place, cell in code_cells(notebook)
        for line in source(cell).splitlines()
        if len(line) > widest[place]
    ]


def check_empty_cells(notebook: NotebookNode) -> list[str]:
    return [
        f"cell {place} is empty" for place, cell in code_cells(notebook) if not source(cell).strip()
    ]


def check_definitions(notebook: NotebookNode) -> list[str]:
    problems = []
    for place, cell in code_cells(notebook):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        names = [node.name for node in syntax(cell).body if isinstance(node, kinds)]
        if len(names) > 1 and not {"exercise", "solution"} & set(tags(cell)):
            problems.append(f"cell {place} defines {', '.join(names)}: one a cell")
    return problems


def check_tags(notebook: NotebookNode) -> list[str]:
    return [
        f"cell {place} has the unknown tag {tag!r}"
        for place, cell in enumerate(notebook.cells)
        for tag in tags(cell)
        if tag not in TAGS
    ]


def check_nbval(notebook: NotebookNode) -> list[str]:
    """nbval obeys comments too, and it compares no cell whose execution count is null."""
    problems = []
    for count, (place, cell) in enumerate(code_cells(notebook), start=1):
        if comment := NBVAL_COMMENT.search(source(cell)):
            problems.append(f"cell {place} switches the comparison off: {comment[0]}")
        if cell.execution_count != count:
            problems.append(
                f"cell {place} must have execution count {count}, got {cell.execution_count}; "
                f"run tests/notebooks/store.py"
            )
        if "execution" in cell.metadata:
            problems.append(f"cell {place} stores when it ran")
    return problems


def check_text_before_code(notebook: NotebookNode) -> list[str]:
    """A markdown cell is among the two cells before.

    A solution follows its exercise; a question, hints and a cause bring their own text.
    """
    kinds = [cell.cell_type for cell in notebook.cells]
    return [
        f"cell {place} has no text in the two cells before it"
        for place, cell in code_cells(notebook)
        if "markdown" not in kinds[max(0, place - 2) : place]
        and "solution" not in tags(cell)
        and not any(calls(cell, "question", "predict", "hints", "cause"))
    ]


def check_assertions(notebook: NotebookNode) -> list[str]:
    """One is among the two cells before the text."""

    def asserts(cell: NotebookNode) -> bool:
        return cell.cell_type == "code" and any(
            isinstance(node, ast.Assert) or getattr(node, "attr", "").startswith("assert_")
            for node in ast.walk(syntax(cell))
        )

    return [
        f"cell {place} speaks of an assertion, and none stands in the two cells before it"
        for place, cell in enumerate(notebook.cells)
        if cell.cell_type == "markdown" and re.search(r"\bassertion\b", source(cell))
        if not any(map(asserts, notebook.cells[max(0, place - 2) : place]))
    ]


def check_output_types(notebook: NotebookNode) -> list[str]:
    problems = ["the metadata hold widget state"] if "widgets" in notebook.metadata else []
    for place, cell in code_cells(notebook):
        for output in cell.outputs:
            problems += [
                f"cell {place} stores {mime}"
                for mime in output.get("data", {})
                if not mime.startswith("text/")
            ]
    return problems


def check_errors_and_warnings(notebook: NotebookNode) -> list[str]:
    problems = []
    for place, cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "error":
                problems.append(f"cell {place} stores the error {output.ename}")
            if output.get("name") == "stderr":
                problems.append(f"cell {place} writes to stderr: {output_texts(output)[0][:80]!r}")
    return problems


def check_reprs(notebook: NotebookNode) -> list[str]:
    return [
        f"cell {place} ends in a value that says nothing to a reader: {found[0]!r}"
        for place, text in _stored_texts(notebook)
        if (found := LEFTOVER.search(text))
    ]


def check_decimals(notebook: NotebookNode) -> list[str]:
    return [
        f"cell {place} prints {found[0]}, more than {MOST_DECIMALS} decimals"
        for place, text in _stored_texts(notebook, worked_examples=False)
        if (found := re.search(rf"\d*\.\d{{{MOST_DECIMALS + 1},}}", text))
    ]


def check_machine_paths(notebook: NotebookNode) -> list[str]:
    texts = [(place, source(cell)) for place, cell in enumerate(notebook.cells)]
    return [
        f"cell {place} holds a path of one machine: {text[found.start() :][:40]!r}"
        for place, text in [*texts, *_stored_texts(notebook)]
        if (found := MACHINE_PATH.search(text))
    ]


def check_roles(notebook: NotebookNode) -> list[str]:
    """JupyterLab, Colab and VS Code show a role of the book as it is written."""
    return [
        f"cell {place} holds a role that Jupyter shows raw: {found[0]}"
        for place, cell in enumerate(notebook.cells)
        if cell.cell_type == "markdown"
        if (found := re.search(r"\{[\w:-]+\}`[^`]*`?", source(cell)))
    ]


def check_citations(notebook: NotebookNode) -> list[str]:
    """A citation is a link on one line, written as the builder of the pages would write it."""
    problems: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            as_roles(source(cell), _works(), problems.append)
            missing = set(KEY.findall(source(cell))) - _works().keys()
            problems += [f"references.bib has no {key!r}" for key in sorted(missing)]
    return problems


@cache
def _works() -> dict[str, Entry]:
    return dict(parse_file(str(Path(__file__).parents[2] / "book/references.bib")).entries)


def check_prediction_covers(notebook: NotebookNode) -> list[str]:
    """After a prediction, enough cells follow before the next heading or prediction."""
    problems = []
    for place, cell in code_cells(notebook):
        for call in calls(cell, "predict"):
            count, wanted = _free_cells(notebook.cells[place + 1 :]), covers_of(call) or 1
            if count < wanted:
                problems.append(f"cell {place} covers {wanted} cells, but {count} follow")
    return problems


def _free_cells(cells: list[NotebookNode]) -> int:
    """Count the cells before the first heading or prediction, with the text above a heading."""
    for count, cell in enumerate(cells):
        if cell.cell_type == "code" and any(calls(cell, "predict")):
            return count
        heading = HEADING.search(source(cell)) if cell.cell_type == "markdown" else None
        if heading:
            return count + bool(source(cell)[: heading.start()].strip())
    return len(cells)


def check_see_links(notebook: NotebookNode) -> list[str]:
    """Each anchor in the metadata `see` is a section of the chapter or a moment of a figure."""
    texts = [source(cell) for cell in notebook.cells if cell.cell_type == "markdown"]
    headings = [heading for text in texts for heading in HEADING.findall(text)]
    sections = {make_id(re.sub(r"\]\([^)]*\)|[][*`$]", "", heading)) for heading in headings}
    return [
        f"cell {place} sees {anchor!r}, which is not a section"
        for place, cell in enumerate(notebook.cells)
        for anchor in cell.metadata.get("see", "").split()
        if anchor not in sections and not re.fullmatch(r"tour-\w+-\d+", anchor)
    ]


def check_plots(notebook: NotebookNode) -> list[str]:
    """A plot cell ends in plt.show(), so that no repr is stored, and describes its picture."""
    problems = []
    for place, cell in code_cells(notebook):
        stored = (text for output in cell.outputs for text in output_texts(output))
        if not any(calls(cell, "show")) and not any("<Figure size" in text for text in stored):
            continue
        if not source(cell).rstrip().endswith("plt.show()"):
            problems.append(f"cell {place} is a plot and must end in plt.show()")
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        if not alt.strip():
            problems.append(f"cell {place} is a plot and needs the metadata mystnb.image.alt")
    return problems


def _stored_texts(notebook: NotebookNode, worked_examples: bool = True) -> list[tuple[int, str]]:
    """Place and text of the outputs; the documents' printed values keep all their digits."""
    return [
        (place, text)
        for place, cell in code_cells(notebook)
        for output in cell.outputs
        if worked_examples or 'class="worked-examples"' not in str(output.get("data", ""))
        for text in output_texts(output)
    ]


RULES = rules_in(globals())
