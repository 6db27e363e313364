"""Batches of sentence pairs: of similar length, up to a number of tokens, in a seeded order."""

from __future__ import annotations

import random
import zlib
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Int64
from torch import Tensor

from transformer_lite.checks import check_size
from transformer_lite.text.tokenizer import Tokenizer, check_text


class Pair(NamedTuple):
    """A sentence, its translation, and the difficulties in it.

    Attributes:
        source: the sentence.
        target: its translation.
        phenomena: the phenomena that a translator must know, such as ``"negation"``.
    """

    source: str
    target: str
    phenomena: frozenset[str] = frozenset()


class Batch(NamedTuple):
    """Sentences as ids, with padding only at the ends of rows.

    `src` (B, S) are the sources, each with its end token; `tgt` (B, T) are the targets, each with
    its start and end tokens.
    """

    src: Int64[Tensor, "B S"]
    tgt: Int64[Tensor, "B T"]

    @property
    def inputs(self) -> Tensor:
        """Return the decoder's input, the targets without their last column, shape (B, T−1)."""
        return self.tgt[:, :-1]

    @property
    def labels(self) -> Tensor:
        """Return the labels, the targets without their first column, shape (B, T−1)."""
        return self.tgt[:, 1:]


def make_batch(
    pairs: Sequence[Pair | tuple[str, str]],
    tokenizer: Tokenizer,
    target_tokenizer: Tokenizer | None = None,
) -> Batch:
    """Turn sentence pairs into one batch, in their order.

    Args:
        pairs: at least one source and target.
        tokenizer: for the sources, and for the targets if they have none of their own.
        target_tokenizer: for the targets; None takes `tokenizer`.

    Raises:
        TypeError: a pair is none, or a tokenizer is none.
        ValueError: there are no pairs, or the tokenizers have different pads.

    >>> from transformer_lite.text.words import WordTokenizer
    >>> make_batch([("a", "b b"), ("a a", "b")], WordTokenizer(["a", "b"])).tgt
    tensor([[1, 5, 5, 2],
            [1, 5, 2, 0]])
    """
    encoded = _encode(pairs, tokenizer, target_tokenizer)
    return _batch(encoded, tokenizer, target_tokenizer or tokenizer)


def pad_rows(rows: Sequence[Sequence[int]], pad_id: int = 0) -> Int64[Tensor, "B L"]:
    """Pad rows of ids to the same length.

    Args:
        rows: at least one.
        pad_id: the padding id.

    Returns:
        The rows as one tensor, shape (B, L).

    Raises:
        TypeError: `pad_id` is not an int.
        ValueError: there are no rows, or `pad_id` is negative.

    >>> pad_rows([[4, 5, 6], [7]])
    tensor([[4, 5, 6],
            [7, 0, 0]])
    """
    check_size("pad_id", pad_id, minimum=0)
    if len(rows) == 0:
        raise ValueError("rows must hold at least one row, got none")
    longest = max(map(len, rows))
    table = [[*row, *[pad_id] * (longest - len(row))] for row in rows]
    return torch.tensor(table, dtype=torch.int64)  # empty rows would be floats


