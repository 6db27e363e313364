"""Words as tokens: in lower case and with French elision."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Self

from transformer_lite.checks import check_size
from transformer_lite.text.marks import EXTENDERS
from transformer_lite.text.tokenizer import Tokenizer, check_text, check_words, each_text

# Letters and digits, with what belongs to them.
_LETTERS = rf"(?:\w+|[{EXTENDERS}]+)+"
# A pronoun after its verb: *dort-il*, *mange-t-elle*; not *rendez-vous-y*, where a word goes on.
_ONE = rf"(?:t-)?(?:tu|ils?|elles?|on|nous|vous)(?![\w{EXTENDERS}])"
_BEHIND = rf"-{_ONE}(?!-(?!{_ONE}){_LETTERS})"
# Letters with hyphens inside and an apostrophe at the end.
_WORD = rf"{_LETTERS}(?:(?!{_BEHIND})-{_LETTERS})*'?"
# One sign with what belongs to it. A flag is two signs, and a joiner joins the signs of an emoji.
_SIGN = rf"'|[\U0001f1e6-\U0001f1ff]{{2}}|[^\w\s](?:[{EXTENDERS}]|(?<=\u200d)[^\w\s\0-\x7f])*"
_PRONOUN, _PIECE = re.compile(_BEHIND), re.compile(f"{_BEHIND}|{_WORD}|{_SIGN}")
_NO_SPACE_BEFORE = frozenset(".,?!")


class WordTokenizer(Tokenizer):
    """One token per word.

    Text is lower-cased. A word ends after its apostrophe: *l'étudiant* is *l'* and *étudiant*.
    Punctuation marks are words of their own, and so is a pronoun after its verb:
    *dort-il* is *dort* and *-il*. Decoding writes no space after an apostrophe or before ``. , ?
    !``, although French would have one before ``?`` and ``!``.

    Args:
        words: the vocabulary without its special tokens, in the order of the ids.

    Raises:
        TypeError: `words` is not a list of strings.
        ValueError: one of them is not one lower-case word, or occurs twice.

    >>> tokenizer = WordTokenizer(["je", "suis", "l'", "étudiant", "!"])
    >>> tokenizer.encode("Je suis l’étudiant inconnu!")
    [4, 5, 6, 7, 3, 8]
    >>> tokenizer.decode([1, 4, 5, 6, 7, 8, 2])
    "je suis l'étudiant!"
    """

    def __init__(self, words: Sequence[str]) -> None:
        check_words("words", words)
        for word in words:
            if split_words(word) != [word]:
                raise ValueError(f"words must be single words in lower case, got {word!r}")
        super().__init__(words)

    @classmethod
    def train(cls, texts: Iterable[str], max_words: int | None = None, min_count: int = 1) -> Self:
        """Take the words of some texts, the most frequent first and equals by the alphabet.

        Args:
            texts: the training texts.
            max_words: the maximum number of words, without special tokens; None takes all.
            min_count: how often a word must occur.

        Raises:
            TypeError: `texts` is one string or holds other things, or a number is not an int.
            ValueError: a number is smaller than 1.
        """
        check_size("min_count", min_count)
        if max_words is not None:
            check_size("max_words", max_words)
        counts = Counter(word for text in each_text(texts) for word in split_words(text))
        frequent = sorted((-count, word) for word, count in counts.items() if count >= min_count)
        return cls([word for _, word in frequent[:max_words]])

    def pieces(self, text: str) -> list[str]:
        """Split a text into words and marks, in lower case."""
        return split_words(text)

    def _join(self, pieces: list[str]) -> str:
        return join_words(pieces)

    def _settings(self) -> dict[str, Any]:
        return {"words": list(self.tokens[4:])}


def split_words(text: str) -> list[str]:
    """Split a text into words and marks, in lower case.

    Args:
        text: any text. Letters with accents count as one character, however they were typed, and a
            curly apostrophe counts as a straight one. Marks and joiners stay with their letters in
            all scripts. Lower case is that of Unicode in every language, so a Turkish I becomes i.

    Raises:
        TypeError: `text` is not a string.

    >>> split_words("L’étudiant est là, est-ce qu'il dort ?")
    ["l'", 'étudiant', 'est', 'là', ',', 'est-ce', "qu'", 'il', 'dort', '?']
    """
    check_text("text", text)
    return _PIECE.findall(unicodedata.normalize("NFC", text.lower()).replace("’", "'"))


def join_words(words: Sequence[str]) -> str:
    """Join words to a text, the inverse of :func:`split_words`.

    Raises:
        TypeError: `words` is not a list of strings.

    >>> join_words(["l'", "étudiant", "dort", "?"])
    "l'étudiant dort?"
    """
    check_words("words", words)
    text = ""
    for word in words:
        glued = not text or text.endswith("'") or word in _NO_SPACE_BEFORE
        text += word if glued or _PRONOUN.fullmatch(word) else f" {word}"
    return text
