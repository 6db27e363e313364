"""Search a release for what students must not get: nothing leaves the house without it.

Withheld are the solutions in the chapters, the references and the known right and wrong answers of
the exercises, the grader's own draws, the secret of the class, and the hints beyond those that the
teacher gives. What students get anyway, the text of a chapter or a layer of the package, is no
leak, though an answer may use the same line.

The search finds what a mistake of ours would let through: lines of code, names and texts as they
stand, in all files, in the texts of JSON and in archives. It looks for nothing that somebody has
hidden on purpose: the book is published with its solutions.
"""

import io
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

#: What is shorter may well be written twice: characters of a line without spaces, and of a name.
LINE, NAME = 24, 10
_DEFINED = re.compile(r"^\s*(?:def|class) (\w+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_Where = dict[str, str]


@dataclass
class Withheld:
    """Lines of code, names and texts, each with the place that it comes from.

    Args:
        lines: without spaces.
        names: of functions and classes.
        texts: of any length, without spaces.
        public: contents of files that hold none of these.
    """

    lines: _Where = field(default_factory=dict)
    names: _Where = field(default_factory=dict)
    texts: _Where = field(default_factory=dict)
    public: frozenset[bytes] = frozenset()

    def add_code(self, code: str, where: str) -> None:
        """Add the lines of some Python code, and the names that it defines."""
        lines = map(_squeezed, code.splitlines())
        self.lines |= {line: where for line in lines if len(line) >= LINE}
        self.names |= {name: where for name in _DEFINED.findall(code) if len(name) >= NAME}

    def add_text(self, text: str, where: str) -> None:
        """Add a text of any length as it stands."""
        self.texts[_squeezed(text)] = where

    def without(self, public: Iterable[bytes]) -> "Withheld":
        """Return the lines and names that are nowhere in what everybody may have."""
        contents = frozenset(public)
        seen = {mark for _, _, mark in self.found_in(("", text_in(c)) for c in contents)}
        lines, names = (
            {mark: where for mark, where in marks.items() if mark not in seen}
            for marks in (self.lines, self.names)
        )
        return Withheld(lines, names, public=contents)

    def found_in(self, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
        """Yield what stands in some texts, after the text's place and its own kind."""
        starts = defaultdict[str, list[str]](list)
        for line in self.lines:
            starts[line[:LINE]].append(line)
        for place, text in texts:
            tight = _squeezed(text)
            for at in range(len(tight) - LINE + 1):
                for line in starts.get(tight[at : at + LINE], ()):
                    if tight.startswith(line, at):
                        yield place, "line", line
            words = self.names.keys() & set(_WORD.findall(text))
            yield from ((place, "name", name) for name in words)
            yield from ((place, "text", mark) for mark in self.texts if mark in tight)


def leaks(files: Mapping[str, bytes], withheld: Withheld) -> list[str]:
    """Return a line for each thing in some files that students must not get."""
    origin = withheld.lines | withheld.names | withheld.texts
    every = dict(_all_files(files))
    texts = {
        place: place if content in withheld.public else f"{place}\n{text_in(content)}"
        for place, content in every.items()
    }
    found = withheld.found_in(texts.items())
    lines = {f"{place}: {kind} from {origin[mark]}" for place, kind, mark in found}
    return sorted(lines | {f"{place}: compiled code" for place in every if place.endswith(".pyc")})


def text_in(content: bytes) -> str:
    """Return what a file says: its text, or the texts inside JSON."""
    text = content.decode("utf-8", errors="replace")
    try:
        return "\n".join(_strings(json.loads(text)))
    except (json.JSONDecodeError, RecursionError):
        return text


def _squeezed(text: str) -> str:
    """Return a text without its spaces and line breaks."""
    return "".join(text.split())


def _strings(told: Any) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for key, value in told.items():
            yield from (key, *_strings(value))
    elif isinstance(told, list):
        for value in told:  # a cell may be stored line by line
            yield from _strings(value)


def _all_files(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield all files; in place of an archive, those inside it."""
    for name, content in files.items():
        if content.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                inside = {f"{name}/{n}": archive.read(n) for n in archive.namelist()}
            yield from _all_files(inside)
        else:
            yield name, content
