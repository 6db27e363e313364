"""Whether the translator was made for a sentence: how sure it is of the words that it writes.

It says what it does not know: words that it never saw are marked. A sentence of known words that is
put together as none of its corpus is not marked by that. Then its own probabilities are low on
average, and :class:`Rule` says how low is too low. The rule is measured, see
:mod:`lessons.trained.translator.measuring_doubt`, and is next to the weights.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from transformer_lite.decoding import greedy
from transformer_lite.files import write_whole
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Tokenizer

#: The name of a rule's file.
RULE = "doubt.json"


class Written(NamedTuple):
    """A translation by greedy search, and how sure the model was of each token, the end included.

    Attributes:
        ids: the tokens without the begin.
        log_probs: the log-probability of each.
        has_ended: whether the sentence came to its end.
    """

    ids: list[int]
    log_probs: Float[Tensor, " T"]
    has_ended: bool


@dataclass(frozen=True)
class Rule:
    """When the translator says that it is not sure, and how often that is right.

    Attributes:
        threshold: the translator doubts where the mean log-probability of its words is below it.
        false_alarms: the share of right translations of its own kind of sentences that it doubts.
        misses: the share of wrong translations that it does not doubt, among sentences of known
            words that its grammar cannot draw.

    Raises:
        ValueError: a share is not from 0 to 1.
    """

    threshold: float
    false_alarms: float
    misses: float

    def __post_init__(self) -> None:
        for name in ("false_alarms", "misses"):
            share = getattr(self, name)
            if not 0 <= share <= 1:
                raise ValueError(f"{name} must lie between 0 and 1, got {share}")

    @staticmethod
    def load(path: str | Path) -> Rule:
        """Read a rule.

        Raises:
            FileNotFoundError: it is not there.
            ValueError: the file is damaged.
        """
        try:
            return Rule(**json.loads(Path(path).read_text(encoding="utf-8")))
        except (TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} must hold a rule of doubt, got {error}") from error

    def save(self, path: str | Path) -> None:
        """Write it as JSON.

        Raises:
            OSError: it cannot be written; what was there before is untouched.
        """
        write_whole(path, (json.dumps(asdict(self), indent=2) + "\n").encode("ascii"))


class Doubt(NamedTuple):
    """How sure the translator is of one sentence.

    Attributes:
        value: the mean log-probability of the words of its translation.
        is_doubtful: whether it is below the rule's threshold, or the translation has no end.
        word: the least certain token of the translation.
        probability: its probability.
    """

    value: float
    is_doubtful: bool
    word: str
    probability: float


def doubt_of(rule: Rule, tokenizer: Tokenizer, written: Written) -> Doubt:
    """Return what a rule says of a translation."""
    value = written.log_probs.mean().item()
    least = int(written.log_probs.argmin())
    is_doubtful = value < rule.threshold or not written.has_ended
    word = tokenizer.tokens[written.ids[least]]
    return Doubt(value, is_doubtful, word, written.log_probs[least].exp().item())


@torch.inference_mode()
def write_all(
    model: Transformer, tokenizer: Tokenizer, texts: Sequence[str], batch_size: int = 128
) -> list[Written]:
    """Translate texts by greedy search as :func:`transformer_lite.training.translate` does.

    Args:
        model: in evaluation mode.
        tokenizer: of both languages.
        texts: what to translate.
        batch_size: how many at a time; texts of like length share a batch.

    Returns:
        The translations with their certainty, in the order of the texts.
    """
    sources = [[*tokenizer.encode(text), tokenizer.eos_id] for text in texts]
    order = sorted(range(len(texts)), key=lambda i: len(sources[i]))
    found: dict[int, Written] = {}
    device = next(model.parameters()).device
    for first in range(0, len(order), batch_size):
        rows = order[first : first + batch_size]
        tensors = [torch.tensor(sources[i]) for i in rows]
        src = pad_sequence(tensors, batch_first=True, padding_value=tokenizer.pad_id).to(device)
        ends = {"bos_id": tokenizer.bos_id, "eos_id": tokenizer.eos_id}
        ids = greedy(model, src, max_len=2 * src.shape[1] + 10, **ends)  # type: ignore[arg-type]
        log_probs = certainty(model, src, ids)
        for i, row, sure in zip(rows, ids[:, 1:].tolist(), log_probs, strict=True):
            has_ended = tokenizer.eos_id in row
            length = row.index(tokenizer.eos_id) + 1 if has_ended else len(row)
            found[i] = Written(row[:length], sure[:length], has_ended)
    return [found[i] for i in range(len(texts))]


def certainty(model: Transformer, src: Tensor, ids: Tensor) -> Tensor:
    """Return the log-probabilities of targets (B, T) without their begin, shape (B, T − 1)."""
    logits = model(src, ids[:, :-1])
    logits[..., model.pad_id] = -torch.inf
    log_probs = logits.log_softmax(dim=-1)
    return log_probs.gather(2, ids[:, 1:, None])[..., 0]
