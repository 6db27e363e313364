"""Find the bug: inputs that are meant to be the labels, shifted by one."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _reference(labels: Tensor, bos_id: int) -> Tensor:
    start = torch.full_like(labels[:, :1], bos_id)
    return torch.cat([start, labels[:, :-1]], dim=1)


def _cases() -> tuple[Case, ...]:
    batches = {
        "I am a student, with its end": ([[5, 6, 7, 8, 2]], 1),
        "two sentences, the second with two pads": ([[9, 4, 5, 3, 2], [6, 8, 2, 0, 0]], 1),
        "three sentences, the begin has the id 3": ([[5, 5, 2], [4, 2, 0], [7, 6, 2]], 3),
        "as many sentences as places": ([[8, 9, 2], [7, 2, 0], [2, 0, 0]], 1),
        "one place": ([[2], [2], [2]], 1),
        "one sentence of two places": ([[9, 2]], 4),
        "a begin of 0, pads of 3": ([[7, 2, 3, 3], [6, 5, 4, 2]], 0),
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
    "The begin replaces the first word, and nothing has moved: from the second place on, the "
    "input is the label itself. The model only has to copy. Move the words first.",
    lambda labels, bos: labels.clone(),
    "Inputs and labels are the same: at each place the decoder is handed the very word that it "
    "is asked for.",
    _moved_the_other_way,
    "The words have moved to the left: each place holds the word after the one it is asked "
    "for. They have to move to the right.",
    lambda labels, bos: labels.roll(1, dims=1),
    "roll brings the last word round to the front. The begin token belongs there.",
    lambda labels, bos: torch.cat([torch.full_like(labels[:, :1], bos), labels], dim=1),
    "The begin stands in front, and nothing was dropped at the end: inputs and labels no "
    "longer have the same length.",
    lambda labels, bos: _reference(labels, 1),
    "The first place holds 1. Which id means begin is for the caller to say: use bos_id.",
    _through_the_rows,
    "The words move on from one sentence into the next: only the first sentence has its begin.",
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
        "place get, and which one is it asked for?",
        "Each place needs the label of the place before it. Which slice of the labels are those, "
        "and where do they go?",
        "Before the first place is set: inputs[:, 1:] = labels[:, :-1].",
    ),
    starter='''\
def decoder_inputs(labels, bos_id):
    """What the decoder gets while it is asked for labels (B, T)."""
    inputs = labels.clone()
    inputs[:, 0] = bos_id
    return inputs
''',
)
