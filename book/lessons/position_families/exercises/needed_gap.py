"""Find how far one score must exceed all others to get a given weight."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _needed_gap(lengths: Tensor, weight: float) -> Tensor:
    return torch.log(weight * (lengths - 1) / (1 - weight))


def _cases() -> tuple[Case, ...]:
    def case(name: str, lengths: list[float], weight: float) -> Case:
        return Case(name, {"lengths": torch.tensor(lengths), "weight": weight})

    return (
        case("half of the attention, 16 to 128 tokens", [16.0, 32, 64, 128], 0.5),
        case("nine tenths, up to a million tokens", [16.0, 1024, 1_000_000], 0.9),
        case("one tenth: in a short text the score may even be lower", [4.0, 100], 0.1),
        case("two tokens", [2.0], 0.75),
        Case(
            "float64, 99 hundredths",
            {"lengths": torch.tensor([8.0, 4096], dtype=torch.float64), "weight": 0.99},
        ),
    )


_MISTAKES = mistakes(
    lambda n, w: torch.log(w * n / (1 - w)),
    "You counted T rivals. The right token is one of the T tokens, so it has T − 1 rivals.",
    lambda n, w: torch.log(n - 1) + 0 * w,
    "This is the gap for a weight of one half, whatever `weight` is. Include the odds w / (1 − w) "
    "in the logarithm.",
    lambda n, w: torch.log(w * (n - 1)),
    "The odds are missing: w = e^g / (e^g + T − 1) means e^g = w (T − 1) / (1 − w).",
    lambda n, w: torch.log((1 - w) * (n - 1) / w),
    "The odds are upside down. A larger weight needs a larger gap.",
    lambda n, w: w * (n - 1) / (1 - w),
    "This is e^g. The gap is its logarithm.",
    lambda n, w: torch.log2(w * (n - 1) / (1 - w)),
    "This is the logarithm to base 2. Softmax takes powers of e.",
    lambda n, w: torch.log10(w * (n - 1) / (1 - w)),
    "This is the logarithm to base 10. Softmax takes powers of e.",
    lambda n, w: torch.log(w / ((1 - w) * (n - 1))),
    "You divided by the number of rivals. More rivals need a larger gap.",
    lambda n, w: torch.exp(torch.full_like(n, w)) / (torch.exp(torch.full_like(n, w)) + n - 1),
    "You use `weight` as the gap and return a weight. Solve the formula for the gap.",
)


def _by_logit(lengths: Tensor, weight: float) -> Tensor:
    return torch.logit(torch.tensor(weight, dtype=lengths.dtype)) + torch.log(lengths - 1)


def _one_by_one(lengths: Tensor, weight: float) -> Tensor:
    gaps = [(weight / (1 - weight) * (length - 1)).log() for length in lengths]
    return torch.stack(gaps)


def _draw(draw: Draw) -> Inputs:
    lengths = 2 + 500 * draw.normal(draw.size()).abs().round()
    return lengths, draw.choice(0.2, 0.5, 0.8, 0.95)


needed_gap = Exercise(
    name="position_families.needed_gap",
    reference=_needed_gap,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_logit, _one_by_one),
    draw=_draw,
    hint_texts=(
        "All rivals have the score 0 and the right token has the score g. What is the softmax "
        "weight of the right token? How many rivals are there?",
        "Set e^g / (e^g + T − 1) equal to the weight and solve for e^g first.",
        "e^g = weight * (lengths - 1) / (1 - weight). Take torch.log of it.",
    ),
    starter='''\
def needed_gap(lengths, weight):
    """The gap for each of lengths (N,), so that one token has `weight`."""
    ...  # all T - 1 other tokens have the same score
''',
)
