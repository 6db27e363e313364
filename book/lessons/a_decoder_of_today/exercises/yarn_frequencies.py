"""Stretch the slow pairs of a rotation for longer texts, and leave the fast ones as they are."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

_Ramp = Callable[[Tensor, float, float], Tensor]


def _linear(pair: Tensor, first: float, last: float) -> Tensor:
    """From 0 for the fast pairs to 1 for the slow ones."""
    return ((pair - first) / (last - first)).clamp(0, 1)


def _yarn(
    d_head: int,
    base: float,
    length: int,
    factor: float,
    *,
    ramp: _Ramp = _linear,
    rounded: bool = True,
    turns: tuple[float, float] = (32, 1),
) -> Tensor:
    pair = torch.arange(d_head // 2, dtype=torch.float64)
    kept = base ** (-2 * pair / d_head)

    def pair_with(turns: float) -> float:
        return d_head / 2 * math.log(length / (2 * math.pi * turns)) / math.log(base)

    first, last = map(pair_with, turns)
    if rounded:
        first, last = max(0, math.floor(first)), min(d_head - 1, math.ceil(last))
    slowed = ramp(pair, first, last)
    return (1 - slowed) * kept + slowed * kept / factor


def _case(name: str, d_head: int, base: float, length: int, factor: float) -> Case:
    return Case(name, {"d_head": d_head, "base": base, "length": length, "factor": factor})


_CASES = (
    _case("width 8, trained on 1000 tokens, four times as long", 8, 10000.0, 1000, 4.0),
    _case("Qwen3: width 128, trained on 32768 tokens", 128, 1e6, 32768, 4.0),
    _case("a factor of 1 changes nothing", 16, 10000.0, 4096, 1.0),
    _case("a short training: no pair turns 32 times", 8, 100.0, 50, 8.0),
    _case("width 2: one pair, the fastest", 2, 10000.0, 1000, 4.0),
    _case("Llama 2: width 128, trained on 4096 tokens, 16 times as long", 128, 10000.0, 4096, 16.0),
    _case("Llama 1: the same width, trained on 2048 tokens", 128, 10000.0, 2048, 4.0),
)

_MISTAKES = mistakes(
    lambda k, b, n, f: _yarn(k, b, n, f, ramp=lambda pair, *_: torch.ones_like(pair)),
    "All pairs are slowed down. The model has seen all angles of the fast ones, so they stay.",
    lambda k, b, n, f: _yarn(k, b, n, f, ramp=lambda pair, *_: torch.zeros_like(pair)),
    "No pair is slowed down. The slow ones would reach angles that the model has never seen.",
    lambda k, b, n, f: _yarn(k, b, n, f, ramp=lambda *at: 1 - _linear(*at)),
    "The wrong end is slowed down: pair 0 is the fastest one and stays as it is.",
    lambda k, b, n, f: _yarn(k, b, n, 1 / f),
    "The slow pairs turn faster. Divide their frequencies by the factor.",
    lambda k, b, n, f: _yarn(k, b, n, f, rounded=False),
    "Round the two pairs between which the frequencies are blended: the first down, the last up.",
    lambda k, b, n, f: _yarn(k, b, round(n * f), f),
    "The turns are counted within the long text. What matters is how often a pair turned within "
    "the texts of the training.",
    lambda k, b, n, f: _yarn(
        k, b, n, f, ramp=lambda pair, first, last: (pair > (first + last) / 2).double()
    ),
    "The frequencies jump from kept to slowed. Between the two pairs they are blended.",
    lambda k, b, n, f: _yarn(
        k, b, n, f, ramp=lambda pair, first, last: (pair - first) / (last - first)
    ),
    "The share is not limited to 0 … 1: it is negative before the first of the two pairs, and more "
    "than 1 after the last.",
    lambda k, b, n, f: _yarn(k, b, n, f, turns=(32 * 2 * math.pi, 2 * math.pi)),
    "Angles and turns are mixed up: one turn is an angle of 2π.",
)


def _by_slices(d_head: int, base: float, length: int, factor: float) -> Tensor:
    found = []
    fast, slow = (
        math.log(length / (2 * math.pi * turns)) / (2 * math.log(base)) * d_head
        for turns in (32, 1)
    )
    first, last = max(math.floor(fast), 0), min(math.ceil(slow), d_head - 1)
    for r in range(d_head // 2):
        mix = min(1.0, max(0.0, (r - first) / (last - first)))
        found.append(base ** (-2 * r / d_head) * (1 - mix + mix / factor))
    return torch.tensor(found, dtype=torch.float64)


def _by_lerp(d_head: int, base: float, length: int, factor: float) -> Tensor:
    pair = torch.arange(0, d_head, 2, dtype=torch.float64)
    kept = torch.tensor(base, dtype=torch.float64) ** (-pair / d_head)
    ends = [d_head / 2 * math.log(length / math.tau / n, base) for n in (32, 1)]
    first, last = max(0, math.floor(ends[0])), min(d_head - 1, math.ceil(ends[1]))
    return torch.lerp(kept, kept / factor, ((pair / 2 - first) / (last - first)).clamp(0, 1))


def _draw(draw: Draw) -> Inputs:
    base = draw.choice(100.0, 10000.0, 500000.0)
    factor = draw.choice(1.5, 2.0, 4.0, 8.0)
    return 2 * draw.size(2, 12), base, draw.size(40, 9000), factor


yarn_frequencies = Exercise(
    name="a_decoder_of_today.yarn_frequencies",
    reference=_yarn,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_slices, _by_lerp),
    draw=_draw,
    hint_texts=(
        "How many whole turns does pair 0 make in 1000 tokens, at one radian for each token? And "
        "the slowest pair of width 8, with frequency 0.001?",
        "Compute first and last, then for every pair r the fraction (r − first) / (last − first), "
        "limited to 0 … 1. Blend ω and ω / factor with this fraction.",
        "r = torch.arange(d_head // 2, dtype=torch.float64); kept = base ** (-2 * r / d_head); "
        "mix = ((r - first) / (last - first)).clamp(0, 1); (1 - mix) * kept + mix * kept / "
        "factor",
    ),
    starter='''\
def yarn_frequencies(d_head, base, length, factor):
    """Return YaRN's frequencies of all pairs: float64 (K/2,).

    Unscaled, pair r has the frequency base ** (-2r / K). The pair that makes
    n turns in `length` tokens is pair(n) = K/2 · ln(length / 2πn) / ln(base).
    Up to pair(32), rounded down and at least 0, a frequency stays; from
    pair(1) on, rounded up and at most K − 1, it is divided by `factor`;
    between them it is blended linearly in r.
    """
    raise NotImplementedError
''',
)
