"""The translator that comes with the package: load it, and translate."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch

from lessons.trained.translator.doubt import RULE, Doubt, Rule, doubt_of, write_all
from transformer_lite.models.saving import load
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Tokenizer
from transformer_lite.training import translate

#: Where the translator's files are: weights, config, vocabulary, and when it doubts.
FOLDER = Path(__file__).parent


@cache
def sizes_of(folder: Path = FOLDER) -> dict[str, int]:
    """Return the sizes in a translator's config, without its weights: ``num_heads`` and the like.

    Raises:
        FileNotFoundError: the config is not there.
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return {name: size for name, size in config.items() if type(size) is int}


@dataclass(frozen=True)
class Translator:
    """A trained model and the words that it knows.

    Attributes:
        model: in evaluation mode; its weights are numbers of 8 bits times powers of two.
        tokenizer: of both languages: source, target and output share one table.
        rule: when it doubts; None where that was not measured.
    """

    model: Transformer
    tokenizer: Tokenizer
    rule: Rule | None = None

    def translate(self, text: str, beam_width: int = 1) -> str:
        """Translate one sentence.

        Args:
            text: French, in the words of :func:`lessons.trained.grammar.grammar_corpus`; others
                are read as unknown.
            beam_width: how many beginnings a beam search keeps; 1 is greedy search.

        Raises:
            TypeError: `text` is not a string.
            TypeError, ValueError: as in :func:`transformer_lite.training.translate`.
        """
        return translate(self.model, self.tokenizer, [text], beam_width)[0]

    def doubt(self, text: str) -> Doubt:
        """Return how certain the translation of a sentence is, and whether that is too little.

        Args:
            text: as in :meth:`translate`; the translation is that of greedy search.

        Raises:
            TypeError: `text` is not a string.
            ValueError: the translator has no rule.

        >>> load_translator().doubt("je suis étudiant").is_doubtful
        False
        """
        if self.rule is None:
            raise ValueError("rule must be a Rule to doubt by, got None: measure it first")
        written = write_all(self.model, self.tokenizer, [text])[0]
        return doubt_of(self.rule, self.tokenizer, written)


def load_translator(
    folder: str | Path | None = None, device: torch.device | str | None = None
) -> Translator:
    """Read the trained translator, ready to use, with weights of 32 bits.

    Args:
        folder: where its files are; None takes those of the package. A rule of doubt may be
            among them.
        device: where to put the model.

    Raises:
        FileNotFoundError: a file is not there.
        ValueError: a file is damaged, or the files do not belong together.

    >>> load_translator().translate("L'avocat mange un avocat")
    'the lawyer eats an avocado'
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
    rule = Rule.load(folder / RULE) if (folder / RULE).exists() else None
    return Translator(model, tokenizer, rule)
