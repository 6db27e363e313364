"""Byte-pair encoding by Hugging Face's `tokenizers`: the same as in `bpe.py`, but fast."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from transformer_lite.checks import check_size
from transformer_lite.text.byte_alphabet import ALPHABET, CHUNK, readable
from transformer_lite.text.tokenizer import SPECIAL_TOKENS, Tokenizer, check_text, each_text

if TYPE_CHECKING:
    import tokenizers


class SubwordTokenizer(Tokenizer):
    """A faster :class:`BytePairEncoding`, in compiled code.

    With the same texts and size, both learn the same merges and return the same ids, except for
    rare characters, such as new ones, of which only one of them knows that they are letters.
    Decoding restores every text, in lower case if the tokenizer was made so. (Half a surrogate
    pair, which is not text, becomes a ?.)

    Args:
        model: the tokenizer as Hugging Face writes it in JSON, as made by :meth:`train`.

    Attributes:
        lower_case: whether it converts all texts to lower case.

    Raises:
        TypeError: `model` is not a string.
        ValueError: it is not such JSON, its first tokens are not the special ones, or it is a
            tokenizer from which some text would not come back.
    """

    def __init__(self, model: str) -> None:
        check_text("model", model)
        self._model = _read(model)
        stored = json.loads(self._model.to_str())
        self.lower_case = bool(_steps(stored["normalizer"], "normalizers"))
        super().__init__(_checked_tokens(self._model.get_vocab(), stored))

    @classmethod
    def train(cls, texts: Iterable[str], vocab_size: int, lower_case: bool = False) -> Self:
        """Learn merges from texts until the vocabulary is full.

        Args:
            texts: the training texts.
            vocab_size: the number of tokens, including special tokens and bytes; at least 260.
            lower_case: whether to convert all texts to lower case.

        Raises:
            TypeError: `texts` is one string or holds other things, or another argument is of a
                wrong type.
            ValueError: `vocab_size` is smaller than 260.
        """
        check_size("vocab_size", vocab_size, minimum=len(SPECIAL_TOKENS) + len(ALPHABET))
        if not isinstance(lower_case, bool):
            came = f"{type(lower_case).__name__}: {lower_case!r:.60}"
            raise TypeError(f"lower_case must be a bool, got {came}")
        from tokenizers import trainers

        model = _empty(lower_case)
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size, show_progress=False, special_tokens=list(SPECIAL_TOKENS),
            initial_alphabet=sorted(ALPHABET),
        )  # fmt: skip
        lowered = (text.lower() if lower_case else text for text in each_text(texts))
        model.train_from_iterator(map(_whole, lowered), trainer)
        return cls(model.to_str())

    @property
    def merges(self) -> tuple[tuple[str, str], ...]:
        """The merges, in the order in which they were learned."""
        stored = json.loads(self._model.to_str())["model"]["merges"]
        return tuple((left, right) for left, right in stored)

    def encode(self, text: str) -> list[int]:
        """Turn a text into ids, without start and end tokens.

        Raises:
            TypeError: `text` is not a string.
        """
        check_text("text", text)
        if self.lower_case:  # by Python, because the library's Lowercase knows no final sigma
            text = text.lower()
        return self._model.encode(_whole(text), add_special_tokens=False).ids

    def pieces(self, text: str) -> list[str]:
        """Split a text into tokens, with bytes written as visible characters."""
        return [self.tokens[i] for i in self.encode(text)]

    def _join(self, pieces: list[str]) -> str:
        return readable("".join(pieces))

    def _settings(self) -> dict[str, Any]:
        return {"model": self._model.to_str()}


def _whole(text: str) -> str:
    """Replace lone surrogates, which compiled code does not accept."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _empty(lower_case: bool) -> tokenizers.Tokenizer:
    """Return a tokenizer that splits and joins as ours does, without merges."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    model = Tokenizer(models.BPE())
    if lower_case:
        model.normalizer = normalizers.Lowercase()
    model.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(CHUNK), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])  # fmt: skip
    model.decoder = decoders.ByteLevel()
    return model


def _read(model: str) -> tokenizers.Tokenizer:
    from tokenizers import Tokenizer

    try:
        made = Tokenizer.from_str(model)
    except Exception as error:  # the library has no class of its own for it
        raise ValueError(f"model must be a tokenizer as JSON, got {error!s:.200}") from error
    # A text that contains "<pad>" is an ordinary text.
    made.encode_special_tokens = True
    # A file contains the truncation setting of its author, which would silently cut long texts.
    made.no_truncation()
    made.no_padding()
    return made


def _checked_tokens(vocabulary: dict[str, int], stored: dict[str, Any]) -> list[str]:
    """Require byte-level BPE, from which every text comes back, and return its ordinary tokens."""
    model, cuts = stored["model"], _steps(stored["pre_tokenizer"], "pretokenizers")
    _require(model["type"] == "BPE", "model.type", "BPE", model["type"])
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    if tuple(tokens[:4]) != SPECIAL_TOKENS:
        raise ValueError(
            f"model must begin with {' '.join(SPECIAL_TOKENS)}, got {' '.join(tokens[:4])!r}; "
            "give them to its trainer as special_tokens, in this order"
        )
    for wanted, token in enumerate(tokens):
        _require(vocabulary[token] == wanted, f"the id of {token!r}", wanted, vocabulary[token])
    for step in _steps(stored["normalizer"], "normalizers"):
        _require(step["type"] == "Lowercase", "normalizer", "Lowercase or none", step)
    splits = "ByteLevel without add_prefix_space, alone or after splits that keep all text"
    for step in cuts[:-1]:
        keeps = step["type"] in ("Split", "Digits", "Punctuation")
        _require(keeps and step.get("behavior") != "Removed", "pre_tokenizer", splits, step)
    last = cuts[-1] if cuts else {"type": None}
    is_plain = last["type"] == "ByteLevel" and not last["add_prefix_space"]
    _require(is_plain, "pre_tokenizer", splits, last)
    for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "ignore_merges"):
        _require(not model[name], f"model.{name}", "off", model[name])
    for token in stored["added_tokens"]:
        is_ours = token["special"] and token["content"] in SPECIAL_TOKENS
        _require(is_ours, "added_tokens", "the special tokens alone, all special", token["content"])
    for left, right in model["merges"]:
        made = left + right
        _require(made not in SPECIAL_TOKENS, "model.merges", "without special tokens", made)
    for token in tokens[4:]:
        _require(set(ALPHABET).issuperset(token), "model.vocab", "made of visible bytes", token)
    lacking = ", ".join(sorted(set(ALPHABET).difference(tokens)))
    _require(not lacking, "model.vocab", "a superset of the 256 bytes", f"none for {lacking}")
    return tokens[4:]


def _steps(part: dict[str, Any] | None, inner: str) -> list[dict[str, Any]]:
    """Return the steps of a part, which may be a sequence of others."""
    if part is None:
        return []
    if part["type"] != "Sequence":
        return [part]
    return [step for other in part[inner] for step in _steps(other, inner)]


def _require(is_right: bool, part: str, rule: object, came: object) -> None:
    """Require that a part of a tokenizer is as ours."""
    if not is_right:
        raise ValueError(
            f"model must be byte-level BPE that keeps every text: {part} must be {rule}, got "
            f"{came!s:.90}; train one with SubwordTokenizer.train, or use this one with the "
            "library tokenizers"
        )
