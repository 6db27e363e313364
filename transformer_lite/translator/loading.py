"""The translator that comes with the package: load it, and translate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from transformer_lite.models.saving import load
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Tokenizer
from transformer_lite.training import translate

#: Where the translator's three files are: weights, config, vocabulary.
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Translator:
    """A trained model and the words that it knows.

    Attributes:
        model: in evaluation mode; its weights are numbers of 8 bits times powers of two.
        tokenizer: of both languages: source, target and output share one table.
    """

    model: Transformer
    tokenizer: Tokenizer

    def translate(self, text: str, beam_width: int = 1) -> str:
        """Translate one sentence.

        Args:
            text: French, in the words of :func:`transformer_lite.text.grammar_corpus`; others
                are read as unknown.
            beam_width: how many beginnings a beam search keeps; 1 is greedy search.

        Raises:
            TypeError: `text` is no string.
            TypeError, ValueError: as in :func:`transformer_lite.training.translate`.
        """
        return translate(self.model, self.tokenizer, [text], beam_width)[0]


def load_translator(
    folder: str | Path | None = None, device: torch.device | str | None = None
) -> Translator:
    """Read the trained translator, ready to use, with weights of 32 bits.

    Args:
        folder: where its three files are; None takes those of the package.
        device: where to put the model.

    Raises:
        FileNotFoundError: a file is not there.
        ValueError: a file is damaged, or the files do not belong together.

    >>> load_translator().translate("Je suis étudiant")
    'i am a student'
    """
    folder = FOLDER if folder is None else Path(folder)
    model = load(folder, torch.float32, device)
    tokenizer = Tokenizer.load(folder / "vocabulary.json")
    if not isinstance(model, Transformer):
        raise ValueError(f"{folder} must hold a Transformer, got a {type(model).__name__}")
    if model.tgt_embedding.vocab_size != len(tokenizer):
        raise ValueError(
            f"the model and the vocabulary in {folder} must belong together, got "
            f"{model.tgt_embedding.vocab_size} and {len(tokenizer)} tokens"
        )
    return Translator(model, tokenizer)
