"""Find the bug: a perplexity that depends on how the text was cut into batches."""

import torch
from torch import Tensor

from transformer_lite.exercises._kit import Case, Exercise, Mistake, normal_numbers

_normal = normal_numbers("output_and_loss.perplexity")


def _reference(losses: Tensor, real: Tensor) -> Tensor:
    return losses[real].mean().exp()


def _losses(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return _normal(*shape, dtype=dtype).abs() + 0.2


def _lengths(*rows: list[int], places: int) -> Tensor:
    return torch.arange(places) < torch.tensor(rows)[..., None]


def _cases() -> tuple[Case, ...]:
    sure = torch.tensor([[[0.5, 0.5, 0.5, 0.5]], [[4.0, 4, 4, 4]]])
    return (
        Case(
            "a batch of four easy words, and one of a single hard word",
            {"losses": sure, "real": _lengths([4], [1], places=4)},
        ),
        Case(
            "three batches of two sentences",
            {"losses": _losses(3, 2, 5), "real": _lengths([5, 1], [2, 3], [1, 1], places=5)},
        ),
        Case(
            "two batches of three sentences, float64",
            {
                "losses": _losses(2, 3, 4, dtype=torch.float64),
                "real": _lengths([4, 2, 1], [1, 1, 3], places=4),
            },
        ),
        Case(
            "sentences of equal lengths, no pads",
            {"losses": _losses(2, 2, 3), "real": _lengths([3, 3], [3, 3], places=3)},
        ),
        Case("one batch", {"losses": _losses(1, 2, 4), "real": _lengths([4, 1], places=4)}),
        Case(
            "two hundred words",
            {
                "losses": torch.linspace(3, 5, 240).view(2, 4, 30),
                "real": _lengths([30, 30, 30, 30], [30, 30, 19, 1], places=30),
            },
        ),
    )


def _batch_means(losses: Tensor, real: Tensor) -> Tensor:
    return (losses * real).sum(dim=(1, 2)) / real.sum(dim=(1, 2))


_MISTAKES = (
    Mistake(
        lambda losses, real: _batch_means(losses, real).mean().exp(),
        "This is the mean of the batches' means: a batch of few words counts as much as one of "
        "many, so other batches give another number. Sum over all words, and divide once.",
    ),
    Mistake(
        lambda losses, real: _batch_means(losses, real).exp().mean(),
        "Each batch has its own perplexity here, and the mean is taken of these. Take the mean of "
        "the losses of all words first, and its exponential last.",
    ),
    Mistake(
        lambda losses, real: losses[real].exp().mean(),
        "The exponential comes last: this is the mean of 1/p, not the exponential of the mean of "
        "−ln p.",
    ),
    Mistake(
        lambda losses, real: losses.mean().exp(),
        "The pads count as words.",
    ),
    Mistake(
        lambda losses, real: losses[real].mean(),
        "This is the mean loss. The perplexity is its exponential.",
    ),
    Mistake(
        lambda losses, real: 2 ** losses[real].mean(),
        "The losses are natural logarithms, so the base is e, not 2.",
    ),
    Mistake(
        lambda losses, real: losses[real].exp().prod() ** (1 / real.sum()),
        "The product over all words overflows in a long text. Take the mean of the losses first, "
        "and the exponential last.",
    ),
)


def _in_two_sums(losses: Tensor, real: Tensor) -> Tensor:
    return torch.exp((losses * real).sum() / real.sum())


perplexity = Exercise(
    name="output_and_loss.perplexity",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_in_two_sums, lambda losses, real: losses.masked_select(real).mean().exp()),
    hint_texts=(
        "A batch holds four words, another one word. How much does each of the five count in the "
        "mean that is returned?",
        "Keep the sums and the counts of the batches apart. When do you divide?",
        "The total is sums.sum() / counts.sum(), and the perplexity is its exponential.",
    ),
    starter='''\
def perplexity(losses, real):
    """Of N batches: losses (N, B, T) of the words, where real is True."""
    sums = (losses * real).sum(dim=(1, 2))
    counts = real.sum(dim=(1, 2))
    return (sums / counts).mean().exp()
''',
)