class Batches:
    """Endless batches: every pair once per epoch, in a new order each time.

    Pairs of similar length share a batch, so that little padding is needed. A batch has as many
    pairs as keep rows × columns, including padding, within `max_tokens` for its sources and for its
    decoder's inputs. The order is drawn again every epoch and depends only on `seed`.

    Args:
        pairs: sources and targets.
        tokenizer: for the sources, and for the targets if they have none of their own.
        max_tokens: the largest batch, in tokens of either side.
        seed: the seed of the order; at least 0.
        target_tokenizer: for the targets; None takes `tokenizer`.

    Attributes:
        epoch: the number of finished epochs.
        position: the number of batches taken from this epoch.
        pad_id: the id that pads the shorter rows.

    Raises:
        TypeError: a pair is none, a tokenizer is none, or a number is not an int.
        ValueError: there are no pairs, one of them alone is longer than `max_tokens`, or the
            tokenizers have different pads.
    """

    def __init__(
        self,
        pairs: Sequence[Pair | tuple[str, str]],
        tokenizer: Tokenizer,
        max_tokens: int,
        seed: int = 0,
        target_tokenizer: Tokenizer | None = None,
    ) -> None:
        check_size("max_tokens", max_tokens)
        check_size("seed", seed, minimum=0)
        self._pairs = _encode(pairs, tokenizer, target_tokenizer)
        self._lengths = [(max(len(s), len(t)) + 1, len(s)) for s, t in self._pairs]
        longest = max(range(len(pairs)), key=self._lengths.__getitem__)
        if self._lengths[longest][0] > max_tokens:
            raise ValueError(
                f"max_tokens must be at least {self._lengths[longest][0]}, the length of "
                f"pairs[{longest}] with its end, got {max_tokens}; raise it, or leave out pairs as "
                f"long as {pairs[longest][0]!r:.40}"
            )
        self.tokenizer, self.target_tokenizer = tokenizer, target_tokenizer or tokenizer
        self.pad_id, self.max_tokens, self.seed = tokenizer.pad_id, max_tokens, seed
        self._start(0, 0)

    def __iter__(self) -> Batches:
        return self

    def __next__(self) -> Batch:
        batch = self._make(self._plan[self.position])
        self.position += 1
        if self.position == len(self._plan):
            self._start(self.epoch + 1, 0)
        return batch

    def __len__(self) -> int:
        """Return the number of batches in this epoch; others may have a few more or fewer."""
        return len(self._plan)

    def once(self) -> Iterator[Batch]:
        """Yield every pair once, short ones first, without changing the order of the epochs."""
        order = sorted(range(len(self._pairs)), key=self._lengths.__getitem__)
        return (self._make(rows) for rows in self._cut(order))

    def state_dict(self) -> dict[str, int]:
        """Return the position of this iterator, as integers."""
        return {"epoch": self.epoch, "position": self.position, **self._made_of()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state_dict`: the next batch is the one that came next then.

        Raises:
            TypeError: `state` is not a dict, or holds something else than whole numbers.
            ValueError: it lacks an entry, or belongs to other pairs, tokenizers or settings.
        """
        if not isinstance(state, dict):
            raise TypeError(f"state must be a dict, got {type(state).__name__}: {state!r:.60}")
        here = self._made_of()
        for name in ("epoch", "position", *here):
            if name not in state:
                raise ValueError(f"state must hold {name!r}, got {', '.join(map(str, state))}")
            check_size(f"state[{name!r}]", state[name], minimum=0)
            if name in here and state[name] != here[name]:
                raise ValueError(
                    f"state must be of these batches, with {name} {here[name]}, got {state[name]}; "
                    "take the pairs, tokenizers and settings with which it was saved, or start anew"
                )
        plan = self._planned(state["epoch"])
        if state["position"] >= len(plan):
            raise ValueError(
                f"state['position'] must be at most {len(plan) - 1}, got {state['position']}"
            )
        self._start(state["epoch"], state["position"], plan)

    def _made_of(self) -> dict[str, int]:
        """Return what decides the order, and a checksum of the pairs."""
        fingerprint = 0
        for sides in self._pairs:
            for ids in sides:
                fingerprint = zlib.crc32(array("q", [len(ids), *ids]).tobytes(), fingerprint)
        return {"seed": self.seed, "max_tokens": self.max_tokens, "fingerprint": fingerprint}

    def _start(self, epoch: int, position: int, plan: list[list[int]] | None = None) -> None:
        self._plan = plan or self._planned(epoch)
        self.epoch, self.position = epoch, position

    def _planned(self, epoch: int) -> list[list[int]]:
        """Draw the batches of an epoch with Python's generator, the same on every machine."""
        generator = random.Random(f"{self.seed} {epoch}")
        order = list(range(len(self._pairs)))
        generator.shuffle(order)
        order.sort(key=self._lengths.__getitem__)  # pairs of one length keep their drawn order
        plan = self._cut(order)
        generator.shuffle(plan)
        return plan

    def _cut(self, order: list[int]) -> list[list[int]]:
        """Cut pairs, sorted by length, into batches."""
        batches: list[list[int]] = [[]]
        for i in order:
            if (len(batches[-1]) + 1) * self._lengths[i][0] > self.max_tokens:
                batches.append([])
            batches[-1].append(i)
        return batches

    def _make(self, rows: list[int]) -> Batch:
        return _batch([self._pairs[i] for i in rows], self.tokenizer, self.target_tokenizer)


def _encode(
    pairs: Sequence[Pair | tuple[str, str]], tokenizer: Tokenizer, target: Tokenizer | None
) -> list[tuple[list[int], list[int]]]:
    """Turn pairs into ids, without start and end tokens."""
    target = tokenizer if target is None else target
    for name, given in (("tokenizer", tokenizer), ("target_tokenizer", target)):
        if not isinstance(given, Tokenizer):
            came = f"{type(given).__name__}: {given!r:.60}"
            raise TypeError(f"{name} must be a Tokenizer, got {came}")
    if target.pad_id != tokenizer.pad_id:
        came = f"{tokenizer.pad_id} and {target.pad_id}"
        raise ValueError(f"tokenizer and target_tokenizer must have the same pad_id, got {came}")
    if len(pairs) == 0:
        raise ValueError("pairs must hold at least one pair, got none")
    for i, pair in enumerate(pairs):
        if not isinstance(pair, tuple | list) or len(pair) < 2:
            came = f"{type(pair).__name__}: {pair!r:.60}"
            raise TypeError(f"pairs[{i}] must be a source and a target, got {came}")
        check_text(f"the source of pairs[{i}]", pair[0])
        check_text(f"the target of pairs[{i}]", pair[1])
    return [(tokenizer.encode(pair[0]), target.encode(pair[1])) for pair in pairs]


def _batch(
    encoded: list[tuple[list[int], list[int]]], source: Tokenizer, target: Tokenizer
) -> Batch:
    src = [[*ids, source.eos_id] for ids, _ in encoded]
    tgt = [[target.bos_id, *ids, target.eos_id] for _, ids in encoded]
    return Batch(pad_rows(src, source.pad_id), pad_rows(tgt, target.pad_id))
