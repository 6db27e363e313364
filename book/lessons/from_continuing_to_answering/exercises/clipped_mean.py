"""The clipped objective of a group, from the log-probabilities of the tokens of its answers."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _mean(each: Tensor, counts: Tensor) -> Tensor:
    """Return the mean over the answers of the mean over the tokens of an answer."""
    return ((each * counts).sum(dim=1) / counts.sum(dim=1)).mean()


def _clipped(ratio: Tensor, gain: Tensor, clip: float) -> Tensor:
    return torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)


def _reference(logs: Tensor, old: Tensor, gains: Tensor, counts: Tensor, clip: float) -> Tensor:
    return _mean(_clipped((logs - old).exp(), gains[:, None], clip), counts)


def _cases() -> tuple[Case, ...]:
    chance = torch.Generator().manual_seed(28)

    def case(
        name: str, lengths: list[int], clip: float, dtype: torch.dtype = torch.float32,
        size: float = 0.5,
    ) -> Case:  # fmt: skip
        shape = len(lengths), max(lengths)
        old = -2 * torch.rand(shape, generator=chance, dtype=torch.float64)
        logs = old + size * torch.randn(shape, generator=chance, dtype=torch.float64)
        gains = torch.randn(len(lengths), generator=chance, dtype=torch.float64)
        counts = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        tensors = (logs.to(dtype), old.to(dtype), gains.to(dtype), counts)
        return Case(name, dict(zip(_NAMES, (*tensors, clip), strict=True)))

    ratios = torch.tensor([[1.5, 1.1], [0.5, 0.9]])
    by_hand = {
        "logs": (0.2 * ratios).log(),
        "old": torch.full((2, 2), 0.2).log(),
        "gains": torch.tensor([1.0, -1.0]),
        "counts": torch.ones(2, 2, dtype=torch.bool),
        "clip": 0.2,
    }
    back = by_hand | {"gains": torch.tensor([-1.0, 1.0])}
    return (
        Case("ratios 1.5, 1.1 of a good answer and 0.5, 0.9 of a bad one", by_hand),
        Case("the same ratios, but the first answer is the bad one", back),
        case("three answers of 2, 4 and 3 tokens", [2, 4, 3], 0.2),
        case("one answer, clip 0.1, float64", [5], 0.1, torch.float64),
        case("four answers, one token each", [1, 1, 1, 1], 0.3),
        case("far from the old model, float64", [3, 1, 2], 0.2, torch.float64, 3.0),
        case("as many answers as tokens", [3, 2, 1], 0.25),
    )


_NAMES = ("logs", "old", "gains", "counts", "clip")


def _whole_answers(logs: Tensor, old: Tensor, gains: Tensor, counts: Tensor, clip: float) -> Tensor:
    return _clipped(((logs - old) * counts).sum(dim=1).exp(), gains, clip).mean()


def _all_tokens(logs: Tensor, old: Tensor, gains: Tensor, counts: Tensor, clip: float) -> Tensor:
    each = _clipped((logs - old).exp(), gains[:, None], clip)
    return (each * counts).sum() / counts.sum()


_MISTAKES = mistakes(
    lambda logs, old, gains, counts, clip: _mean(
        (logs - old).exp().clamp(1 - clip, 1 + clip) * gains[:, None], counts
    ),
    "You clip without the minimum. Where the ratio has moved in the wrong direction, the term must "
    "keep its slope, so take the smaller of the plain and the clipped term.",
    lambda logs, old, gains, counts, clip: _mean(
        torch.maximum(
            (logs - old).exp() * gains[:, None],
            (logs - old).exp().clamp(1 - clip, 1 + clip) * gains[:, None],
        ),
        counts,
    ),
    "This is the maximum of the two terms. The objective takes the smaller one, so a large change "
    "never looks better than it is.",
    lambda logs, old, gains, counts, clip: _mean((logs - old).exp() * gains[:, None], counts),
    "Nothing is clipped.",
    lambda logs, old, gains, counts, clip: _mean(
        _clipped((old - logs).exp(), gains[:, None], clip), counts
    ),
    "The ratio is upside down: it is the new probability over the old one.",
    lambda logs, old, gains, counts, clip: _mean(
        _clipped(logs - old, gains[:, None], clip), counts
    ),
    "This is the logarithm of the ratio. Take its exponential.",
    lambda logs, old, gains, counts, clip: _mean(
        _clipped(logs.exp(), gains[:, None], clip), counts
    ),
    "The old probability is missing: the ratio is the new probability over the old one.",
    lambda logs, old, gains, counts, clip: _mean(
        _clipped((logs - old).exp(), gains[:, None], clip), torch.ones_like(counts)
    ),
    "The padding after an answer counts too. Use `counts`, in the sum and in the number of tokens.",
    lambda logs, old, gains, counts, clip: (
        _clipped((logs - old).exp(), gains[:, None], clip) * counts
    ).mean(),
    "The sum within an answer is divided by T, so a short answer counts less. Divide it by the "
    "number of its own tokens.",
    lambda logs, old, gains, counts, clip: _mean(
        _clipped((logs - old).exp(), torch.ones_like(gains)[:, None], clip) * gains[:, None], counts
    ),
    "The minimum is taken before the advantage is multiplied in. Multiply both the plain and the "
    "clipped ratio by it first: a negative advantage changes which of the two terms is smaller.",
    _all_tokens,
    "This is the mean over all tokens. Take the mean within each answer first, then the mean of "
    "the answers.",
    _whole_answers,
    "You clip the ratio of whole answers. Here each token has a ratio of its own.",
    lambda *inputs: -_reference(*inputs),
    "The sign is that of a loss. The objective has no minus: it should become large.",
)


def _case_by_case(logs: Tensor, old: Tensor, gains: Tensor, counts: Tensor, clip: float) -> Tensor:
    answers = []
    for log, before, gain, count in zip(logs, old, gains, counts, strict=True):
        ratio = (log[count] - before[count]).exp()
        ratio = ratio.clamp(max=1 + clip) if gain > 0 else ratio.clamp(min=1 - clip)
        answers.append((ratio * gain).mean())
    return torch.stack(answers).mean()


def _by_where(logs: Tensor, old: Tensor, gains: Tensor, counts: Tensor, clip: float) -> Tensor:
    ratio, good = torch.exp(logs - old), (gains > 0)[:, None]
    ratio = torch.where(good, ratio.clamp(max=1 + clip), ratio.clamp(min=1 - clip))
    each = torch.where(counts, ratio * gains[:, None], 0.0)
    return torch.mean(each.sum(dim=-1) / counts.sum(dim=-1))


def _draw(draw: Draw) -> Inputs:
    lengths = torch.tensor([draw.size() for _ in range(draw.size())])
    shape = len(lengths), int(lengths.max())
    old = -draw.normal(*shape, size=1.0).abs()
    logs = old + draw.normal(*shape, size=draw.choice(0.1, 0.5, 2.0))
    counts = torch.arange(shape[1]) < lengths[:, None]
    return logs, old, draw.normal(len(lengths)), counts, draw.choice(0.1, 0.2, 0.3)


clipped_mean = Exercise(
    name="from_continuing_to_answering.clipped_mean",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_case_by_case, _by_where),
    draw=_draw,
    hint_texts=(
        "Take a token with the ratio 1.5 and the advantage 1, and then one with 1.5 and −1. In "
        "which of the two cases should the objective have no slope?",
        "Compute the ratio, the plain term ratio · gain and the clipped term. Take the smaller of "
        "the two at each token, then the mean within each answer.",
        "ratio = (logs - old).exp(); each = torch.minimum(ratio * gains[:, None], ratio.clamp(1 - "
        "clip, 1 + clip) * gains[:, None]); then (each * counts).sum(1) / counts.sum(1), and the "
        "mean of that.",
    ),
    starter='''\
def clipped_mean(logs, old, gains, counts, clip):
    """The clipped objective of a group of answers: a number.

    logs, old (G, T): ln p of each token, by the model and by the one
    that drew the answers. gains (G,): the advantages. counts (G, T):
    True at the tokens of an answer. Take the mean over the tokens of
    each answer, then the mean over the answers.
    """
    ...
''',
)
