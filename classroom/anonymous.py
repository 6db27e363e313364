"""Anonymous marking: a stable code replaces each name, and the key is in a separate file.

The codes are derived from the secret of the class, so nobody without it can find the name behind a
code, and each class has its own codes. Names inside the students' own code are not removed.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from classroom.gradebooks import single_line, written
from classroom.marks import Graded, Mark, Student

FILE = "key.csv"
#: Letters and digits that are hard to confuse.
_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_LENGTH = 5
Codes = Mapping[tuple[str, str], str]


def codes_of(graded: Sequence[Graded], secret: str) -> dict[tuple[str, str], str]:
    """Return a code for each student's key; the codes do not change when somebody joins later.

    If two students would get the same code, which happens once in hundreds of classes, both get
    longer ones.
    """
    full = {g.student.key: _code(g.student.key, secret) for g in graded}
    return {key: _shortest(code, [*full.values()]) for key, code in full.items()}


def _code(key: tuple[str, str], secret: str) -> str:
    text = "\0".join(("code", *key)).encode(errors="replace")
    digest = hmac.new(secret.encode(), text, hashlib.sha256).digest()
    return "".join(_SIGNS[byte % len(_SIGNS)] for byte in digest)


def _shortest(code: str, codes: Sequence[str]) -> str:
    lengths = range(_LENGTH, len(code) + 1)
    return code[: next(n for n in lengths if sum(c.startswith(code[:n]) for c in codes) == 1)]


def without_names(graded: Sequence[Graded], codes: Codes) -> list[Graded]:
    """Return the same grades, in order, with codes instead of names, also in the remarks."""
    names = {g.student.name: codes[g.student.key] for g in graded}
    found = []
    for g in graded:
        code = codes[g.student.key]
        files = [part for name in g.source.split(", ") for part in (name, name.rpartition("/")[2])]
        words = names | dict.fromkeys(filter(None, files), "a file")
        marks = {name: _masked_mark(mark, words) for name, mark in g.marks.items()}
        found.append(
            replace(
                g,
                student=Student(code),
                marks=marks,
                problem=_masked(g.problem, words),
                notes=tuple(_masked(note, words) for note in g.notes),
                source="",
            )
        )
    return found


def _masked_mark(mark: Mark, words: Mapping[str, str]) -> Mark:
    return replace(mark, message=_masked(mark.message, words)) if not mark.held else mark


def _masked(text: str, words: Mapping[str, str]) -> str:
    """Replace words in a text, the longest first."""
    longest = sorted(words, key=len, reverse=True)
    either = "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in longest)
    return re.sub(either, lambda found: words[found[0]], text) if either else text


def key_table(graded: Sequence[Graded], codes: Codes) -> str:
    """Return the table of codes and names."""
    rows = [["code", "student", "id", "files"]]
    for g in sorted(graded, key=lambda g: codes[g.student.key]):
        who = map(single_line, (g.student.name, g.student.id, g.source))
        rows.append([codes[g.student.key], *who])
    return written(rows)
