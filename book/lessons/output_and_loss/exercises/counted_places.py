"""Find the bug: filling with the end token, and a loss that ignores every end."""

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
        "three sentences, the middle one cut before its end": (
            [[3, 2, 9, 9, 9, 9], [1, 4, 1, 4, 2, 1], [2, 9, 9, 9, 9, 9]],
            9,
        ),
        "an empty sentence, which is its end alone": ([[0, 0, 0, 0], [3, 1, 2, 0]], 0),
        "one sentence with no filling": ([[4, 2, 6, 1]], 1),
        "four short sentences, the end token is 0": (
            [[1, 0, 0], [2, 3, 0], [5, 1, 4], [4, 0, 0]],
            0,
        ),
        "one place for each sentence": ([[2], [7], [7]], 7),
    }
    return tuple(
        Case(name, {"labels": torch.tensor(labels), "eos_id": eos_id})
        for name, (labels, eos_id) in texts.items()
    )


def _ends(labels: Tensor, eos_id: int, dim: int = 1) -> Tensor:
    """Return how many ends occur at a position and before it."""
    return (labels == eos_id).cumsum(dim=dim)


def _up_to_the_first(labels: Tensor, eos_id: int) -> Tensor:
    first = (labels == eos_id).int().argmax(dim=1, keepdim=True)
    return torch.arange(labels.shape[1]) <= first


_MISTAKES = mistakes(
    lambda labels, eos_id: labels != eos_id,
    "Every end is thrown away, the true one with the filling: nothing ever asks the model to "
    "stop. The first end of a sentence counts.",
    lambda labels, eos_id: torch.ones_like(labels, dtype=torch.bool),
    "The filling counts as well. It says nothing about how well the words are guessed.",
    lambda labels, eos_id: (_ends(labels, eos_id, 0) <= 1) | (labels != eos_id),
    "The ends are counted down the batch. A sentence is a row: count along it.",
    lambda labels, eos_id: _ends(labels, eos_id) <= 2,
    "One place of the filling counts as well: its end is the second of the sentence.",
    _up_to_the_first,
    "argmax says 0 where a sentence has no end, so that of a sentence that was cut only the "
    "first word counts. All its words do.",
    lambda labels, eos_id: ~_reference(labels, eos_id),
    "The other way round: True is for the places that count.",
    lambda labels, eos_id: (labels == eos_id) & (_ends(labels, eos_id) == 1),
    "Only the ends count. The words before them do too.",
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
        "Which of the five ends in the first case does the model have to learn?",
        "Count the ends in each row from the left, this place included. At which counts is a place "
        "filling?",
        "ends = (labels == eos_id).cumsum(dim=1); a place counts if it is no end, or the first: "
        "(labels != eos_id) | (ends == 1).",
    ),
    starter='''\
def counted_places(labels, eos_id):
    """Which labels (B, T) the loss counts: True or False, (B, T)."""
    return labels != eos_id
''',
)
