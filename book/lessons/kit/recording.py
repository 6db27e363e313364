"""How the films of a training name their sentences and keep their numbers."""

from typing import Any

from torch import Tensor

from transformer_lite.text import Pair, WordTokenizer


def words_of(tokenizer: WordTokenizer, pair: Pair) -> dict[str, Any]:
    """Return a sentence as the figure names it: its columns and its rows."""
    source, target = ([*tokenizer.pieces(text), "<eos>"] for text in pair[:2])
    return {"text": pair.source, "target": pair.target, "source": source, "words": target}


def percent(shares: Tensor) -> Any:
    """Round shares to whole percents."""
    return (100 * shares).round().int().tolist()
