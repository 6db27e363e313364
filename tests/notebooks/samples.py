"""Small notebooks to try the rules and the commands on."""

import nbformat.v4 as v4
from nbformat import NotebookNode
from rules import SECTIONS


def code(source: str, text: str | None = None, **metadata) -> NotebookNode:
    """A code cell that printed `text`."""
    outputs = [v4.new_output("stream", name="stdout", text=text)] if text else []
    return v4.new_code_cell(source, outputs=outputs, metadata=metadata)


def displayed(source: str, mime: str, data: object, **metadata) -> NotebookNode:
    """A code cell that showed `data`."""
    output = v4.new_output("display_data", data={mime: data})
    return v4.new_code_cell(source, outputs=[output], metadata=metadata)


def notebook(*cells: NotebookNode | str) -> NotebookNode:
    """A notebook of these cells, as if it had run from top to bottom; a string is text."""
    made = [v4.new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    ran = [cell for cell in made if cell.cell_type == "code"]
    for count, cell in enumerate(ran, start=1):
        cell.execution_count = count
    kernel = {"name": "python3", "display_name": "Python 3"}
    return v4.new_notebook(cells=made, metadata={"kernelspec": kernel})


def chapter(*cells: NotebookNode | str) -> NotebookNode:
    """A chapter that obeys all rules and prints 0.8446, with some cells added to it."""
    headings = [f"## {name}" for name in SECTIONS]
    return notebook("# A title\n\nText.", code("print(0.8446)", "0.8446\n"), *headings, *cells)
