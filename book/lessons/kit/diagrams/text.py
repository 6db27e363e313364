"""Measure and write labels: lines of text with superscripts and subscripts.

A label is plain text. `^` raises what follows and `_` lowers it, a word or what is in braces:
`W^Q`, `d_model`, `x_{t+1}`. A backslash before one of them makes it an ordinary character.
"""

import functools
import html
import re
from pathlib import Path

import matplotlib
from matplotlib.ft2font import FT2Font

SIZE, SMALL = 15, 13  # pixels at full width
SCRIPT = 0.76  # relative size of a superscript or subscript
LINE = 1.35  # line height
_PARTS = re.compile(r"\\([\\^_])|([\^_])(?:\{([^{}]*)\}|([^\W_]+|\S))|([^\\^_]+|.)", re.DOTALL)


def parts(line: str) -> list[tuple[str, int]]:
    """Split one line into pieces of text and their level: 1 superscript, −1 subscript, 0 neither.

    >>> parts("XW^Q_h + b")
    [('XW', 0), ('Q', 1), ('h', -1), (' + b', 0)]
    """
    found: list[tuple[str, int]] = []
    for literal, sign, braces, word, plain in _PARTS.findall(line):
        shift = {"^": 1, "_": -1, "": 0}[sign]
        piece = literal or braces or word or plain
        if found and found[-1][1] == shift == 0:
            found[-1] = (found[-1][0] + piece, 0)
        else:
            found.append((piece, shift))
    return found


@functools.cache
def _font(bold: bool) -> FT2Font:
    """Return DejaVu Sans in size 1000: the widest of the usual fonts, included in matplotlib."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    font = FT2Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name))
    font.set_size(1000, 72)
    return font


def is_known(character: str) -> bool:
    """Return whether the font has a character."""
    return _font(bold=False).get_char_index(ord(character)) > 0


@functools.cache
def advance(character: str, bold: bool = False) -> int:
    """Return the width of a character in thousandths of the font's size."""
    if not is_known(character):
        return 1000
    return round(_font(bold).load_char(ord(character)).linearHoriAdvance / 65536)


def width_of(label: str, size: float = SIZE, bold: bool = False) -> float:
    """Return the width of a label's longest line in pixels, rounded up rather than down."""

    def width(line: str) -> float:
        return sum(
            advance(character, bold) * (SCRIPT if shift else 1)
            for piece, shift in parts(line)
            for character in piece
        )

    return max(map(width, label.split("\n"))) * size / 1000


def height_of(label: str, size: float = SIZE) -> float:
    """Return the height of a label in pixels."""
    return (label.count("\n") + 1) * size * LINE


def text_svg(
    label: str, x: float, y: float, size: float = SIZE, classes: str = "", anchor: str = "middle"
) -> str:
    """Write a label whose first line begins at the height `y`; all text is escaped."""
    lines = label.split("\n")
    baselines = [y + size * (LINE * i + 1.02) for i in range(len(lines))]
    names = " ".join(filter(None, ("tl-d-text", "tl-d-small" if size < SIZE else "", classes)))
    aside = "" if anchor == "middle" else f' text-anchor="{anchor}"'
    return "".join(
        f'<text class="{names}" x="{px(x)}" y="{px(base)}"{aside}>{_tspans(line, size)}</text>'
        for line, base in zip(lines, baselines, strict=True)
    )


def _tspans(line: str, size: float) -> str:
    written, level = "", 0.0
    for piece, shift in parts(line):
        wanted = -shift * size * (0.38 if shift > 0 else 0.22)
        move = f' dy="{px(wanted - level)}"' if wanted != level else ""
        small = f' font-size="{px(size * SCRIPT)}"' if shift else ""
        text = html.escape(piece)
        written += f"<tspan{move}{small}>{text}</tspan>" if move or small else text
        level = wanted
    return written


def px(number: float) -> str:
    """Write a length with at most one decimal.

    >>> px(3.04), px(-0.01), px(2.25)
    ('3', '0', '2.2')
    """
    return f"{round(number, 1) + 0.0:g}"
