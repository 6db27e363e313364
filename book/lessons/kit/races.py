"""Train a small decoder with parts taken out: the workbench's races, with PyTorch in a notebook.

The same tasks, first weights and batches as in the page's engine (`kit/engine`), from the same
seeds, so both show the same curves.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer_lite.layers import FeedForward, MultiHeadAttention, TokenEmbedding
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.masks import look_ahead_mask
from transformer_lite.layers.norms import LayerNorm, RMSNorm
from transformer_lite.layers.positions import (
    LearnedPositions,
    PositionScheme,
    Rotary,
    SinusoidalPositions,
)

HELD_OUT, HELD_OUT_SEED = 128, 990
EVERY, GOOD = 25, 0.95


@dataclass(frozen=True)
class Options:
    """What can be chosen in a race; the defaults are the whole machine.

    Attributes:
        layers, width, heads, head_width, hidden: sizes; `hidden` is the feed-forward's.
        positions: "learned", "sinusoidal", "rotary" or "none"; `base` is the rotary ones'.
        causal: whether the mask hides later tokens.
        scaled: whether scores are divided by √K.
        residual: whether a part's input is added to its output.
        norm: "layer", "rms" or "none"; `place` is "pre" or "post".
        attention, feed_forward: whether the layers have this part.
        batch, rate, warmup, decay: of the training; the rate rises during `warmup` steps.
        size: multiplies the deviation of the first weights.
        seed: of the first weights and the batches.
    """

    layers: int = 2
    width: int = 32
    heads: int = 4
    head_width: int = 8
    hidden: int = 128
    positions: str = "learned"
    base: float = 100.0
    causal: bool = True
    scaled: bool = True
    residual: bool = True
    norm: str = "layer"
    place: str = "pre"
    attention: bool = True
    feed_forward: bool = True
    batch: int = 16
    rate: float = 0.003
    warmup: int = 50
    decay: float = 0.0
    size: float = 1.0
    seed: int = 1


# Random numbers and tasks, as in engine/random.js and engine/tasks.js


class RandomNumbers:
    """The generator mulberry32: the same numbers as in the page.

    >>> round(RandomNumbers(1)(), 4)
    0.6271
    """

    def __init__(self, seed: int) -> None:
        self._state = seed % 2**32

    def __call__(self) -> float:
        """Return the next number from 0 up to 1, as :meth:`several` does but much faster."""
        self._state = z = (self._state + 0x6D2B79F5) % 2**32
        z = (z ^ z >> 15) * (z | 1) % 2**32
        z ^= z + (z ^ z >> 7) * (z | 61) % 2**32
        z %= 2**32
        return (z ^ z >> 14) / 2**32

    def several(self, count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the next `count` numbers."""
        steps = np.arange(1, count + 1, dtype=np.uint64) * 0x6D2B79F5
        z = ((self._state + steps) % 2**32).astype(np.uint32)
        self._state = int(z[-1])
        z = (z ^ (z >> np.uint32(15))) * (z | np.uint32(1))
        z ^= z + (z ^ (z >> np.uint32(7))) * (z | np.uint32(61))
        return (z ^ (z >> np.uint32(14))) / 2**32

    def below(self, count: int) -> int:
        """Return a whole number from 0 to `count` − 1."""
        return int(self() * count)

    def draws(self, count: int, kinds: int) -> list[int]:
        """Return `count` whole numbers from 0 to `kinds` − 1."""
        if count < 20:  # then the arrays of `several` cost more than they save
            return [int(self() * kinds) for _ in range(count)]
        return [int(number * kinds) for number in self.several(count)]

    def shuffled(self, items: Sequence[Any]) -> list[Any]:
        """Return the items in random order."""
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed


@dataclass(frozen=True)
class Task:
    """What a machine has to learn.

    Attributes:
        vocabulary: the number of tokens.
        length: how many tokens the machine reads.
        draw: returns the tokens of an example, and for each whether it belongs to the answer.
        exact: whether an answer is right or wrong; else only the loss counts.
        draw_held_out: draws from a text's last tenth, which is never trained on; other tasks hold
            out one question in eight.
    """

    vocabulary: int
    length: int
    draw: Callable[[RandomNumbers], tuple[list[int], list[bool]]]
    exact: bool = True
    draw_held_out: Callable[[RandomNumbers], tuple[list[int], list[bool]]] | None = None


def _questioned(asked: list[int], answer: list[int], bar: int) -> tuple[list[int], list[bool]]:
    return [*asked, bar, *answer], [False] * (len(asked) + 1) + [True] * len(answer)


