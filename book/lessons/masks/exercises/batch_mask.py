"""The mask of a batch: no pad as a key, and nothing that lies ahead."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from transformer_lite.layers.masks import combine_masks, look_ahead_mask, padding_mask


def _reference(token_ids: Tensor, pad_id: int) -> Tensor:
    padding = padding_mask(token_ids, pad_id).squeeze(1)
    return combine_masks(padding, look_ahead_mask(token_ids.shape[1]))


def _cases() -> tuple[Case, ...]:
    batches = {
        "two sentences, the first with two pads": ([[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]], 0),
        "three sentences of T=4, pads in front": ([[0, 0, 5, 6], [0, 2, 3, 4], [7, 8, 9, 1]], 0),
        "pad_id=7, and 0 is a word": ([[0, 3, 7], [7, 0, 2], [5, 7, 7], [1, 2, 3]], 7),
        "a pad between words, one sentence": ([[8, 0, 3, 5, 0, 2]], 0),
        "one word a sentence, T=1": ([[3], [0]], 0),
        "as many sentences as words": ([[1, 2, 0], [3, 0, 0], [4, 5, 6]], 0),
    }
    return tuple(
        Case(name, {"token_ids": torch.tensor(ids), "pad_id": pad_id})
        for name, (ids, pad_id) in batches.items()
    )


def _triangle(ids: Tensor, diagonal: int = 0) -> Tensor:
    return torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril(diagonal)


def _with_open_rows(ids: Tensor, pad_id: int) -> Tensor:
    mask = _reference(ids, pad_id)
    return mask | ~mask.any(dim=-1, keepdim=True)


_MISTAKES = mistakes(
    lambda ids, pad: (ids != pad)[:, :, None] & _triangle(ids),
    "The padding is hidden along the queries: rows of pads are empty, but pads are still visible "
    "as keys. Keys are the last axis.",
    lambda ids, pad: (ids != pad)[:, :, None] & (ids != pad)[:, None, :] & _triangle(ids),
    "Pads are hidden as keys and as queries, so every row of a pad is empty. Hide keys only.",
    lambda ids, pad: _triangle(ids).expand(len(ids), -1, -1).clone(),
    "The pads are not hidden: this is the look-ahead mask alone.",
    lambda ids, pad: (ids != pad)[:, None, :].expand(-1, ids.shape[1], -1).clone(),
    "The future is not hidden: this is the padding mask alone.",
    lambda ids, pad: (ids != pad)[:, None, :] | _triangle(ids),
    'The two masks are combined with "or". A key may be seen only if both masks allow it.',
    lambda ids, pad: ~_reference(ids, pad),
    "The mask is the wrong way round. Here True means may attend.",
    lambda ids, pad: (ids != pad)[:, None, :] & _triangle(ids, -1),
    "The diagonal is hidden as well. A token may attend to itself, and the first one can attend to "
    "nothing else.",
    lambda ids, pad: _reference(ids, 0),
    "The code assumes that the padding id is 0. The caller says which id it is: use pad_id.",
    lambda ids, pad: ((ids != pad).any(dim=0) & _triangle(ids)).expand(len(ids), -1, -1).clone(),
    "All sentences get the same table. But a position with a pad in one sentence may have a word "
    "in another: the padding needs the axis of the batch.",
    _with_open_rows,
    "Rows in which nothing is allowed have been opened. Leave them empty: the softmax decides what "
    "to do with such a row.",
)


def _sentence_by_sentence(token_ids: Tensor, pad_id: int) -> Tensor:
    return torch.stack([(row != pad_id).expand(len(row), -1).tril() for row in token_ids])


def _from_positions(token_ids: Tensor, pad_id: int) -> Tensor:
    place = torch.arange(token_ids.shape[1])
    return (place[None, None, :] <= place[None, :, None]) * (token_ids != pad_id).unsqueeze(1)


def _draw(draw: Draw) -> Inputs:
    pad, batch, length = draw.choice(0, 0, 7), draw.size(), draw.size()
    ids = [[draw.choice(pad, 1, 2, 3, 0, 7) for _ in range(length)] for _ in range(batch)]
    return torch.tensor(ids), pad


batch_mask = Exercise(
    name="masks.batch_mask",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_sentence_by_sentence, _from_positions),
    draw=_draw,
    hint_texts=(
        "Which of the two masks is the same for all sentences, and which for all queries?",
        "token_ids != pad_id has shape (B, T). Give it an axis of size 1 at the position of the "
        "queries.",
        "(token_ids != pad_id)[:, None, :] & look_ahead, where look_ahead is a boolean lower "
        "triangle of shape (T, T) with its diagonal.",
    ),
    starter='''\
def batch_mask(token_ids, pad_id):
    """Which keys may each query see? True = it may: (B, T) -> (B, T, T)."""
    ...  # one table for each sentence
''',
)
