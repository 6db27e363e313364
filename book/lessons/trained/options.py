"""All that can be chosen about a training from a terminal, and what each choice is by itself."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from transformer_lite.checks import check_choice, check_number, check_size
from transformer_lite.files import write_whole
from transformer_lite.models.config import TransformerConfig
from transformer_lite.text import read_lines
from transformer_lite.training.long_run import Plan
from transformer_lite.training.schedule import cosine, inverse_root

RUN = "run.json"
VOCABULARY = "vocabulary.json"
CHECKSUMS = "checksums"
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
    skip_long: bool = False
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
            "pairs", "steps", "encoder_layers", "decoder_layers", "max_tokens", "accumulate",
            "beam_width",
        ):  # fmt: skip
            check_size(name, getattr(self, name))
        check_size("vocabulary", self.vocabulary, minimum=260)  # special tokens and bytes
        check_size("seed", self.seed, minimum=0)
        check_number("label_smoothing", self.label_smoothing, high=1.0)
        check_number("weight_decay", self.weight_decay)
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
        # Their own checks run before the data are read, so a wrong number fails early.
        self.rate(1)
        self.config(2)
        self.plan  # noqa: B018

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

    @property
    def plan(self) -> Plan:
        """How long to train."""
        return Plan(self.steps, self.every, self.patience, self.minutes)

    def config(self, vocab_size: int) -> TransformerConfig:
        """Return the config of the model: pre-norm, one table for source, target and output."""
        return TransformerConfig(
            vocab_size, vocab_size, self.d_model, self.num_heads, self.d_ff, self.encoder_layers,
            self.decoder_layers, self.dropout, residual="pre", tie_embeddings=True,
        )  # fmt: skip

    def save(self, folder: str | Path) -> None:
        """Write the options into a folder, as ``run.json``, with the whole paths of files.

        So a training goes on from whatever folder it is resumed in, and :meth:`check_files` knows
        whether the files are still the same. The vocabulary must be in the folder already.

        Raises:
            OSError: a file cannot be read or written.
        """
        whole = {name: str(Path(path).absolute()) for name, path in self.files.items()}
        content = dataclasses.asdict(self) | whole | {CHECKSUMS: self._checksums(folder)}
        text = json.dumps(content, indent=2, ensure_ascii=False)
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
            content = json.loads(path.read_bytes())
            content.pop(CHECKSUMS, None)
            return cls(**content)
        except (ValueError, TypeError, AttributeError) as error:
            raise ValueError(
                f"{path} must hold the options of a training, got {error!r:.200}"
            ) from error

    @property
    def files(self) -> dict[str, str]:
        """The paths of the files that are read, by the names of their options."""
        return {name: path for name in FILE_NAMES if (path := getattr(self, name))}

    def check_files(self, folder: str | Path) -> None:
        """Require the sentences and the vocabulary with which a training began.

        A file may have moved, be compressed or have other line ends.

        Args:
            folder: where :meth:`save` has written the options of that training.

        Raises:
            ValueError: a file is gone, or has other lines.
        """
        began = json.loads((Path(folder) / RUN).read_bytes()).get(CHECKSUMS, {})
        for name, path in self._texts(folder).items():
            if not path.exists():
                raise ValueError(
                    f"{name} must be there for the training to go on, got {path}, which is gone; "
                    "restore it, or say where it is now"
                )
        now, paths = self._checksums(folder), self._texts(folder)
        changed = [
            f"{name} {paths[name]} (it had {lines:,} lines and has {now[name][0]:,})"
            for name, (lines, checksum) in began.items()
            if now[name][1] != checksum
        ]
        if changed:
            raise ValueError(
                "the files must be those with which the training began, but changed are "
                f"{', '.join(changed)}; restore them, or begin anew with another --out"
            )

    def _texts(self, folder: str | Path) -> dict[str, Path]:
        """Return the files on which a training depends, by what they are called in messages."""
        sentences = {flag(name): Path(path) for name, path in self.files.items()}
        return sentences | {"the tokenizer": Path(folder) / VOCABULARY}

    def _checksums(self, folder: str | Path) -> dict[str, tuple[int, str]]:
        """Return the number of lines of each file, and a checksum of them."""
        found = {}
        for name, path in self._texts(folder).items():
            lines = read_lines(path)
            found[name] = len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()
        return found


def flag(name: str) -> str:
    """Return an option as it is typed.

    >>> flag("max_tokens")
    '--max-tokens'
    """
    return f"--{name.replace('_', '-')}"
