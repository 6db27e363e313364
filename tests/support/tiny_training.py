"""Helpers for the tests of training: a tiny model, and batches that need no corpus."""

from typing import Any

import torch
from torch import Tensor

from transformer_lite import Transformer, TransformerConfig, build
from transformer_lite.text import Batch, Batches, WordTokenizer
from transformer_lite.training import Trainer

PAD, BOS, EOS, VOCABULARY = 0, 1, 2, 11
LETTERS = "abcdefg"
PAIRS = [(" ".join(LETTERS[: 1 + i % 7]), " ".join(LETTERS[i % 5 :])) for i in range(60)]
TOKENIZER = WordTokenizer([*LETTERS])
FRENCH = [f"le {noun} {verb} {where}" for noun in ("chat", "chien", "garçon")
          for verb in ("dort", "mange", "tombe") for where in ("ici", "là")]  # fmt: skip
# The sizes of a model, as the command takes them.
TINY = ["--d-model", "8", "--num-heads", "2", "--d-ff", "8", "--dropout", "0.1",
        "--encoder-layers", "1", "--decoder-layers", "1"]  # fmt: skip


class TinyBatches:
    """Endless sentences of random words, whose translation is the same words backwards."""

    def __init__(self, rows: int = 4, longest: int = 6, seed: int = 6) -> None:
        self.rows, self.longest, self.seed, self.drawn = rows, longest, seed, 0

    def __iter__(self) -> "TinyBatches":
        return self

    def __next__(self) -> Batch:
        generator = torch.Generator().manual_seed(1000 * self.seed + self.drawn)
        self.drawn += 1
        src = torch.full((self.rows, self.longest + 1), PAD)
        tgt = torch.full((self.rows, self.longest + 2), PAD)
        tgt[:, 0] = BOS
        for row in range(self.rows):
            length = int(torch.randint(1, self.longest + 1, (1,), generator=generator))
            words = torch.randint(3, VOCABULARY, (length,), generator=generator)
            src[row, :length], src[row, length] = words, EOS
            tgt[row, 1 : length + 1], tgt[row, length + 1] = words.flip(0), EOS
        return Batch(src, tgt)

    def state_dict(self) -> dict[str, Any]:
        return {"drawn": self.drawn}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.drawn = state["drawn"]


def tiny_model(seed: int = 6, dtype: torch.dtype = torch.float32, **fields: Any) -> Transformer:
    """A tied pre-norm model with dropout, so that random numbers matter."""
    torch.manual_seed(seed)
    sizes = {"d_model": 16, "num_heads": 2, "d_ff": 24, "dropout": 0.1, "max_len": 32}
    sizes |= {"num_encoder_layers": 1, "num_decoder_layers": 1, "tie_embeddings": True}
    config = TransformerConfig(VOCABULARY, VOCABULARY, residual="pre", **(sizes | fields))
    return build(config).to(dtype)


def tiny_trainer(seed: int = 6, model: Transformer | None = None, **settings: Any) -> Trainer:
    """A trainer of the tiny model, or of another, on the tiny batches."""
    return Trainer(model or tiny_model(seed), TinyBatches(), **settings)


def small_batches() -> Batches:
    """Batches of 1 to 9 rows, so that some workers have fewer rows than others, or none."""
    return Batches(PAIRS[:45], TOKENIZER, max_tokens=28, seed=6)


def real_trainer() -> Trainer:
    """A trainer on real batches: 60 pairs, about four batches an epoch."""
    return Trainer(tiny_model(), Batches(PAIRS, TOKENIZER, max_tokens=99, seed=6))


def same(one: Any, other: Any) -> bool:
    """Return whether two states are the same, bit for bit."""
    if isinstance(one, Tensor):
        return one.dtype == other.dtype and torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
