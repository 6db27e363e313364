"""Predict where a rotary head that attends one position back will fail."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.positions import sinusoidal_frequencies

Score = Callable[[Tensor, Tensor, Tensor, int], Tensor]
Rule = Callable[[Tensor, Tensor, Tensor, int, float], Tensor]

_normal = normal_numbers("rotary_positions.first_rival")


def _cases() -> tuple[Case, ...]:
    def case(
        name: str, query: Tensor, key: Tensor, omega: Tensor, length: int, margin: float
    ) -> Case:
        inputs = {"query": query, "key": key, "omega": omega}
        return Case(name, inputs | {"length": length, "margin": margin})

    one = torch.tensor([[0.54, -0.84]]), torch.tensor([[1.0, 0.0]]), torch.tensor([1.0])
    two = torch.tensor([[5.4, -8.4, 1.0, 0.0], [5.4, -8.4, 0.5, -0.1]])
    still = torch.tensor([[1.0, 0.0, 1.0, 0.0]]).repeat(2, 1)
    fast_and_slow = torch.tensor([1.0, 0.1])
    wide = sinusoidal_frequencies(8).float()
    return (
        case("one pair of frequency 1, margin 0.02", *one, 60, 0.02),
        case("the same pair with a smaller margin", *one, 60, 0.001),
        case("a second pair of frequency 0.1", two, still, fast_and_slow, 80, 0.25),
        case("six heads of width 8", 3 * _normal(6, 8), 3 * _normal(6, 8), wide, 60, 2.0),
        case("a text of three tokens: no rival", *one, 3, 0.1),
    )


def _waves(query: Tensor, key: Tensor, omega: Tensor, length: int, sign: int = 1) -> Tensor:
    """Return the part of each pair in the scores at the offsets 0, −1, −2, …: (H, length, K/2)."""
    (a, b), (c, d) = (part.double().unflatten(1, (-1, 2)).unbind(-1) for part in (query, key))
    turned = sign * torch.arange(length)[:, None] * omega.double()
    dots, turns = (a * c + b * d)[:, None], (b * c - a * d)[:, None]
    return dots * turned.cos() - turns * turned.sin()


def _scores(query: Tensor, key: Tensor, omega: Tensor, length: int) -> Tensor:
    return _waves(query, key, omega, length).sum(-1) / query.shape[1] ** 0.5


def _rivals(scores: Tensor, margin: float, wanted: int = 1) -> Tensor:
    rivals = scores >= scores[:, wanted : wanted + 1] - margin
    rivals[:, :2] = False
    return rivals


def _first_of(rivals: Tensor) -> Tensor:
    return torch.where(rivals.any(1), rivals.int().argmax(1), 0)


def _by(score: Score, wanted: int = 1) -> Rule:
    def rule(query: Tensor, key: Tensor, omega: Tensor, length: int, margin: float) -> Tensor:
        return _first_of(_rivals(score(query, key, omega, length), margin, wanted))

    return rule


_first_rival = _by(_scores)


def _last_rival(query: Tensor, key: Tensor, omega: Tensor, length: int, margin: float) -> Tensor:
    rivals = _rivals(_scores(query, key, omega, length), margin)
    return torch.where(rivals.any(1), length - 1 - rivals.int().flip(1).argmax(1), 0)


def _one_by_one(query: Tensor, key: Tensor, omega: Tensor, length: int, margin: float) -> Tensor:
    pairs = [torch.view_as_complex(x.double().unflatten(1, (-1, 2))) for x in (query, key)]
    found = []
    for q, k in zip(*pairs, strict=True):
        turns = [torch.polar(torch.ones_like(omega), n * omega) for n in range(length)]
        scores = [(q * k.conj() * t).real.sum().item() / query.shape[1] ** 0.5 for t in turns]
        far = [n for n in range(2, length) if scores[n] >= scores[1] - margin]
        found.append(far[0] if far else 0)
    return torch.tensor(found)


def _cosines(query: Tensor, key: Tensor, omega: Tensor, length: int) -> Tensor:
    """Return the scores as in the chapter's formula: lengths times cosines."""
    (a, b), (c, d) = (part.double().unflatten(1, (-1, 2)).unbind(-1) for part in (query, key))
    size, theta = a.hypot(b) * c.hypot(d), torch.atan2(b, a) - torch.atan2(d, c)
    angle = theta[:, None] + torch.arange(length)[:, None] * omega.double()
    return (size[:, None] * angle.cos()).sum(-1) / query.shape[1] ** 0.5


def _halves(query: Tensor, key: Tensor, omega: Tensor, length: int) -> Tensor:
    query, key = (x.unflatten(1, (2, -1)).mT.flatten(1) for x in (query, key))
    return _scores(query, key, omega, length)


_MISTAKES = mistakes(
    _by(lambda q, k, w, n: _waves(q, k, w, n, -1).sum(-1) / q.shape[1] ** 0.5),
    "You turned the key the wrong way: these are the scores of the tokens after the query. At the "
    "offset −n the query has turned n·ω more than the key.",
    _by(lambda q, k, w, n: _waves(q, k, w, n)[:, :, 0] / q.shape[1] ** 0.5),
    "You use only the first pair. At its whole turns the other pairs can still lower the score, so "
    "add all pairs.",
    _by(lambda q, k, w, n: _waves(q, k, w, n).sum(-1)),
    "The scores are not divided by √K, so the margin is too small for them.",
    _by(_scores, wanted=0),
    "You compare with the score at offset 0. The head should attend one position back.",
    _by(_halves),
    "You pair the two halves. Here neighbors are a pair: entries 2r and 2r + 1.",
    lambda *a: (_first_rival(*a) - 1).clamp(min=0),
    "The answer is too small by 1. A rival at offset −n means the answer n; offset 0 is the query "
    "itself.",
    _last_rival,
    "That is the last rival in the text. Return the first one.",
)


def _draw(draw: Draw) -> Inputs:
    heads, width = draw.size(), 2 * draw.size(1, 4)
    query, key = draw.normal(heads, width, size=3), draw.normal(heads, width, size=3)
    omega = sinusoidal_frequencies(width, draw.choice(100, 10_000)).to(draw.dtype)
    return query, key, omega, draw.size(2, 60), draw.choice(0.3, 1.1, 2.2)


first_rival = Exercise(
    name="rotary_positions.first_rival",
    reference=_first_rival,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_one_by_one, _by(_cosines)),
    draw=_draw,
    hint_texts=(
        "What does one pair add to the score at the offset −n? There the query has turned n steps "
        "further than the key.",
        "Compute the scores at the offsets 0, −1, −2, … up to length − 1, and compare those from "
        "−2 on with the score at −1 minus the margin.",
        "With waves_back from this chapter, scores = waves_back(query, key, omega, length).sum(-1) "
        "and rivals = scores >= scores[:, 1:2] - margin. Set rivals[:, :2] = False; argmax(1) of "
        "rivals.int() is the first rival, if rivals.any(1).",
    ),
    starter='''\
def first_rival(query, key, omega, length, margin):
    """Heads (H, K) in pairs (0, 1), (2, 3), ... -> first rivals, ints (H,).

    A rival is an offset -n, from -2 to 1 - length, whose score is at least
    the score at -1 minus margin. Return the smallest n, or 0 without a rival.
    """
    raise NotImplementedError
''',
)
