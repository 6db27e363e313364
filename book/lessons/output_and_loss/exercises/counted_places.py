"""Find the bug: padding with the end token, and a loss that ignores every end token."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _reference(labels: Tensor, eos_id: int) -> Tensor:
    counted = torch.ones_like(labels, dtype=torch.bool)
    for row, kept in zip(labels.tolist(), counted, strict=True):
        if eos_id in row:
            kept[row.index(eos_id) + 1 :] = False
    return counted


def _cases() -> tuple[Case, ...]:
    texts = {
        "I am a student, and thanks": ([[2, 1, 0, 4, 5], [3, 5, 5, 5, 5]], 5),
        "three sentences, the second one truncated before its end": (
            [[3, 2, 9, 9, 9, 9], [1, 4, 1, 4, 2, 1], [2, 9, 9, 9, 9, 9]],
            9,
        ),
        "an empty sentence: only an end token": ([[0, 0, 0, 0], [3, 1, 2, 0]], 0),
        "one sentence without padding": ([[4, 2, 6, 1]], 1),
        "four short sentences, the end token is 0": (
            [[1, 0, 0], [2, 3, 0], [5, 1, 4], [4, 0, 0]],
            0,
        ),
        "one position for each sentence": ([[2], [7], [7]], 7),
    }
    return tuple(
        Case(name, {"labels": torch.tensor(labels), "eos_id": eos_id})
        for name, (labels, eos_id) in texts.items()
    )


def _ends(labels: Tensor, eos_id: int, dim: int = 1) -> Tensor:
    """Return how many end tokens occur up to each position."""
    return (labels == eos_id).cumsum(dim=dim)


def _up_to_the_first(labels: Tensor, eos_id: int) -> Tensor:
    first = (labels == eos_id).int().argmax(dim=1, keepdim=True)
    return torch.arange(labels.shape[1]) <= first


_MISTAKES = mistakes(
    lambda labels, eos_id: labels != eos_id,
    "You leave out every end token, the real one too, so the model never learns to stop. The first "
    "end token of a sentence counts.",
    lambda labels, eos_id: torch.ones_like(labels, dtype=torch.bool),
    "The padding counts too. It must not change the loss.",
    lambda labels, eos_id: (_ends(labels, eos_id, 0) <= 1) | (labels != eos_id),
    "You count the end tokens across the batch. A sentence is a row: count along it.",
    lambda labels, eos_id: _ends(labels, eos_id) <= 2,
    "One padding position counts too: it has the second end token of the sentence.",
    _up_to_the_first,
    "argmax returns 0 for a sentence without an end token, so only the first word of a truncated "
    "sentence counts. All its words must count.",
    lambda labels, eos_id: ~_reference(labels, eos_id),
    "The answer is reversed: True marks the positions that count.",
    lambda labels, eos_id: (labels == eos_id) & (_ends(labels, eos_id) == 1),
    "Only the end tokens count here. The words before them count too.",
)


def _by_a_sum(labels: Tensor, eos_id: int) -> Tensor:
    ends = (labels == eos_id).int()
    return ends.cumsum(dim=1) - ends == 0


def _by_the_place_before(labels: Tensor, eos_id: int) -> Tensor:
    ended = labels == eos_id
    counted = torch.ones_like(ended)
    for place in range(1, labels.shape[1]):
        counted[:, place] = counted[:, place - 1] & ~ended[:, place - 1]
    return counted


def _draw(draw: Draw) -> Inputs:
    batch, places, vocab = draw.size(), draw.size(2), draw.size(2)
    end = draw.choice(0, vocab - 1)
    words = [word for word in range(vocab) if word != end]
    lengths = [draw.size(0, places) for _ in range(batch)]
    rows = [
        [draw.choice(*words) if place < length else end for place in range(places)]
        for length in lengths
    ]
    return torch.tensor(rows), end


counted_places = Exercise(
    name="output_and_loss.counted_places",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_a_sum, _by_the_place_before),
    draw=_draw,
    hint_texts=(
        "Which of the five end tokens in the first case must the model learn to predict?",
        "Count the end tokens in each row from the left, including the current position. For which "
        "positions does the count show that they are padding?",
        "ends = (labels == eos_id).cumsum(dim=1); a position counts if it is not an end token, or "
        "if it is the first one: (labels != eos_id) | (ends == 1).",
    ),
    starter='''\
def counted_places(labels, eos_id):
    """Mark with True which labels (B, T) count in the loss: (B, T)."""
    return labels != eos_id
''',
)
