"""Find the bug: inputs that should be the labels, shifted by one position."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _reference(labels: Tensor, bos_id: int) -> Tensor:
    start = torch.full_like(labels[:, :1], bos_id)
    return torch.cat([start, labels[:, :-1]], dim=1)


def _cases() -> tuple[Case, ...]:
    batches = {
        "I am a student, with its end token": ([[5, 6, 7, 8, 2]], 1),
        "two sentences, the second with two padding tokens": (
            [[9, 4, 5, 3, 2], [6, 8, 2, 0, 0]],
            1,
        ),
        "three sentences, bos_id is 3": ([[5, 5, 2], [4, 2, 0], [7, 6, 2]], 3),
        "as many sentences as positions": ([[8, 9, 2], [7, 2, 0], [2, 0, 0]], 1),
        "one place": ([[2], [2], [2]], 1),
        "one sentence of two positions": ([[9, 2]], 4),
        "bos_id is 0, the padding id is 3": ([[7, 2, 3, 3], [6, 5, 4, 2]], 0),
    }
    return tuple(
        Case(name, {"labels": torch.tensor(ids), "bos_id": bos_id})
        for name, (ids, bos_id) in batches.items()
    )


def _first_replaced(labels: Tensor, bos_id: int) -> Tensor:
    inputs = labels.clone()
    inputs[:, 0] = bos_id
    return inputs


def _moved_the_other_way(labels: Tensor, bos_id: int) -> Tensor:
    inputs = labels.roll(-1, dims=1)
    inputs[:, -1] = bos_id
    return inputs


def _through_the_rows(labels: Tensor, bos_id: int) -> Tensor:
    flat = labels.flatten().roll(1)
    flat[0] = bos_id
    return flat.view(labels.shape)


_MISTAKES = mistakes(
    _first_replaced,
    "The start token replaces the first word, but nothing is shifted: from the second position on, "
    "the input is the label itself, so the model only has to copy. Shift the words first.",
    lambda labels, bos: labels.clone(),
    "Inputs and labels are equal, so at each position the decoder reads the very word that it must "
    "predict.",
    _moved_the_other_way,
    "The words are shifted to the left, so each position reads the word after the one it must "
    "predict. Shift them to the right.",
    lambda labels, bos: labels.roll(1, dims=1),
    "roll moves the last word to the front. The start token belongs there.",
    lambda labels, bos: torch.cat([torch.full_like(labels[:, :1], bos), labels], dim=1),
    "You added the start token in front but dropped nothing at the end, so inputs and labels have "
    "different lengths.",
    lambda labels, bos: _reference(labels, 1),
    "You always start with the id 1. Use the argument bos_id.",
    _through_the_rows,
    "Words move from one sentence into the next, and only the first sentence begins with the start "
    "token.",
)


def _by_new_empty(labels: Tensor, bos_id: int) -> Tensor:
    inputs = labels.new_full(labels.shape, bos_id)
    inputs[:, 1:] = labels[:, :-1]
    return inputs


def _draw(draw: Draw) -> Inputs:
    b, t, bos = draw.size(), draw.size(), draw.choice(0, 1, 1, 4, 9)
    return torch.tensor([[draw.size(0, 9) for _ in range(t)] for _ in range(b)]), bos


decoder_inputs = Exercise(
    name="decoder.decoder_inputs",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _by_new_empty,
        lambda labels, bos: torch.tensor([[bos, *row[:-1]] for row in labels.tolist()]),
    ),
    draw=_draw,
    hint_texts=(
        "Print labels and inputs of the first case one below the other. Which word does the third "
        "position read, and which one must it predict?",
        "Each position needs the label of the position before it. Which slice of the labels is "
        "that, and where does it go?",
        "Before you set the first position: inputs[:, 1:] = labels[:, :-1].",
    ),
    starter='''\
def decoder_inputs(labels, bos_id):
    """What the decoder reads when it must predict labels (B, T)."""
    inputs = labels.clone()
    inputs[:, 0] = bos_id
    return inputs
''',
)
