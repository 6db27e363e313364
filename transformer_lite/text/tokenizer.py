"""The base class of all tokenizers: from text to ids and back, and a JSON file for the settings."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from torch import Tensor

from transformer_lite.files import write_whole

#: The first tokens of every vocabulary: padding, start, end, unknown.
SPECIAL_TOKENS = ("<pad>", "<bos>", "<eos>", "<unk>")


class Tokenizer(ABC):
    """A vocabulary, and the way from text to its ids and back.

    A subclass defines how a text is split into pieces and how they are joined. A piece that is not
    in the vocabulary becomes `unk_id`; no text fails.

    Args:
        tokens: all tokens except the special ones, each once, in the order of their ids.

    Attributes:
        tokens: all tokens; the position of a token is its id.
        pad_id: pads the shorter rows of a batch.
        bos_id: begins a target.
        eos_id: ends a source and a target.
        unk_id: replaces tokens that are not in the vocabulary.
    """

    pad_id, bos_id, eos_id, unk_id = range(4)
    _kinds: ClassVar[dict[str, type[Tokenizer]]] = {}

    def __init_subclass__(cls) -> None:
        Tokenizer._kinds[cls.__name__] = cls

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = (*SPECIAL_TOKENS, *tokens)
        first = len(SPECIAL_TOKENS)
        # A text that contains "<pad>" is an ordinary text: only a batch sets special ids.
        self._ids = {token: i for i, token in enumerate(self.tokens) if i >= first}
        if len(self._ids) < len(self.tokens) - first:
            twice = next(t for i, t in enumerate(self.tokens) if i >= first and self._ids[t] != i)
            raise ValueError(f"tokens must differ, got {twice!r} twice")

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} tokens)"

    @abstractmethod
    def pieces(self, text: str) -> list[str]:
        """Split a text into tokens; unknown ones are returned as they were typed."""

    @abstractmethod
    def _join(self, pieces: list[str]) -> str:
        """Join tokens to a text."""

    @abstractmethod
    def _settings(self) -> dict[str, Any]:
        """Return the arguments that make this tokenizer again, ready for JSON."""

    def encode(self, text: str) -> list[int]:
        """Turn a text into ids, without start and end tokens, which a batch adds.

        Raises:
            TypeError: `text` is not a string.
        """
        return [self._ids.get(piece, self.unk_id) for piece in self.pieces(text)]

    def decode(self, ids: Sequence[int] | Tensor) -> str:
        """Turn ids into text. Special tokens are dropped.

        Args:
            ids: whole numbers: a list, a tuple or a tensor of shape (T,).

        Raises:
            TypeError: `ids` holds something else.
            ValueError: an id is not in the vocabulary.
        """
        return self._join([self.tokens[i] for i in self._plain(ids) if i >= len(SPECIAL_TOKENS)])

    def save(self, path: str | Path) -> None:
        """Write the tokenizer to a JSON file.

        Raises:
            OSError: the file cannot be written; one that stood there is whole.
        """
        content = {"tokenizer": type(self).__name__, **self._settings()}
        text = json.dumps(content, ensure_ascii=False, indent=1)
        # Half a surrogate pair, which a text may hold, comes back as it was.
        write_whole(path, f"{text}\n".encode(errors="surrogatepass"))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a tokenizer that :meth:`save` has written, of the class that it had.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is damaged or holds something else.
        """
        try:
            content = json.loads(Path(path).read_bytes())
            made = Tokenizer._kinds[content.pop("tokenizer")](**content)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{path} must hold a saved tokenizer, got {error!r:.400}") from error
        if not isinstance(made, cls):
            raise ValueError(f"{path} must hold a {cls.__name__}, got a {type(made).__name__}")
        return made

    def _plain(self, ids: Sequence[int] | Tensor) -> list[int]:
        """Require ids of the vocabulary and return them as a list."""
        numbers = ids.tolist() if isinstance(ids, Tensor) else ids
        if not isinstance(numbers, list | tuple):
            raise TypeError(f"ids must be a list of ints, got {type(ids).__name__}: {ids!r:.60}")
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int):
                came = f"{type(number).__name__}: {number!r:.60}"
                raise TypeError(f"ids must hold ints, got {came}")
            if not 0 <= number < len(self):
                raise ValueError(f"ids must lie between 0 and {len(self) - 1}, got {number}")
        return list(numbers)


def check_text(name: str, value: str) -> None:
    """Require a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, got {type(value).__name__}: {value!r:.60}")


def each_text(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts, and require that each is a string.

    Raises:
        TypeError: `texts` is one string, which would be read letter by letter, or holds none.
    """
    if isinstance(texts, str):
        raise TypeError(f"texts must be many strings, got one: {texts!r:.60}")
    for i, text in enumerate(texts):
        check_text(f"texts[{i}]", text)
        yield text


def check_words(name: str, words: Sequence[str]) -> None:
    """Require a list or tuple of strings."""
    if not isinstance(words, list | tuple):
        raise TypeError(f"{name} must be a list, got {type(words).__name__}: {words!r:.60}")
    for i, word in enumerate(words):
        check_text(f"{name}[{i}]", word)