def _six(turn: Callable[[list[int]], list[int]]) -> Task:
    def draw(random: RandomNumbers) -> tuple[list[int], list[bool]]:
        letters = random.draws(6, 8)
        return _questioned(letters, turn(letters), 8)

    return Task(9, 12, draw)


def _majority(random: RandomNumbers) -> tuple[list[int], list[bool]]:
    letters = random.draws(9, 2)
    return _questioned(letters, [int(sum(letters) > 4)], 2)


def _count(random: RandomNumbers) -> tuple[list[int], list[bool]]:
    letters = random.draws(8, 3)
    return _questioned(letters, [4 + letters.count(kind) for kind in range(3)], 3)


def _recall(random: RandomNumbers) -> tuple[list[int], list[bool]]:
    keys = random.shuffled(range(8))[:4]
    values = random.draws(4, 8)
    pairs = [(key, 8 + value) for key, value in zip(keys, values, strict=True)]
    questions = random.shuffled(pairs)
    return [token for pair in [*pairs, *questions] for token in pair], [False] * 8 + [
        False,
        True,
    ] * 4


def _induction(random: RandomNumbers) -> tuple[list[int], list[bool]]:
    period = 4 + random.below(4)
    letters = random.shuffled(range(12))[:period]
    return [letters[i % period] for i in range(16)], [i > period for i in range(16)]


