"""Compute the mean loss over the real tokens of a batch."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows
from lessons.output_and_loss.exercises._shared import draw_ids, labels_of, surprise
from transformer_lite.layers.loss import cross_entropy

_normal = normal_numbers("output_and_loss.mean_loss")


def _reference(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    return cross_entropy(logits, labels, pad_id=pad_id)


def _cases() -> tuple[Case, ...]:
    small = torch.tensor([[1.0, 3, -2, -1, 1, 0], [0, 0, 0, 2, 0, 0], [1, 0, 2, 0, 0, 3]])
    two = torch.tensor([[1, 2, 1, 3, 1], [4, 5, 0, 0, 0]])
    ends = torch.tensor([[3, 3, 3, 3], [2, 1, 0, 3], [0, 1, 3, 3]])
    far = _normal(2, 3, 5, dtype=torch.float64) * 1000
    low = _normal(2, 2, 4) - 500
    return (
        Case(
            "one sentence of three tokens, the last one padding",
            {"logits": small[None], "labels": torch.tensor([[1, 3, 5]]), "pad_id": 5},
        ),
        Case(
            "two sentences, the second with three padding tokens",
            {"logits": 2 * _normal(2, 5, 6), "labels": two, "pad_id": 0},
        ),
        Case(
            "pad_id=3, and 0 is a word; one sentence of padding only",
            {"logits": _normal(3, 4, 5, dtype=torch.float64), "labels": ends, "pad_id": 3},
        ),
        Case(
            "logits of thousands",
            {"logits": far, "labels": labels_of(2, 3, 5), "pad_id": 1},
        ),
        Case("logits near −500", {"logits": low, "labels": labels_of(2, 2, 4), "pad_id": 0}),
        Case(
            "a vocabulary as large as the sentences are long",
            {"logits": _normal(4, 4, 4), "labels": labels_of(4, 4, 4), "pad_id": 2},
        ),
        Case(
            "one of two words has probability 1",
            {
                "logits": torch.tensor([[[0.0, 200, 0], [1, 0, 2], [0, 0, 0]]]),
                "labels": torch.tensor([[1, 2, 0]]),
                "pad_id": 0,
            },
        ),
        Case(
            "one word",
            {"logits": _normal(1, 1, 3), "labels": torch.tensor([[2]]), "pad_id": 0},
        ),
    )


def _means_of_sentences(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    real = (labels != pad_id).to(logits.dtype)
    sums, counts = (surprise(logits, labels) * real).sum(dim=1), real.sum(dim=1)
    return (sums / counts.clamp(min=1)).sum() / (counts > 0).sum()


def _by_powers(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    p = normalize_rows(logits.exp()).gather(-1, labels[..., None])[..., 0]
    return -p.log()[labels != pad_id].mean()


def _over_losses(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    losses = surprise(logits, labels) * (labels != pad_id)
    return losses.sum() / (losses != 0).sum()


_MISTAKES = mistakes(
    lambda z, t, pad: surprise(z, t).mean(),
    "The padding counts in the sum and in the divisor. Leave it out of both.",
    lambda z, t, pad: (surprise(z, t) * (t != pad)).sum() / t.numel(),
    "The padding is left out of the sum, but not out of the count. Divide by the number of words.",
    lambda z, t, pad: surprise(z, t).sum() / (t != pad).sum(),
    "You divide by the number of words, but the losses of the padding are still in the sum.",
    _means_of_sentences,
    "This is the mean of the sentences' means, in which a word of a short sentence counts more. "
    "Sum over all words, and divide once.",
    lambda z, t, pad: -z.gather(-1, t[..., None])[..., 0][t != pad].mean(),
    "You used the logits themselves. First turn them into log-probabilities with log_softmax.",
    lambda z, t, pad: surprise(z.softmax(dim=-1), t)[t != pad].mean(),
    "You applied softmax twice. log_softmax expects logits, but you pass it probabilities.",
    lambda z, t, pad: -z.log_softmax(dim=1).gather(-1, t[..., None])[..., 0][t != pad].mean(),
    "The softmax runs along the sentence. The vocabulary is the last axis.",
    lambda z, t, pad: surprise(z, t)[t != 0].mean(),
    "You treat the id 0 as padding. Use the argument pad_id.",
    _by_powers,
    "exp overflows for large logits, and underflows to 0 for very negative ones. Use log_softmax, "
    "which is safe from both.",
    _over_losses,
    "You count the losses other than 0. A word that the model predicts with probability 1 has the "
    "loss 0 and still counts. Count the labels that are not pad_id.",
)


def _by_log_sum_exp(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    right = torch.gather(logits, 2, labels.unsqueeze(2)).squeeze(2)
    return (logits.logsumexp(dim=2) - right)[labels != pad_id].mean()


def _draw(draw: Draw) -> Inputs:
    batch, length, vocab = draw.size(), draw.size(), draw.size(2)
    labels, pad = draw_ids(draw, batch, length, vocab)
    return draw.normal(batch, length, vocab, size=draw.scale()), labels, pad


mean_loss = Exercise(
    name="output_and_loss.mean_loss",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda z, t, pad: surprise(z, t)[t != pad].mean(),
        _by_log_sum_exp,
    ),
    draw=_draw,
    hint_texts=(
        "Which positions count? And how many are there?",
        "log_softmax along the last axis returns ln p for every word of the vocabulary. gather "
        "picks those of the labels.",
        "logs = logits.log_softmax(dim=-1), then -logs.gather(-1, labels[..., None])[..., 0] is a "
        "loss for each position. Index it with labels != pad_id and take the mean.",
    ),
    starter='''\
def mean_loss(logits, labels, pad_id):
    """The mean of -ln p over the words: (B, T, V), (B, T) -> a number."""
    ...  # pads do not count
''',
    remarks=(GRADIENT,),
)
