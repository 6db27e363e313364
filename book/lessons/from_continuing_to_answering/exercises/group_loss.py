"""Find the bugs: prompts count in the loss of GRPO, and equal rewards turn it into NaN."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _inside(logs: Tensor, start: int | Tensor, ends: Tensor) -> Tensor:
    """Return which of the labels ids[:, 1:] belong to an answer."""
    positions = torch.arange(1, logs.shape[1] + 1)
    return (positions >= start) & (positions < ends[:, None])


def _gains(rewards: Tensor, small: float = 1e-4) -> Tensor:
    return (rewards - rewards.mean()) / (rewards.std(correction=0) + small)


def _loss(ratio: Tensor, gains: Tensor, counts: Tensor) -> Tensor:
    gain = gains[:, None]
    each = torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain)
    return -((each * counts).sum(dim=1) / counts.sum(dim=1)).mean()


def _reference(logs: Tensor, old: Tensor, start: int, ends: Tensor, rewards: Tensor) -> Tensor:
    return _loss((logs - old).exp(), _gains(rewards), _inside(logs, start, ends))


def _cases() -> tuple[Case, ...]:
    """Return cases in float32: there, all small numbers that avoid 0/0 are equally good."""
    chance = torch.Generator().manual_seed(28)

    def case(
        name: str, length: int, start: int, ends: list[int], rewards: list[float],
        size: float = 0.3,
    ) -> Case:  # fmt: skip
        shape = len(ends), length - 1
        old = -2 * torch.rand(shape, generator=chance, dtype=torch.float64) - 0.5
        logs = old + size * torch.randn(shape, generator=chance, dtype=torch.float64)
        inputs = {"logs": logs.float(), "old": old.float(), "start": start}
        rest = {"ends": torch.tensor(ends), "rewards": torch.tensor(rewards, dtype=torch.float32)}
        return Case(name, inputs | rest)

    return (
        case("four answers of two tokens, one is right", 5, 3, [5, 5, 5, 5], [1, 0, 0, 0]),
        case("all four answers are right", 5, 3, [5, 5, 5, 5], [1, 1, 1, 1]),
        case("answers of 1 to 4 tokens", 6, 2, [3, 6, 4, 5], [0, 1, 1, 0]),
        case("three answers, other rewards", 5, 2, [4, 3, 5], [0.5, 2, -1]),
        case("a prompt of one token, far from the old model", 4, 1, [3, 4], [1, 0], 1.0),
        case("no answer is right", 6, 4, [5, 6, 5], [0, 0, 0]),
        case("a long prompt, two answers", 9, 7, [8, 9], [0, 1]),
    )


_MISTAKES = mistakes(
    lambda logs, old, start, ends, rewards: _loss(
        (logs - old).exp(), _gains(rewards, 0.0), _inside(logs, 0, ends)
    ),
    "There are two bugs. The mask is True at the prompt, so the prompt's tokens are trained as "
    "well. And a group of equal rewards has the deviation 0: 0/0 is NaN.",
    lambda logs, old, start, ends, rewards: _reference(logs, old, 0, ends, rewards),
    "The prompt still counts. The labels of an answer are those from position `start` on.",
    lambda logs, old, start, ends, rewards: _loss(
        (logs - old).exp(), _gains(rewards, 0.0), _inside(logs, start, ends)
    ),
    "A group of equal rewards has the deviation 0, and 0/0 is NaN. Add a small number such as 1e-4 "
    "to the deviation.",
    lambda logs, old, start, ends, rewards: _reference(logs, logs, start, ends, rewards),
    "The ratio is always 1. It compares the model with the one that drew the answers, so it needs "
    "`old`.",
    lambda logs, old, start, ends, rewards: _loss(
        (logs - old).exp(), rewards - rewards.mean(), _inside(logs, start, ends)
    ),
    "The division by the deviation is gone. Keep it, and add a small number such as 1e-4 to the "
    "deviation.",
    lambda logs, old, start, ends, rewards: _reference(logs, old, start - 1, ends - 1, rewards),
    "The mask is one position too early. logs[:, 0] belongs to ids[:, 1].",
    lambda logs, old, start, ends, rewards: _reference(logs, old, start + 1, ends + 1, rewards),
    "The mask is one position too late. logs[:, 0] belongs to ids[:, 1]: count from 1.",
    lambda logs, old, start, ends, rewards: _loss(
        (logs - old).exp(),
        rewards / (rewards.std(correction=0) + 1e-4),
        _inside(logs, start, ends),
    ),
    "The mean is no longer subtracted, so a group of right answers pushes all of them up.",
    lambda logs, old, start, ends, rewards: _loss(
        (logs - old).exp(),
        (rewards - rewards.mean()) / (rewards.std() + 1e-4),
        _inside(logs, start, ends),
    ),
    "The deviation now divides by G − 1. Keep `correction=0`.",
    lambda *inputs: -_reference(*inputs),
    "The sign is lost. An optimizer makes the loss small, and the objective has to become large.",
)


def _answer_by_answer(
    logs: Tensor, old: Tensor, start: int, ends: Tensor, rewards: Tensor
) -> Tensor:
    losses = []
    for log, before, end, gain in zip(logs, old, ends.tolist(), _gains(rewards), strict=True):
        ratio = (log[start - 1 : end - 1] - before[start - 1 : end - 1]).exp()
        losses.append(-torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean())
    return torch.stack(losses).mean()


def _without_dividing_zero(
    logs: Tensor, old: Tensor, start: int, ends: Tensor, rewards: Tensor
) -> Tensor:
    centered = rewards - rewards.mean()
    gains = centered / (centered.square().mean().sqrt() + 1e-4)
    counts = torch.arange(start, logs.shape[1] + 1) < ends[:, None]
    return _loss(torch.exp(logs - old)[:, start - 1 :], gains, counts)


def _draw(draw: Draw) -> Inputs:
    group, length = draw.size(2), draw.size(3, 7)
    start = draw.size(1, length - 1)
    old = -draw.normal(group, length - 1).abs() - 0.5
    logs = old + draw.normal(group, length - 1, size=0.3)
    ends = torch.tensor([draw.size(start + 1, length) for _ in range(group)])
    rewards = torch.tensor([float(draw.choice(0, 1)) for _ in range(group)])
    return logs.float(), old.float(), start, ends, rewards


group_loss = Exercise(
    name="from_continuing_to_answering.group_loss",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_answer_by_answer, _without_dividing_zero),
    draw=_draw,
    hint_texts=(
        "Count by hand how many labels belong to answers in the first case. And what are the "
        "advantages if all rewards are equal?",
        "Look at `inside`: from which position on is it True? Look at the division: what is the "
        "deviation of equal rewards?",
        "positions = torch.arange(1, logs.shape[1] + 1); inside = (positions >= start) & "
        "(positions < ends[:, None]); and rewards.std(correction=0) + 1e-4 in the denominator.",
    ),
    starter='''\
def group_loss(logs, old, start, ends, rewards):
    """The loss of GRPO for one group of G answers: a number.

    logs, old (G, T-1): ln p of ids[:, 1:], by the model and by the
    one that drew answer g, ids[g, start:ends[g]]; rewards (G,).
    """
    inside = torch.arange(1, logs.shape[1] + 1) < ends[:, None]
    gains = (rewards - rewards.mean()) / rewards.std(correction=0)
    gain, ratio = gains[:, None], (logs - old).exp()
    each = torch.minimum(ratio * gain, ratio.clamp(0.8, 1.2) * gain)
    return -((each * inside).sum(dim=1) / inside.sum(dim=1)).mean()
''',
)
