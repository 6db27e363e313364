"""Write check-ups on paper: a sheet for the class and a key for the teacher, for each part.

A check-up asks twelve questions and drills from all chapters of a part. Its number decides which,
in what order and with what numbers: the book's page Review asks the same on a screen.
"""

import argparse
import ast
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from classroom.markup import Child, Markup, element, page
from classroom.source import ROOT, book
from lessons.kit.cells import source
from lessons.kit.drills.live_drill import engine, static_problem
from lessons.kit.figures.live_figure import SHEETS, compose
from lessons.kit.figures.question.question import insert_right

DRAWN = ROOT / "book/static/review/drawn.js"
STYLE = Path(__file__).with_name("checkups.css")
MOST = 9999


class Asked(NamedTuple):
    """A question or a drill of a chapter; `right` and `choices` are set only for a question."""

    id: str
    chapter: str
    kind: str
    name: str
    right: str = ""
    choices: tuple[str, ...] = ()


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--out", required=True, type=Path, help="the folder to write")
    parser.add_argument("--number", type=int, default=1, help=f"which check-up, 1 to {MOST}")


def run(options: argparse.Namespace) -> None:
    """Write the sheets and keys of all parts, and print where they are."""
    write_checkups(options.out, options.number)
    print(f"{options.out}: check-up {options.number} of each part, a sheet and a key")


def write_checkups(out: Path, number: int) -> None:
    """Write PART-NUMBER-sheet.html and PART-NUMBER-key.html for each part of the book.

    Raises:
        ValueError: the number is not from 1 to 9999.
    """
    if not 1 <= number <= MOST:
        raise ValueError(f"number must be from 1 to {MOST}, got {number}")
    out.mkdir(parents=True, exist_ok=True)
    style = STYLE.read_text("utf-8")
    for name, chapters in parts().items():
        asked = contents(chapters, number)
        title = f"Check-up {number}: {name}"
        line = element("p", "Name ", element("span", class_="line"), class_="name")
        stem = f"{name.casefold().replace(' ', '_')}-{number}"
        for kind, top, show in (("sheet", line, on_sheet), ("key", "The teacher's key.", in_key)):
            items = (element("li", *show(*item)) for item in asked)
            text = page(title, element("h1", title), top, element("ol", items), style=style)
            (out / f"{stem}-{kind}.html").write_text(text, "utf-8")


def parts() -> dict[str, list[str]]:
    """Return the chapters of each part of the book, without empty parts."""
    listed = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    stems = {
        part["caption"]: [Path(entry["file"]).name for entry in part["chapters"]] for part in listed
    }
    known = {name: [stem for stem in stems[name] if stem in book()] for name in stems}
    return {name: chapters for name, chapters in known.items() if chapters}


def contents(chapters: list[str], number: int) -> list[tuple[Asked, dict[str, Any]]]:
    """Return what a check-up asks, with the order of choices and the seed of each item."""
    known = {item.id: item for name in chapters for item in questions_in(name)}
    askable = [
        {"id": item.id, "kind": item.kind, "chapter": item.chapter, "choices": len(item.choices)}
        for item in known.values()
    ]
    drawn = json.loads(_draws().call("drawnTexts", json.dumps(askable), number))
    return [(known[item["id"]], item) for item in drawn]


@functools.cache
def _draws() -> Any:
    """Return the engine with the page's own script and the figures' random numbers."""
    kit = re.sub("^export ", "", compose(SHEETS / "kit.js"), flags=re.MULTILINE)
    script = (
        f"const numbersOf = (() => {{\n{kit}\nreturn randomNumbers;\n}})();\n"
        f"{DRAWN.read_text('utf-8')}\n"
        "globalThis.drawnTexts = (items, seed) =>"
        " JSON.stringify(drawnCheckup(JSON.parse(items), numbersOf(seed)));"
    )
    engine().eval(script)
    return engine()


def questions_in(chapter: str) -> Iterator[Asked]:
    """Yield the questions and drills of a chapter."""
    for cell in book()[chapter]["cells"]:
        if cell["cell_type"] != "code" or cell["source"][:1] in ("%", "!"):
            continue
        for node in ast.walk(ast.parse(source(cell))):
            match node:
                case ast.Call(func=ast.Name(id="drill" | "question" as kind), args=[first, *_]):
                    asked = Asked(f"{chapter}#practice-{cell['id']}", chapter, kind, _text(first))
                    yield asked._replace(**_choices(asked.name, node)) if node.keywords else asked


def _choices(prompt: str, call: ast.Call) -> dict[str, Any]:
    words = {word.arg: word.value for word in call.keywords}
    wrong = words["wrong"]
    assert isinstance(wrong, ast.List)  # question() accepts nothing else
    right, others = _text(words["right"]), [_text(choice) for choice in wrong.elts]
    return {"right": right, "choices": tuple(insert_right(prompt, right, others))}


def _text(node: ast.expr) -> str:
    """Return a text, or the text that a choice starts with."""
    return str(ast.literal_eval(node.elts[0] if isinstance(node, ast.Tuple) else node))


def on_sheet(asked: Asked, drawn: dict[str, Any]) -> list[Child]:
    """Return a question with boxes to tick, or a drill with boxes to fill."""
    if asked.choices:
        ticks = (element("li", asked.choices[i]) for i in drawn["order"])
        return [element("p", asked.name), element("ol", ticks, class_="ticks")]
    still = static_problem(asked.name, drawn["seed"])
    frame = still["asked"]
    empty = [[""] * len(frame["heads"]) for _ in frame["rows"]]
    tables = [_table(one, one["cells"]) for one in still["given"]]
    return [element("p", still["task"]), *tables, _table(frame, empty), element("p", still["note"])]


def in_key(asked: Asked, drawn: dict[str, Any]) -> list[Child]:
    """Return the letter of the right choice, or the way to a drill's answers."""
    if asked.choices:
        place = drawn["order"].index(asked.choices.index(asked.right))
        return [element("strong", "abcdefgh"[place]), f": {asked.right} ({asked.chapter})"]
    still = static_problem(asked.name, drawn["seed"])
    answers = element("strong", "; ".join(still["answer"]))
    return [answers, f" ({asked.chapter})", element("ol", (element("li", s) for s in still["way"]))]


def _table(frame: dict[str, Any], cells: list[list[str]]) -> Markup:
    head = element("tr", element("td"), (element("th", name) for name in frame["heads"]))
    rows = (
        element("tr", element("th", name), (element("td", text) for text in row))
        for name, row in zip(frame["rows"], cells, strict=True)
    )
    return element("table", element("caption", frame["caption"]), head, rows)
