"""Find the bug: a perplexity that one strange sentence decides."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("language_models.perplexity")


def _reference(log_probs: Tensor, lengths: Tensor) -> Tensor:
    return (-log_probs.sum() / (lengths + 1).sum()).exp()


def _cases() -> tuple[Case, ...]:
    def drawn(*lengths: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        words = torch.tensor(lengths)
        return {
            "log_probs": -(words + 1) * (1 + _normal(len(lengths), dtype=dtype).abs()),
            "lengths": words,
        }

    plain = {"log_probs": torch.tensor([-8.0, -24.0]), "lengths": torch.tensor([7, 1])}
    never = {
        "log_probs": torch.tensor([-9.0, -torch.inf, -4.0]),
        "lengths": torch.tensor([5, 3, 2]),
    }
    return (
        Case("seven easy words, and a sentence of one strange word", plain),
        Case("three sentences", drawn(12, 3, 6)),
        Case("float64, five sentences", drawn(2, 9, 4, 1, 20, dtype=torch.float64)),
        Case("one of three has probability 0", never),
        Case("sentences of one length", drawn(4, 4, 4)),
        Case("one sentence", drawn(6)),
        Case("a sentence without words, next to one of three", drawn(0, 3)),
        Case(
            "two sentences of 99 words",
            {"log_probs": torch.tensor([-400.0, -500.0]), "lengths": torch.tensor([99, 99])},
        ),
    )


def _without_the_impossible(log_probs: Tensor, lengths: Tensor) -> Tensor:
    possible = log_probs.isfinite()
    return _reference(log_probs[possible], lengths[possible])


_MISTAKES = mistakes(
    lambda log_probs, lengths: (-log_probs / (lengths + 1)).exp().mean(),
    "Each sentence has its own perplexity here, and their mean is taken: one strange word "
    "among few can outweigh a page. Add up all logarithms, divide once by all words, and take "
    "the exponential last.",
    lambda log_probs, lengths: (-log_probs / (lengths + 1)).mean().exp(),
    "This is the mean of the sentences' means: a word of a short sentence counts more. Add up "
    "all logarithms, and divide once by all words.",
    lambda log_probs, lengths: (-log_probs.sum() / lengths.sum()).exp(),
    "The sum includes ln p of each ⟨end⟩, but the number of words does not: count one more for "
    "each sentence.",
    lambda log_probs, lengths: (-log_probs.sum() / (lengths + 2).sum()).exp(),
    "⟨begin⟩ is counted as a word as well. It is never predicted: one more for each sentence, "
    "not two.",
    _without_the_impossible,
    "Sentences of probability 0 are left out, which hides the words at which the model fails. "
    "Its perplexity on such a text is ∞.",
    lambda log_probs, lengths: 2 ** (-log_probs.sum() / (lengths + 1).sum()),
    "The logarithms are natural ones, so the base is e, not 2.",
    lambda log_probs, lengths: -log_probs.sum() / (lengths + 1).sum(),
    "This is the mean loss. The perplexity is its exponential.",
    lambda log_probs, lengths: log_probs.exp().prod() ** (-1 / (lengths + 1).sum()),
    "The probability of a long text can underflow to 0. Add up the logarithms, and take the "
    "exponential last.",
)


def _in_two_sums(log_probs: Tensor, lengths: Tensor) -> Tensor:
    total, words = 0.0, 0
    for log_p, length in zip(log_probs.double().tolist(), lengths.tolist(), strict=True):
        total, words = total - log_p, words + length + 1
    return torch.tensor(total / words, dtype=torch.float64).exp().to(log_probs.dtype)


def _as_a_root(log_probs: Tensor, lengths: Tensor) -> Tensor:
    return 1 / (log_probs.sum() / (lengths.sum() + len(lengths))).exp()


def _draw(draw: Draw) -> Inputs:
    lengths = torch.tensor([draw.size(0, 9) for _ in range(draw.size())])
    losses = draw.normal(len(lengths)).abs() + 0.1
    log_probs = -losses * (lengths + 1)
    if draw.choice(True, False, False):
        log_probs[0] = -torch.inf
    return log_probs, lengths


perplexity = Exercise(
    name="language_models.perplexity",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_in_two_sums, _as_a_root),
    draw=_draw,
    hint_texts=(
        "A text of two sentences: one of seven words, one of a single strange word. How much does "
        "the strange word count in what is returned, and how much should it?",
        "Keep the sum of the logarithms and the number of words apart until the end. How many "
        "words do B sentences have, each ⟨end⟩ included?",
        "(-log_probs.sum() / (lengths + 1).sum()).exp().",
    ),
    starter='''\
def perplexity(log_probs, lengths):
    """Of B sentences: ln p with the end (B,), words without it (B,)."""
    words = lengths + 1
    losses = -log_probs / words
    return losses.exp().mean()
''',
)
