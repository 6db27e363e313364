"""The loss of DPO from the log-probabilities of the tokens of chosen and rejected answers."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes


def _gain(chosen: Tensor, rejected: Tensor, ref_chosen: Tensor, ref_rejected: Tensor) -> Tensor:
    return (chosen - ref_chosen).sum(dim=1) - (rejected - ref_rejected).sum(dim=1)


def _loss(margins: Tensor) -> Tensor:
    return -F.logsigmoid(margins).mean()


def _reference(
    chosen: Tensor, rejected: Tensor, ref_chosen: Tensor, ref_rejected: Tensor, beta: float
) -> Tensor:
    return _loss(beta * _gain(chosen, rejected, ref_chosen, ref_rejected))


def _cases() -> tuple[Case, ...]:
    chance = torch.Generator().manual_seed(26)

    def logs(lengths: list[int], dtype: torch.dtype) -> Tensor:
        shape = len(lengths), max(lengths)
        numbers = -2 * torch.rand(shape, generator=chance, dtype=torch.float64)
        positions = torch.arange(max(lengths))
        return numbers.masked_fill(positions >= torch.tensor(lengths)[:, None], 0.0).to(dtype)

    def case(
        name: str, chosen: list[int], rejected: list[int], beta: float,
        dtype: torch.dtype = torch.float32,
    ) -> Case:  # fmt: skip
        names = ("chosen", "rejected", "ref_chosen", "ref_rejected")
        each = [logs(lengths, dtype) for lengths in (chosen, rejected, chosen, rejected)]
        return Case(name, dict(zip(names, each, strict=True)) | {"beta": beta})

    by_hand = {
        "chosen": torch.tensor([[-0.5, -0.5]]),
        "rejected": torch.tensor([[-2.0]]),
        "ref_chosen": torch.tensor([[-1.5, -0.5]]),
        "ref_rejected": torch.tensor([[-1.0]]),
        "beta": 0.5,
    }
    far = {
        "chosen": torch.tensor([[-900.0, -100], [-1, -2]], dtype=torch.float64),
        "rejected": torch.tensor([[-1.0], [-2]], dtype=torch.float64),
        "ref_chosen": torch.tensor([[-1.0, -1], [-3, -2]], dtype=torch.float64),
        "ref_rejected": torch.tensor([[-800.0], [-1]], dtype=torch.float64),
        "beta": 1.0,
    }
    return (
        Case("one pair by hand: the chosen rose by 1, the rejected fell by 1", by_hand),
        case("one pair of answers of 2 and 4 tokens", [2], [4], 0.5),
        case("three pairs; shorter answers end in zeros", [3, 1, 4], [2, 5, 1], 0.3),
        case("β = 2 in float64", [2, 3], [4, 1], 2.0, torch.float64),
        case("β = 0.1, five pairs", [1, 2, 3, 4, 5], [5, 4, 3, 2, 1], 0.1),
        Case("a pair that went far the wrong way", far),
        case("answers of one token, as many pairs as tokens", [1], [1], 1.0),
    )


def _mean(tokens: Tensor) -> Tensor:
    return tokens.sum(dim=1) / (tokens != 0).sum(dim=1).clamp(min=1)


_MISTAKES = mistakes(
    lambda c, r, rc, rr, beta: _loss(beta * (c.sum(dim=1) - r.sum(dim=1))),
    "The reference is left out. What counts is how far each answer has moved away from it, not "
    "how likely the answer is.",
    lambda c, r, rc, rr, beta: _loss(-beta * _gain(c, r, rc, rr)),
    "The sign is swapped: this loss falls when the rejected answer rises.",
    lambda c, r, rc, rr, beta: _loss(beta * (_mean(c) - _mean(rc) - _mean(r) + _mean(rr))),
    "You took means over the tokens instead of sums. The log-probability of an answer is the sum "
    "over its tokens.",
    lambda c, r, rc, rr, beta: _loss(beta * ((c - rc).mean(dim=1) - (r - rr).mean(dim=1))),
    "You took means over all positions, padding included. The log-probability of an answer is "
    "the sum over its tokens.",
    lambda c, r, rc, rr, beta: -beta * F.logsigmoid(_gain(c, r, rc, rr)).mean(),
    "β is outside the sigmoid. It multiplies the difference of the log-ratios inside it.",
    lambda c, r, rc, rr, beta: _loss(_gain(c, r, rc, rr) / beta),
    "You divide by β. The reward is β times the log-ratio.",
    lambda c, r, rc, rr, beta: -(beta * _gain(c, r, rc, rr)).sigmoid().mean(),
    "The logarithm is missing: this is minus the probability, not minus its logarithm.",
    lambda c, r, rc, rr, beta: -(beta * _gain(c, r, rc, rr)).sigmoid().log().mean(),
    "sigmoid underflows to 0 for a pair far on the wrong side, and its logarithm is −∞. "
    "logsigmoid does both steps at once.",
    lambda c, r, rc, rr, beta: -F.logsigmoid(beta * _gain(c, r, rc, rr)).sum(),
    "This is the sum over the pairs. The loss is their mean.",
    lambda c, r, rc, rr, beta: -F.logsigmoid(beta * _gain(c, r, rc, rr).mean()),
    "The mean is taken too early, over the differences. Each pair has a loss of its own; take "
    "their mean last.",
    lambda c, r, rc, rr, beta: _loss(beta * _gain(c, r, -rc, -rr)),
    "The reference is added. Subtract it: a ratio of probabilities is a difference of logarithms.",
    lambda c, r, rc, rr, beta: -(beta * _gain(c, r, rc, rr)).mean(),
    "The sigmoid is missing. This loss pulls a pair apart with the same strength, however far "
    "apart it already is.",
)


def _term_by_term(
    chosen: Tensor, rejected: Tensor, ref_chosen: Tensor, ref_rejected: Tensor, beta: float
) -> Tensor:
    rewards = [
        beta * (now.sum(dim=-1) - then.sum(dim=-1))
        for now, then in ((chosen, ref_chosen), (rejected, ref_rejected))
    ]
    return F.softplus(rewards[1] - rewards[0]).mean()


def _as_a_choice_of_two(
    chosen: Tensor, rejected: Tensor, ref_chosen: Tensor, ref_rejected: Tensor, beta: float
) -> Tensor:
    moved = torch.stack([(chosen - ref_chosen).sum(1), (rejected - ref_rejected).sum(1)], dim=1)
    return F.cross_entropy(beta * moved, torch.zeros(len(moved), dtype=torch.long))


def _logs(draw: Draw, lengths: list[int]) -> Tensor:
    logs = -draw.normal(len(lengths), max(lengths), size=2.0).abs()
    positions = torch.arange(max(lengths))
    return logs.masked_fill(positions >= torch.tensor(lengths)[:, None], 0.0)


def _draw(draw: Draw) -> Inputs:
    count = draw.size()
    chosen, rejected = ([draw.size() for _ in range(count)] for _ in range(2))
    logs = [_logs(draw, lengths) for lengths in (chosen, rejected, chosen, rejected)]
    return (*logs, draw.choice(0.05, 0.1, 0.5, 1.5, 3.0))


dpo_loss = Exercise(
    name="from_continuing_to_answering.dpo_loss",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_term_by_term, _as_a_choice_of_two),
    draw=_draw,
    hint_texts=(
        "What is the log-probability of a whole answer, given those of its tokens? And what do the "
        "zeros after a short answer add?",
        "For each of the two answers, take the sum for the model minus the sum for the reference. "
        "The loss of a pair is −ln sigmoid(β · (chosen − rejected)).",
        "gain = (chosen - ref_chosen).sum(dim=1) - (rejected - ref_rejected).sum(dim=1), and then "
        "-torch.nn.functional.logsigmoid(beta * gain).mean().",
    ),
    starter='''\
def dpo_loss(chosen, rejected, ref_chosen, ref_rejected, beta):
    """The mean loss of B pairs: a number.

    Each tensor holds ln p of each token: (B, T), with zeros after
    the end of a shorter answer; chosen and rejected may differ in T.
    The first two are the model's, the others the reference's.
    """
    ...
''',
    remarks=(GRADIENT,),
)
