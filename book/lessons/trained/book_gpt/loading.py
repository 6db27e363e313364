"""The GPT that comes with the package: load it, and ask what may come next."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from lessons.trained.book_gpt.reading import ENDS
from transformer_lite.decoding import keep_top_k
from transformer_lite.models.saving import load
from transformer_lite.models.transformer import DecoderOnlyTransformer
from transformer_lite.text import WordTokenizer
from transformer_lite.text.tokenizer import SPECIAL_TOKENS

#: Where its files are: weights, config, vocabulary, and the record of its training.
FOLDER = Path(__file__).parent
#: The name of the record of its training.
RECORD = "record.json"
#: Signs that follow a word without a space.
CLOSE = (".", ",", "?", "!", ":", ";")


@dataclass(frozen=True)
class BookGPT:
    """A decoder that has read this book, and the words that it knows.

    Attributes:
        model: in evaluation mode; its weights are numbers of 8 bits times powers of two.
        tokenizer: of words in lower case.
    """

    model: DecoderOnlyTransformer
    tokenizer: WordTokenizer

    @property
    def longest(self) -> int:
        """How many ids it has ever seen side by side, the begin included."""
        assert self.model.config is not None
        return self.model.config.max_len

    def logits(self, ids: list[int]) -> Float[Tensor, " V"]:
        """Return a number for each word that may come next; −∞ for what is not a word.

        Args:
            ids: of the text so far, its begin included.
        """
        with torch.no_grad():
            logits = self.model(torch.tensor([ids]))[0, -1]
        logits[: len(SPECIAL_TOKENS)] = -torch.inf
        return logits

    def next_words(self, text: str, count: int = 8) -> dict[str, float]:
        """Return the likeliest next words of a text with their probabilities.

        Args:
            text: what stands there; words that it does not know are read as unknown.
            count: how many.

        Raises:
            TypeError: `text` is not a string.

        >>> load_book_gpt().next_words("attention is all you", count=1).keys()
        dict_keys(['have'])
        """
        ids = [self.tokenizer.bos_id, *self.tokenizer.encode(text)]
        best = self.logits(ids).softmax(dim=-1).topk(count)
        words = (self.tokenizer.tokens[i] for i in best.indices.tolist())
        return dict(zip(words, best.values.tolist(), strict=True))

    def write(
        self, text: str, temperature: float = 1.0, top_k: int | None = None, seed: int = 0
    ) -> str:
        """Go on with a text to the end of a sentence, by chance.

        Args:
            text: what it goes on with, as in :meth:`next_words`.
            temperature, top_k: as in :func:`transformer_lite.decoding.sample`.
            seed: of the chance.

        Returns:
            The text in the words that it reads, and those that it writes: at most as many as it
            has ever seen side by side.
        """
        generator = torch.Generator().manual_seed(seed)
        ids = [self.tokenizer.bos_id, *self.tokenizer.encode(text)]
        while len(ids) < self.longest:
            logits = self.logits(ids) / temperature
            kept = logits if top_k is None else keep_top_k(logits, top_k)
            ids.append(int(torch.multinomial(kept.softmax(dim=-1), 1, generator=generator)))
            if self.tokenizer.tokens[ids[-1]] in ENDS:
                break
        return self.tokenizer.decode(ids)


def load_book_gpt(folder: str | Path | None = None) -> BookGPT:
    """Read the trained model, ready to use, with weights of 32 bits.

    Args:
        folder: where its files are; None takes those of the package.

    Raises:
        FileNotFoundError: a file is not there.
        ValueError: a file is damaged, or the files do not belong together.

    >>> load_book_gpt().model.config.num_decoder_layers
    2
    """
    folder = FOLDER if folder is None else Path(folder)
    model = load(folder, torch.float32)
    tokenizer = WordTokenizer.load(folder / "vocabulary.json")
    if not isinstance(model, DecoderOnlyTransformer):
        raise ValueError(f"{folder} must hold a decoder alone, got a {type(model).__name__}")
    if model.config is None or model.config.tgt_vocab_size != len(tokenizer):
        size = model.config and model.config.tgt_vocab_size
        raise ValueError(
            f"the model and the vocabulary in {folder} must belong together, got "
            f"{size} and {len(tokenizer)} tokens"
        )
    return BookGPT(model, tokenizer)


@lru_cache(maxsize=1)
def precise_book_gpt() -> BookGPT:
    """Return the trained model in double precision, as the live figures compute."""
    loaded = load_book_gpt()
    return BookGPT(deepcopy(loaded.model).double(), loaded.tokenizer)


def longer(text: str, word: str) -> str:
    """Return a text with one more word, with or without a space before it.

    >>> longer("the mask", "hides"), longer("hides.", "it"), longer("the field'", "s")
    ('the mask hides', 'hides. it', "the field's")
    """
    start = text.rstrip()
    glued = not start or start[-1] in "'’" or word in CLOSE
    glued = glued or (word[0] == "-" and len(word) > 1)
    return f"{start}{word}" if glued else f"{start} {word}"
