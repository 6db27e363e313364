"""All that can be chosen about a training from a terminal, and what each choice is by itself."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from transformer_lite.checks import check_choice, check_size
from transformer_lite.files import write_whole
from transformer_lite.models.config import TransformerConfig
from transformer_lite.training.schedule import cosine, inverse_root

RUN = "run.json"
FILE_NAMES = tuple(
    f"{kind}{side}" for kind in ("", "validation_", "test_") for side in ("source", "target")
)

#: What a training on the corpus by grammar chooses by itself: the translator of the book. Its
#: encoder is deep, its decoder shallow (as in Kasai et al. 2021): what a word means is found there.
GRAMMAR = {
    "steps": 16_000, "pairs": 300_000, "d_model": 64, "num_heads": 4, "d_ff": 256,
    "encoder_layers": 3, "decoder_layers": 1, "dropout": 0.0, "max_tokens": 1024, "peak": 3e-3,
    "warm_up": 400, "every": 1000, "weight_decay": 0.1,
}  # fmt: skip
#: The same for files, whose sentences need a larger model and something against learning by heart:
#: measured on 29,000 pairs, see ``benchmarks/results/captions.json``.
FILES = {
    "steps": 9400, "vocabulary": 4000, "d_model": 128, "num_heads": 4, "d_ff": 256,
    "encoder_layers": 4, "decoder_layers": 4, "dropout": 0.2, "max_tokens": 2048, "peak": 4e-3,
    "warm_up": 1000, "every": 400, "weight_decay": 0.0,
}  # fmt: skip


@dataclass(frozen=True)
class Options:
    """One training, from its data to its end.

    ``python -m lessons.trained.train --help`` says what each field is, and what it is by itself.

    Raises:
        ValueError: only one file of two is named, or the schedule has no such name.
        TypeError, ValueError: a size is of the wrong type, or out of range.
    """

    source: str | None = None
    target: str | None = None
    validation_source: str | None = None
    validation_target: str | None = None
    test_source: str | None = None
    test_target: str | None = None
    pairs: int = 300_000
    vocabulary: int = 4000
    lower_case: bool = False
    steps: int = 16_000
    minutes: float | None = None
    every: int = 1000
    patience: int | None = None
    d_model: int = 64
    num_heads: int = 4
    d_ff: int = 256
    encoder_layers: int = 3
    decoder_layers: int = 1
    dropout: float = 0.0
    max_tokens: int = 1024
    accumulate: int = 1
    label_smoothing: float = 0.1
    weight_decay: float = 0.1
    schedule: str = "cosine"
    peak: float = 3e-3
    warm_up: int = 400
    seed: int = 0
    beam_width: int = 1
    strategy: str | None = None
    precision: str | None = None
    checkpointing: bool = False
    compile: bool = False

    def __post_init__(self) -> None:
        check_choice("schedule", self.schedule, ("cosine", "inverse_root"))
        for name in (
            "pairs", "vocabulary", "steps", "encoder_layers", "decoder_layers", "max_tokens",
            "beam_width",
        ):  # fmt: skip
            check_size(name, getattr(self, name))
        check_size("seed", self.seed, minimum=0)
        self._check_strategy()
        for kind in ("", "validation_", "test_"):
            source, target = getattr(self, f"{kind}source"), getattr(self, f"{kind}target")
            if (source is None) != (target is None):
                raise ValueError(
                    f"{kind}source and {kind}target must both be given or neither, "
                    f"got {source} and {target}"
                )
        if self.source is None and (self.validation_source or self.test_source):
            raise ValueError(
                "source must be given with validation_source or test_source, got None: "
                "the corpus by grammar has its own"
            )
        self.rate(1)  # which knows what fits its numbers,
        self.config(2)  # as the model does: nobody waits for data in vain

    def _check_strategy(self) -> None:
        if self.strategy is not None:
            check_choice("strategy", self.strategy, ("ddp", "fsdp"))
        if self.precision is not None:
            check_choice("precision", self.precision, ("float32", "bfloat16"))
        given = [name for name in ("precision", "checkpointing", "compile") if getattr(self, name)]
        if given and self.strategy is None:
            raise ValueError(f"{given[0]} needs a strategy, ddp or fsdp, got none")

    @classmethod
    def chosen(cls, **choices: Any) -> Options:
        """Return options with these choices; the others are those of the kind of data.

        A short training has a short warm-up: a fifth of its steps, if that is not chosen.
        """
        merged = (FILES if choices.get("source") else GRAMMAR) | choices
        if "warm_up" not in choices:
            merged["warm_up"] = min(merged["warm_up"], max(1, merged["steps"] // 5))
        return cls(**merged)

    @property
    def rate(self) -> Callable[[int], float]:
        """From the number of a step to its learning rate."""
        if self.schedule == "cosine":
            return partial(cosine, peak=self.peak, warm_up=self.warm_up, steps=self.steps)
        return partial(inverse_root, peak=self.peak, warm_up=self.warm_up)

    def config(self, vocab_size: int) -> TransformerConfig:
        """Return the config of the model: pre-norm, one table for source, target and output."""
        return TransformerConfig(
            vocab_size, vocab_size, self.d_model, self.num_heads, self.d_ff, self.encoder_layers,
            self.decoder_layers, self.dropout, residual="pre", tie_embeddings=True,
        )  # fmt: skip

    def save(self, folder: str | Path) -> None:
        """Write the options into a folder, as ``run.json``, with the whole paths of files.

        So a training goes on from whatever folder it is resumed in.

        Raises:
            OSError: the file cannot be written.
        """
        paths = {name: getattr(self, name) for name in FILE_NAMES}
        whole = {name: str(Path(path).absolute()) for name, path in paths.items() if path}
        text = json.dumps(dataclasses.asdict(self) | whole, indent=2, ensure_ascii=False)
        write_whole(Path(folder) / RUN, f"{text}\n".encode())

    @classmethod
    def load(cls, folder: str | Path) -> Options:
        """Read what :meth:`save` has written.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file holds something else.
        """
        path = Path(folder) / RUN
        try:
            return cls(**json.loads(path.read_bytes()))
        except (ValueError, TypeError) as error:
            raise ValueError(
                f"{path} must hold the options of a training, got {error!r:.200}"
            ) from error
