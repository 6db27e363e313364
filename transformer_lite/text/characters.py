"""Characters as tokens: no word is unknown, and sequences are long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from transformer_lite.text.tokenizer import Tokenizer, check_text, check_words, each_text


class CharacterTokenizer(Tokenizer):
    """One token per character, including capitals and spaces.

    Args:
        characters: the vocabulary without its special tokens, in the order of the ids.

    Raises:
        TypeError: `characters` is not a list of strings.
        ValueError: one of them is not one character, or occurs twice.

    >>> tokenizer = CharacterTokenizer.train(["merci"])
    >>> tokenizer.encode("crime!")
    [4, 8, 6, 7, 5, 3]
    """

    def __init__(self, characters: Sequence[str]) -> None:
        check_words("characters", characters)
        for character in characters:
            if len(character) != 1:
                raise ValueError(f"characters must be single characters, got {character!r:.60}")
        super().__init__(characters)

    @classmethod
    def train(cls, texts: Iterable[str]) -> Self:
        """Return a tokenizer for all characters of some texts, in Unicode order.

        Raises:
            TypeError: `texts` is one string or holds other things.
        """
        return cls(sorted({character for text in each_text(texts) for character in text}))

    def pieces(self, text: str) -> list[str]:
        """Split a text into its characters."""
        check_text("text", text)
        return list(text)

    def _join(self, pieces: list[str]) -> str:
        return "".join(pieces)

    def _settings(self) -> dict[str, Any]:
        return {"characters": list(self.tokens[4:])}
