"""Format the sentences and numbers of recorded trainings for the figures that show them."""

from typing import Any

from torch import Tensor

from transformer_lite.text import Pair, WordTokenizer


def words_of(tokenizer: WordTokenizer, pair: Pair) -> dict[str, Any]:
    """Return a sentence with its target, and the words that name the columns and rows."""
    source, target = ([*tokenizer.pieces(text), "<eos>"] for text in pair[:2])
    return {"text": pair.source, "target": pair.target, "source": source, "words": target}


def percent(shares: Tensor) -> Any:
    """Round shares to whole percents."""
    return (100 * shares).round().int().tolist()
