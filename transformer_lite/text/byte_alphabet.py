"""A visible character for each of the 256 bytes, so that any text can be split and joined.

The table is that of GPT-2, which Hugging Face's `tokenizers` use too: a printable byte is its own
character, the others are mapped to U+0100 and later. A space is *Ġ*.

Reference: Radford et al. 2019, section 2.2.
"""

from __future__ import annotations

import re

from transformer_lite.text.marks import MARKS


def _characters() -> list[str]:
    """Return the character of each byte."""
    printing = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in printing else next(others)) for byte in range(256)]


#: The characters of the bytes 0 to 255.
ALPHABET = tuple(_characters())
_BYTES = {character: byte for byte, character in enumerate(ALPHABET)}

#: A text is first split into: a word with the space before it, a run of marks, or spaces.
CHUNK = r" ?\w+| ?[^\s\w]+|\s+(?!\S)|\s+"
# The same for Python, whose \w lacks combining marks.
_CHUNK = re.compile(rf" ?(?:\w+|[{MARKS}]+)+| ?[^\s\w{MARKS}]+|\s+(?!\S)|\s+")


def chunks(text: str) -> list[str]:
    """Split a text into words; joined, the chunks are the text.

    >>> chunks("I'm  here, now")
    ['I', "'", 'm', ' ', ' here', ',', ' now']
    """
    return _CHUNK.findall(text)


def visible(text: str) -> str:
    """Return the bytes of a text as one character each.

    >>> visible("à midi")
    'ÃłĠmidi'
    """
    return "".join([ALPHABET[byte] for byte in text.encode("utf-8", "surrogatepass")])


def readable(characters: str) -> str:
    """Turn visible bytes back into text; an incomplete character becomes �.

    >>> readable("ÃłĠmidi"), readable("Ã")
    ('à midi', '�')
    """
    raw = bytes(_BYTES[character] for character in characters)
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace")
