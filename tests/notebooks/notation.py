"""Which letters the formulas of the book use, and which the notation page defines."""

import re
from collections.abc import Iterator

PAGE = "book/notation.md"

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$(?=\S)([^$]+?)(?<=\S)\$(?!\w)", re.DOTALL)
# Words inside a formula, and what only arranges it.
_WORDS = re.compile(r"\\(?:text|operatorname|mathrm|textbf|label|begin|end)\*?\{[^{}]*\}")
# The k of this symbol names a width; it is not a key.
_WIDTH = re.compile(r"\b([dD])_\{?k\b\}?")
_LETTER = re.compile(r"\\(?P<command>[A-Za-z]+)|(?P<plain>[A-Za-z])")
GREEK = re.compile(
    "alpha|beta|gamma|delta|(var)?epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|"
    "upsilon|(var)?phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"
)
_ROW = re.compile(r"^\| (?P<symbols>\$.*?) \| [^|\n]* \|(?P<where>[^|\n]*)\|?$", re.MULTILINE)
_CHAPTER = re.compile(r"notebooks/(\w+)\.ipynb")


def formulas(text: str) -> Iterator[str]:
    """Yield what is between dollar signs in Markdown, code left out."""
    for found in _FORMULA.finditer(_CODE.sub(" ", text)):
        yield found[1] or found[2]


def letters(formula: str) -> set[str]:
    r"""Return the letters of a formula, Latin and Greek, indices too.

    >>> sorted(letters(r"\frac{q_i \cdot k_j}{\sqrt{d_{\text{head}}}} + \omega"))
    ['\\omega', 'd', 'i', 'j', 'k', 'q']
    """
    found = set()
    for match in _LETTER.finditer(_WIDTH.sub(r"\1", _WORDS.sub(" ", formula))):
        if match["plain"]:
            found.add(match["plain"])
        elif GREEK.fullmatch(match["command"]):
            found.add("\\" + match["command"])
    return found


def defined(page: str) -> dict[str, list[frozenset[str]]]:
    """Return for each letter of the notation page the chapters of each of its meanings.

    A letter that holds everywhere has the empty set of chapters. A letter means what the row says
    where it is first or after a comma; as an index or a label of another it means nothing new.
    """
    found: dict[str, list[frozenset[str]]] = {}
    for row in _ROW.finditer(page):
        where = frozenset(_CHAPTER.findall(row["where"]))
        for letter in {head for formula in formulas(row["symbols"]) for head in _heads(formula)}:
            found.setdefault(letter, []).append(where)
    return found


def _heads(formula: str) -> Iterator[str]:
    for part in _WORDS.sub("", formula).split(","):
        if match := _LETTER.search(part):
            yield "\\" + match["command"] if match["command"] else match["plain"]


def unknown_letters(text: str, chapter: str, known: dict[str, list[frozenset[str]]]) -> list[str]:
    """Say which letters of a chapter's formulas the notation page does not define for it."""
    return [
        f"{letter} in ${formula}$"
        for formula in formulas(text)
        for letter in sorted(letters(formula))
        if not any(not where or chapter in where for where in known.get(letter, []))
    ]


def two_meanings(known: dict[str, list[frozenset[str]]]) -> list[str]:
    """Say which letters have two meanings in one place."""
    return [
        letter
        for letter, places in known.items()
        for at, where in enumerate(places)
        for other in places[at + 1 :]
        if not where or not other or where & other
    ]


#: What no formula may hold, and what to write.
FORBIDDEN = {
    r"W\s*\^\s*\{?\\?\(": "write W^Q without brackets",
    r"\\sqrt\s*\{?\s*K\b|/\s*\\?s?q?r?t?\{?K\b": "K is the matrix of keys: write d_k",
    r"(?<![|\w])(i\s*-\s*j|n\s*-\s*m|m\s*-\s*n)\b(?!\s*\|)": "an offset is j - i, key minus query",
}


def forbidden(text: str) -> list[str]:
    """Say which formulas break a rule of the notation."""
    return [
        f"{instead}: ${formula}$"
        for formula in formulas(text)
        for pattern, instead in FORBIDDEN.items()
        if re.search(pattern, formula)
    ]
