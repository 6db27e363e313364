"""Find the bug: every position must predict the word that it has just read."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.output_and_loss.exercises._shared import draw_ids, labels_of, surprise

_normal = normal_numbers("output_and_loss.next_token_loss")


def _mean(losses: Tensor, real: Tensor) -> Tensor:
    return losses[real].mean()


def _reference(logits: Tensor, ids: Tensor, pad_id: int) -> Tensor:
    labels = ids[:, 1:]
    return _mean(surprise(logits[:, :-1], labels), labels != pad_id)


def _cases() -> tuple[Case, ...]:
    copying = torch.nn.functional.one_hot(torch.tensor([[1, 4, 3, 2, 5]]), 6).float() * 9
    padded = torch.tensor([[1, 4, 3, 2, 5], [1, 2, 5, 0, 0]])
    ends = torch.tensor([[6, 1, 0, 3], [6, 3, 3, 3], [6, 0, 3, 3]])
    pairs = torch.tensor([[1, 2], [3, 1], [2, 0]])
    return (
        Case(
            "a model that repeats what it reads",
            {"logits": copying, "ids": torch.tensor([[1, 4, 3, 2, 5]]), "pad_id": 0},
        ),
        Case(
            "two sentences, the second with two padding tokens",
            {"logits": 2 * _normal(2, 5, 6), "ids": padded, "pad_id": 0},
        ),
        Case(
            "pad_id=3, and 0 is a word; three sentences",
            {"logits": _normal(3, 4, 7, dtype=torch.float64), "ids": ends, "pad_id": 3},
        ),
        Case(
            "no padding, as many sentences as positions",
            {"logits": _normal(4, 4, 8), "ids": labels_of(4, 4, 7) + 1, "pad_id": 0},
        ),
        Case(
            "one of two words has probability 1",
            {
                "logits": torch.tensor([[[0.0, 200, 0], [1, 0, 2], [0, 0, 0], [0, 0, 0]]]),
                "ids": torch.tensor([[2, 1, 2, 0]]),
                "pad_id": 0,
            },
        ),
        Case(
            "two places",
            {
                "logits": _normal(3, 2, 4),
                "ids": pairs,
                "pad_id": 0,
            },
        ),
    )


def _shifted_twice(logits: Tensor, ids: Tensor, pad_id: int) -> Tensor:
    labels = ids[:, 2:]
    return _mean(surprise(logits[:, :-2], labels), labels != pad_id)


def _backwards(logits: Tensor, ids: Tensor, pad_id: int) -> Tensor:
    labels = ids[:, :-1]
    return _mean(surprise(logits[:, 1:], labels), labels != pad_id)


def _across_sentences(logits: Tensor, ids: Tensor, pad_id: int) -> Tensor:
    flat, labels = logits.flatten(0, 1)[:-1], ids.flatten()[1:]
    return _mean(surprise(flat, labels), labels != pad_id)


def _over_losses(logits: Tensor, ids: Tensor, pad_id: int) -> Tensor:
    losses = surprise(logits[:, :-1], ids[:, 1:]) * (ids[:, 1:] != pad_id)
    return losses.sum() / (losses != 0).sum()


_MISTAKES = mistakes(
    lambda logits, ids, pad_id: _mean(surprise(logits, ids), ids != pad_id),
    "There is no shift: each position must predict the word that it has just read. A model that "
    "only copies its input gets a loss near 0, but it cannot write a text.",
    _shifted_twice,
    "There are two shifts: each position must predict the word after the next. Remove one of them.",
    _backwards,
    "The shift goes the wrong way: each position must predict the previous word. Drop the last "
    "logits and the first label.",
    _across_sentences,
    "The batch is flattened before the shift, so the last position of a sentence must predict the "
    "first word of the next one. Shift within each sentence first.",
    lambda logits, ids, pad_id: _mean(surprise(logits[:, :-1], ids[:, 1:]), ids[:, :-1] != pad_id),
    "The mask is made from the inputs. Make it from the labels, because padding must not count as "
    "a label.",
    lambda z, ids, pad: surprise(z[:, :-1], ids[:, 1:]).mean(),
    "The shift is right, but the padding counts as words.",
    lambda z, ids, pad: _reference(z, ids, 0),
    "You treat the id 0 as padding. Use the argument pad_id.",
    _over_losses,
    "You count the losses other than 0. A word that the model predicts with probability 1 has the "
    "loss 0 and still counts. Count the labels that are not pad_id.",
)


def _sentence_by_sentence(logits: Tensor, ids: Tensor, pad_id: int) -> Tensor:
    found = [
        surprise(rows[:-1], words[1:])[words[1:] != pad_id]
        for rows, words in zip(logits, ids, strict=True)
    ]
    return torch.cat(found).mean()


def _draw(draw: Draw) -> Inputs:
    batch, length, vocab = draw.size(), draw.size(2), draw.size(2)
    ids, pad = draw_ids(draw, batch, length, vocab)
    return draw.normal(batch, length, vocab, size=draw.scale()), ids, pad


next_token_loss = Exercise(
    name="output_and_loss.next_token_loss",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda z, ids, pad: torch.nn.functional.cross_entropy(
            z[:, :-1].mT, ids[:, 1:], ignore_index=pad
        ),
        _sentence_by_sentence,
    ),
    draw=_draw,
    hint_texts=(
        "Print ids and, in a row below, what each position must predict. What should the position "
        "that has read the first word predict?",
        "Let the labels be ids without its first column. Which logits have no label then?",
        "labels = ids[:, 1:], and logits[:, :-1].log_softmax(dim=-1) in the first line. Use labels "
        "instead of ids in the two lines after it.",
    ),
    starter='''\
def next_token_loss(logits, ids, pad_id):
    """Mean loss after reading ids (B, T): logits (B, T, V) -> a number."""
    logs = logits.log_softmax(dim=-1)
    losses = -logs.gather(-1, ids[..., None])[..., 0]
    real = ids != pad_id
    return losses[real].mean()
''',
)
