"""Possible sources of an answer: the book's solution, the package, or code in a string.

The notes describe the answer, for the teacher to decide. They cost no points.
"""

import re
from collections.abc import Sequence

from classroom.similarity import MIN_PIECES, MIN_SIMILARITY, pieces, tokens

#: Names that turn a string into code or look up code by a string.
_HIDES = {
    *("exec", "eval", "compile", "__import__", "importlib", "marshal", "pickle", "codecs"),
    *("base64", "zlib", "bz2", "lzma", "binascii", "b64decode", "fromhex", "__builtins__"),
    *("globals", "modules", "ctypes", "runpy", "CodeType", "FunctionType"),
}
#: Occurs in each sentence about the book's solution.
BOOKS = "the book's solution"
_PACKAGE = "transformer_lite"
#: Matched against tokens separated by blanks, without comments and line breaks.
_NAME = r"\w+(?: as \w+)?"
_IMPORTED = re.compile(rf"\bfrom {_PACKAGE}(?: \. \w+)* import (?:\( )?({_NAME}(?: , {_NAME})*)")
_RENAMED = re.compile(rf"\bimport {_PACKAGE}(?: \. \w+)* as (\w+)")


def provenance(answer: str, published: str, given: str = "") -> list[str]:
    """Return sentences about an answer, each without its period.

    Provided code and very short answers are ignored. So are calls to the package that the book's
    solution also makes.

    Args:
        answer: the source of the answer.
        published: the book's solution.
        given: the starter.
    """
    words, known = tokens(answer), {*tokens(published), *tokens(given)}
    found = []
    if sentence := _of_the_book(answer, published, given):
        found.append(sentence)
    if used := sorted(_HIDES.intersection(words) - known):
        found.append(f"it runs or finds code by a text: {', '.join(used)}")
    if called := [name for name in _of_the_package(words) if name.rpartition(".")[2] not in known]:
        found.append(f"it calls the package: {', '.join(called)}")
    return found


def _of_the_book(answer: str, published: str, given: str) -> str:
    """Return how much of the book's solution is in an answer, with or without names."""
    theirs = pieces(published) - pieces(given)
    if len(theirs) < MIN_PIECES:
        return ""
    if _contains(_unnamed(tokens(answer)), _unnamed(tokens(published))):
        return f"it is {BOOKS}, word for word"
    part = len(theirs & pieces(answer)) / len(theirs)
    if part == 1:
        return f"it is {BOOKS} with other names"
    return f"{part:.0%} of {BOOKS}, names apart" if part >= MIN_SIMILARITY else ""


def _of_the_package(words: Sequence[str]) -> list[str]:
    """Return the names used from the package: imported, by its short name, or in a string."""
    text = " ".join(words)
    found = {name.split()[0] for part in _IMPORTED.findall(text) for name in part.split(" , ")}
    short = "|".join({"tl", "transformer_lite", *_RENAMED.findall(text)})
    used = re.findall(rf"(?<!\. )(?<!from )(?<!import )\b(?:{short})((?: \. \w+)+)", text)
    found |= {name.replace(" . ", ".").lstrip(".") for name in used}
    found |= {word[:60] for word in words if _PACKAGE in word and word != _PACKAGE}
    return sorted(found - {"exercises"})


def _unnamed(words: list[str]) -> list[str]:
    """Remove the names of functions."""
    return [word for before, word in zip(["", *words], words, strict=False) if before != "def"]


def _contains(words: list[str], part: list[str]) -> bool:
    size = len(part)
    return bool(part) and any(
        words[start : start + size] == part for start in range(len(words) - size + 1)
    )
