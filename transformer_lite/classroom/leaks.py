"""Search a release for what students must not get: nothing leaves the house without it.

Withheld are the solutions in the chapters, the references and the known right and wrong answers of
the exercises, all of this floor, and the hints beyond those that the teacher gives. What students
get anyway, the text of a chapter or a layer of the package, is no leak, though an answer may use
the same line.

Three things are looked for in all files, archives inside archives too: pieces of text, whatever
spaces stand between; functions, whatever their names and those of their variables; and names.
"""

import ast
import base64
import binascii
import gzip
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

#: What is shorter may well be written twice: characters without spaces, parts of a syntax tree.
PIECE, NAME, PARTS = 24, 10, 12
_ENCODED = re.compile(r"[A-Za-z0-9+/\s]{64,}={0,2}\s*")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Where = dict[str, str]


@dataclass
class Withheld:
    """Pieces of text, functions and names, each with the place that it comes from."""

    pieces: _Where = field(default_factory=dict)
    functions: _Where = field(default_factory=dict)
    names: _Where = field(default_factory=dict)

    def add_code(self, code: str, where: str) -> None:
        """Add all statements, functions and names of some Python code."""
        lines = code.encode().split(b"\n")
        for node in ast.walk(ast.parse(code)):
            for text in _texts(node, lines):
                if len(piece := squeezed(text)) >= PIECE:
                    self.pieces.setdefault(piece, where)
            if isinstance(node, _Function) and (shape := shape_of(node)):
                self.functions.setdefault(shape, where)
            name = getattr(node, "name", None)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and len(name or "") >= NAME:
                self.names.setdefault(str(name), where)

    def add_text(self, text: str, where: str) -> None:
        """Add a text of any length as it stands."""
        self.pieces.setdefault(squeezed(text), where)

    def without(self, public: Mapping[str, bytes]) -> "Withheld":
        """Return what is nowhere in files that everybody may have."""
        seen = {(kind, mark) for kind, mark, _ in find(self, public)}
        return Withheld(
            *(
                {mark: where for mark, where in marks.items() if (kind, mark) not in seen}
                for kind, marks in vars(self).items()
            )
        )


def leaks(files: Mapping[str, bytes], withheld: Withheld) -> list[str]:
    """Return a line for each thing in some files that students must not get."""
    lines = {
        f"{place}: {kind.removesuffix('s')} from {vars(withheld)[kind][mark]}"
        for kind, mark, place in find(withheld, files)
    }
    compiled = {f"{name}: compiled code" for name, _ in _all_files(files) if name.endswith(".pyc")}
    return sorted(lines | compiled)


def find(marks: Withheld, files: Mapping[str, bytes]) -> Iterator[tuple[str, str, str]]:
    """Yield the kind, the mark and the place of all that stands in files, or in files within."""
    starts: dict[str, list[str]] = {}
    for piece in marks.pieces:
        starts.setdefault(piece[:PIECE], []).append(piece)
    for place, content in _all_files(files):
        for text in (place, *texts_in(content)):
            yield from (("pieces", piece, place) for piece in _pieces_in(text, starts))
            words = set(re.findall(r"\w+", text))
            yield from (("names", word, place) for word in words & marks.names.keys())
            shapes = {shape_of(node) for node in _functions_in(text)}
            yield from (("functions", shape, place) for shape in shapes & marks.functions.keys())


def _pieces_in(text: str, starts: dict[str, list[str]]) -> set[str]:
    tight = squeezed(text)
    found = set()
    for at in range(len(tight) - PIECE + 1):
        for piece in starts.get(tight[at : at + PIECE], ()):
            if tight.startswith(piece, at):
                found.add(piece)
    return found


def squeezed(text: str) -> str:
    """Return a text without its spaces and line breaks."""
    return "".join(text.split())


def shape_of(function: _Function) -> str:
    """Return what a function does, without the names that it gives to itself and its variables.

    A function too small to tell whose it is has none.
    """
    body: list[ast.stmt] = (
        [ast.Return(function.body)] if isinstance(function, ast.Lambda) else function.body
    )
    body = body[1:] if _is_text(body[0]) else body
    parts = [node for statement in body for node in ast.walk(statement)]
    if len(parts) < PARTS:
        return ""
    names = [argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)]
    names += [n.id for n in parts if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    numbers = {name: str(number) for number, name in enumerate(dict.fromkeys(names))}
    words = []
    for node in parts:
        words.append(type(node).__name__)
        for key, value in ast.iter_fields(node):
            if isinstance(value, str | int | float | complex | bytes) and key != "type_comment":
                words.append(numbers.get(str(value), str(value)) if key == "id" else str(value))
    return " ".join(words)


def texts_in(content: bytes) -> Iterator[str]:
    """Yield what a file says: its text, and the texts inside JSON and Base64."""
    text = content.decode("utf-8", errors="replace")
    yield text
    try:
        told = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return
    for found in _strings(told):
        yield found
        if _ENCODED.fullmatch(found):
            try:
                yield base64.b64decode(found).decode("utf-8", errors="replace")
            except binascii.Error:
                continue


def _strings(told: Any) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for key, value in told.items():
            yield from (key, *_strings(value))
    elif isinstance(told, list):
        if told and all(isinstance(line, str) for line in told):
            yield "".join(told)  # a cell may be stored line by line
        else:
            for value in told:
                yield from _strings(value)


def _all_files(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield all files, and those inside archives."""
    for name, content in files.items():
        yield name, content
        if content.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                inside = {f"{name}/{n}": archive.read(n) for n in archive.namelist()}
            yield from _all_files(inside)
        elif content.startswith(b"\x1f\x8b"):
            yield from _all_files({f"{name}/content": gzip.decompress(content)})


def _functions_in(text: str) -> Iterable[_Function]:
    if "def " not in text and "lambda" not in text:
        return ()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return (node for node in ast.walk(tree) if isinstance(node, _Function))


def _texts(node: ast.AST, lines: list[bytes]) -> Iterator[str]:
    """Yield a simple statement, a lambda or a heading, as written and as Python would write it."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.If | ast.While | ast.For | ast.With):
        yield _segment(node, lines).partition(":\n")[0]
    elif isinstance(node, ast.Lambda) or (isinstance(node, ast.stmt) and not hasattr(node, "body")):
        yield _segment(node, lines)
        yield ast.unparse(node)


def _segment(node: ast.stmt | ast.expr, lines: list[bytes]) -> str:
    """Return the source of a node; `ast.get_source_segment` cuts the lines anew for each."""
    last = lines[(node.end_lineno or 1) - 1]
    cut = b"\n".join(lines[node.lineno - 1 : node.end_lineno])
    end = len(cut) - len(last) + (node.end_col_offset or 0)
    return cut[node.col_offset : end].decode()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
