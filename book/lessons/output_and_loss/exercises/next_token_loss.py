"""Find the bug: every place is asked for the word that it has just read."""

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
            "two sentences, the second with two pads",
            {"logits": 2 * _normal(2, 5, 6), "ids": padded, "pad_id": 0},
        ),
        Case(
            "pad_id=3, and 0 is a word; three sentences",
            {"logits": _normal(3, 4, 7, dtype=torch.float64), "ids": ends, "pad_id": 3},
        ),
        Case(
            "no pads, as many sentences as places",
            {"logits": _normal(4, 4, 8), "ids": labels_of(4, 4, 7) + 1, "pad_id": 0},
        ),
        Case(
            "one of two words is sure",
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
    "There is no shift: each place is asked for the word that it has just read. A model that "
    "only copies gets a loss of almost 0 and can say nothing new.",
    _shifted_twice,
    "Two shifts: each place is asked for the word after the next. One of the two is too many.",
    _backwards,
    "The shift goes the wrong way: each place is asked for the word before its own. Drop the "
    "last logits and the first label.",
    _across_sentences,
    "The batch is flattened before the shift, so the last place of a sentence is asked for the "
    "first word of the next one. Shift within each sentence first.",
    lambda logits, ids, pad_id: _mean(surprise(logits[:, :-1], ids[:, 1:]), ids[:, :-1] != pad_id),
    "The mask looks at the inputs. A pad must not count as a label: look at the labels.",
    lambda z, ids, pad: surprise(z[:, :-1], ids[:, 1:]).mean(),
    "The shift is right, but the pads count as words.",
    lambda z, ids, pad: _reference(z, ids, 0),
    "The pads are looked for as 0. Which id means pad is for the caller to say: use pad_id.",
    _over_losses,
    "The losses other than 0 are counted as the words. A word of which the model is sure costs "
    "0, and counts. Count the labels that are not pads.",
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
        "Print ids and what each place is asked for as two rows, one below the other. What should "
        "the place that has read the first word answer?",
        "Make the labels ids without its first column. Which logits have no label then?",
        "labels = ids[:, 1:], and logits[:, :-1].log_softmax(dim=-1) in the first line. Use labels "
        "in place of ids in the two lines after it.",
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
