"""Characters that belong to the one before them, for the classes of regular expressions.

Python's ``\\w`` contains letters and digits, but no vowel signs of Hindi, and no accent that is a
character of its own.

Reference: Unicode Standard Annex 29, rule WB4.
"""

from __future__ import annotations

import unicodedata


def _ranges(kind: str) -> str:
    """Return the characters whose category begins with `kind`, as ranges."""
    ranges: list[list[str]] = []
    for character in map(chr, (*range(0x1F000), *range(0xE0000, 0xE0200))):  # no others have marks
        if unicodedata.category(character).startswith(kind):
            if ranges and ord(ranges[-1][1]) == ord(character) - 1:
                ranges[-1][1] = character
            else:
                ranges.append([character, character])
    return "".join(f"{first}-{last}" for first, last in ranges)


#: Combining marks: accents, vowel signs, points, the sign that makes an emoji of a symbol.
MARKS = _ranges("M")
#: These, invisible characters such as joiners, and the skin tones of emoji. U+200B separates words.
EXTENDERS = MARKS + _ranges("Cf").replace("\u200b", "\u200c") + "\U0001f3fb-\U0001f3ff"