def _addition(random: RandomNumbers) -> tuple[list[int], list[bool]]:
    a, b = random.draws(2, 100)
    total = a + b
    answer = [total % 10, total // 10 % 10, total // 100]
    return _questioned([a // 10, a % 10, 10, b // 10, b % 10], answer, 11)


def markov_probabilities() -> list[list[list[float]]]:
    """Return the probabilities of the letter after each pair of letters."""
    random = RandomNumbers(20)
    drawn = np.array([[random.several(8) ** 6 for _ in range(8)] for _ in range(8)])
    chances: list[list[list[float]]] = (drawn / drawn.sum(-1, keepdims=True)).tolist()
    return chances


def _markov() -> Callable[[RandomNumbers], tuple[list[int], list[bool]]]:
    chances = markov_probabilities()

    def draw(random: RandomNumbers) -> tuple[list[int], list[bool]]:
        tokens = random.draws(2, 8)
        for left in random.several(31):
            row = chances[tokens[-2]][tokens[-1]]
            letter = 0
            while letter < 7 and left >= row[letter]:
                left -= row[letter]
                letter += 1
            tokens.append(letter)
        return tokens[-17:], [False, False] + [True] * 15

    return draw


def _text(text: str, length: int) -> Task:
    letters = sorted(set(text))
    ids = [letters.index(letter) for letter in text]
    border = int(len(ids) * 0.9)

    def cut(part: list[int]) -> Callable[[RandomNumbers], tuple[list[int], list[bool]]]:
        def draw(random: RandomNumbers) -> tuple[list[int], list[bool]]:
            start = random.below(len(part) - length)
            tokens = part[start : start + length + 1]
            return tokens, [i > 0 for i in range(length + 1)]

        return draw

    held_out = cut(ids[border:])
    return Task(len(letters), length, cut(ids[:border]), exact=False, draw_held_out=held_out)


NAMES = json.loads((Path(__file__).parent / "engine/names.json").read_text("utf-8"))

TASKS = {
    "copy": _six(lambda letters: letters),
    "reverse": _six(lambda letters: letters[::-1]),
    "sort": _six(sorted),
    "majority": Task(3, 10, _majority),
    "count": Task(13, 11, _count),
    "recall": Task(16, 15, _recall),
    "induction": Task(12, 15, _induction),
    "addition": Task(12, 8, _addition),
    "markov": Task(8, 16, _markov(), exact=False),
    "names": _text(NAMES, 16),
}


def is_held_out(tokens: list[int], answer: list[bool]) -> bool:
    """Return whether an example is never trained on: one in eight, by its question alone."""
    value = 2166136261
    for token, counts in zip(tokens, answer, strict=True):
        if not counts:
            value = (value ^ token) * 16777619 % 2**32
    return (value ^ value >> 15) % 8 == 0


def batch_of(
    task: Task, random: RandomNumbers, count: int, held_out: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Return ids, targets and which targets count, each of shape (B, T)."""
    own = task.draw_held_out
    draw = own if own and held_out else task.draw
    examples: list[tuple[list[int], list[bool]]] = []
    while len(examples) < count:
        example = draw(random)
        if own or is_held_out(*example) == held_out:
            examples.append(example)
    tokens = torch.tensor([tokens for tokens, _ in examples])
    counted = torch.tensor([answer for _, answer in examples])
    return tokens[:, :-1], tokens[:, 1:], counted[:, 1:]


# The machine, from the package's parts


class _Connected(nn.Module):
    """A part in its residual connection; the norm, the sum or both may be missing."""

    def __init__(self, part: nn.Module, norm: nn.Module, options: Options) -> None:
        super().__init__()
        self.part, self.norm = part, norm
        self.pre, self.carries = options.place == "pre", options.residual

    def forward(self, x: Tensor, **mask: Tensor | None) -> Tensor:
        added = self.part(self.norm(x) if self.pre else x, **mask)
        total = x + added if self.carries else added
        return total if self.pre else self.norm(total)


class Machine(nn.Module):
    """A decoder of a race; its weights have the names and the order of those in the page."""

    def __init__(self, task: Task, options: Options) -> None:
        super().__init__()
        self.options, width = options, options.width
        make: dict[str, Callable[[], PositionScheme]] = {
            "learned": lambda: LearnedPositions(width, task.length),
            "sinusoidal": lambda: SinusoidalPositions(width, task.length),
        }
        positions = make.get(options.positions, PositionScheme)()
        self.embedding = TokenEmbedding(task.vocabulary, width, positions)
        parts: list[nn.Module] = []
        names: list[str] = []
        for layer in range(options.layers):
            if options.attention:
                parts.append(_Connected(_attention(options), self._norm(), options))
                names.append(f"decoder.layers.{layer}.self_attention")
            if options.feed_forward:
                transform = FeedForward(width, options.hidden)
                parts.append(_Connected(transform, self._norm(), options))
                names.append(f"decoder.layers.{layer}.feed_forward")
        self.parts, self.names = nn.ModuleList(parts), names
        self.norm = self._norm() if options.place == "pre" else nn.Identity()
        self.output = Linear(width, task.vocabulary, bias=False)

    def _norm(self) -> nn.Module:
        kinds = {"layer": LayerNorm, "rms": RMSNorm}
        kind = kinds.get(self.options.norm)
        return kind(self.options.width) if kind else nn.Identity()

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits of the next token, shape (B, T, V)."""
        mask = look_ahead_mask(ids.shape[1]) if self.options.causal else None
        x = self.embedding(ids)
        for part in self.parts:
            x = part(x, **({"mask": mask} if isinstance(part.part, MultiHeadAttention) else {}))
        logits: Tensor = self.output(self.norm(x))
        return logits

    def named_weights(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Yield the weights by the names and in the order of the page's engine."""
        homes: dict[str, nn.Module] = {"embedding": self.embedding}
        for name, part in zip(self.names, self.parts, strict=True):
            homes[name] = part.get_submodule("part")
            homes[f"{name}_residual.norm"] = part.get_submodule("norm")
        homes |= {"decoder.norm": self.norm, "output": self.output}
        for name, home in homes.items():
            for own, weight in home.named_parameters():
                yield f"{name}.{own}", weight

    @torch.no_grad()
    def initialize(self) -> None:
        """Draw the initial weights as in the page."""
        random = RandomNumbers(self.options.seed)
        for name, weight in self.named_weights():
            if weight.ndim == 1:
                weight.fill_(float("norm.weight" in name))
                continue
            deviation = weight.shape[1] ** -0.5
            if name.startswith("decoder."):
                deviation = math.sqrt(2 / sum(weight.shape))
            elif "positions" in name:
                deviation = 1.0
            spread = math.sqrt(12) * deviation * self.options.size
            numbers = torch.from_numpy((random.several(weight.numel()) - 0.5) * spread)
            weight.copy_(numbers.view_as(weight))

    def loss(self, ids: Tensor, targets: Tensor, counted: Tensor) -> Tensor:
        """Return the mean cross-entropy of the tokens that count."""
        return F.cross_entropy(self(ids)[counted], targets[counted])


def _attention(options: Options) -> MultiHeadAttention:
    width, inner = options.width, options.heads * options.head_width
    positions = Rotary(options.base) if options.positions == "rotary" else None
    attention = MultiHeadAttention(width, 1, positions=positions)
    attention.num_heads = options.heads
    for name in ("q_proj", "k_proj", "v_proj"):
        setattr(attention, name, Linear(width, inner))
    attention.out_proj = Linear(inner, width)
    attention.scale = None if options.scaled else 1.0
    return attention


# Training


@dataclass(frozen=True)
class Record:
    """What one run has shown: its measurements, every 25 steps.

    Attributes:
        losses: the loss of every step.
        held_out: the held-out loss at steps 0, 25, 50, …
        accuracy: how many held-out answers were exactly right then, from 0 to 1; empty for text.
        learned: the step at which 95 % were right, or None.
    """

    losses: list[float]
    held_out: list[float]
    accuracy: list[float]
    learned: int | None


def train(task: str, options: Options, steps: int) -> tuple[Machine, Record]:
    """Train one machine until it has learned its task, at most `steps` steps.

    Args:
        task: a name of `TASKS`.
        options: the machine and its training.
        steps: the most steps.

    Returns:
        The machine, and what was measured.
    """
    chosen = TASKS[task]
    machine = Machine(chosen, options)
    machine.initialize()
    random = RandomNumbers(options.seed + 1000)
    held_out = batch_of(chosen, RandomNumbers(HELD_OUT_SEED), HELD_OUT, held_out=True)
    optimizer = torch.optim.AdamW(machine.parameters(), lr=0.0, weight_decay=options.decay)
    record = Record([], [], [], None)
    _measure(machine, chosen, held_out, record)
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1.0, step / max(1, options.warmup))
        loss = machine.loss(*batch_of(chosen, random, options.batch, held_out=False))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record.losses.append(loss.item())
        if step % EVERY == 0 or step == steps:
            _measure(machine, chosen, held_out, record)
            if record.accuracy and record.accuracy[-1] >= GOOD:
                return machine, replace(record, learned=step)
            if not math.isfinite(record.held_out[-1]):
                break
    return machine, record


@torch.no_grad()
def _measure(machine: Machine, task: Task, held_out: tuple[Tensor, ...], record: Record) -> None:
    ids, targets, counted = held_out
    record.held_out.append(machine.loss(ids, targets, counted).item())
    if task.exact:
        written = machine(ids).argmax(-1) if machine.options.causal else write(machine, *held_out)
        right = ((written == targets) | ~counted).all(dim=1)
        record.accuracy.append(right.float().mean().item())


@torch.no_grad()
def write(machine: Machine, ids: Tensor, targets: Tensor, counted: Tensor) -> Tensor:
    """Return the answers that a machine writes from left to right, seeing only its own.

    Args:
        machine: a trained one.
        ids, targets, counted: as :func:`batch_of` returns them.
    """
    hidden = torch.cat([torch.zeros_like(counted[:, :1]), counted[:, :-1]], dim=1)
    written, answers = ids.masked_fill(hidden, 0), targets.clone()
    for at in range(ids.shape[1]):
        chosen = torch.where(counted[:, at], machine(written)[:, at].argmax(-1), answers[:, at])
        answers[:, at] = chosen
        if at + 1 < ids.shape[1]:
            after = written[:, at + 1]
            written[:, at + 1] = torch.where(counted[:, at], chosen, after)
    return answers


def race(
    task: str, steps: int = 400, seeds: Sequence[int] = (1, 2, 3), **changes: Any
) -> dict[str, list[Record]]:
    """Train the whole machine and a changed one, each with several seeds, and print a table.

    Args:
        task: "copy", "reverse", "sort", "majority", "count", "recall", "induction", "addition" or
            "markov".
        steps: the most steps; a machine stops earlier when 95 % of its answers are right.
        seeds: of the first weights and the batches.
        changes: fields of :class:`Options`, for the changed machine.

    Returns:
        The records of both machines, under "whole" and "changed".

    Raises:
        ValueError: there is no such task or option.

    >>> found = race("copy", steps=25, seeds=[1], attention=False)
    copy           learned at step      loss    right
    whole                        –     2.129       0%
    changed                      –     2.197       0%
    """
    if task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}, got {task!r}")
    known = [field.name for field in fields(Options)]
    for name in changes.keys() - set(known):
        raise ValueError(f"changes must be among {', '.join(known)}, got {name!r}")
    found: dict[str, list[Record]] = {}
    print(f"{task:<10}{'learned at step':>20}{'loss':>10}{'right':>9}")
    for name, options in (("whole", Options()), ("changed", Options(**changes))):
        found[name] = [train(task, replace(options, seed=seed), steps)[1] for seed in seeds]
        learned = ", ".join(str(record.learned or "–") for record in found[name])
        loss = statistics.median(record.held_out[-1] for record in found[name])
        right = [record.accuracy[-1] for record in found[name] if record.accuracy]
        share = f"{statistics.median(right):.0%}" if right else ""
        print(f"{name:<10}{learned:>20}{loss:>10.3f}{share:>9}")
    return found
