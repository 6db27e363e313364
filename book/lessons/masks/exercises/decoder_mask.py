"""Find the bug: a padding mask that empties the rows of the pads."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from lessons.masks.exercises._shared import combined_mask


def _cases() -> tuple[Case, ...]:
    sequences = {
        "the padded sequence [1, 2, 3, 0]": ([1, 2, 3, 0], 0),
        "two pads at the end, T=6": ([5, 2, 9, 4, 0, 0], 0),
        "pad_id=7, and 0 is a word, T=5": ([3, 0, 6, 7, 7], 7),
        "a pad between words, T=7": ([8, 0, 3, 5, 1, 0, 2], 0),
        "no pads, T=3": ([4, 8, 6], 0),
        "a pad in front, T=4": ([0, 3, 0, 5], 0),
        "pads only, pad_id=9": ([9, 9], 9),
        "one token": ([5], 0),
    }
    return tuple(
        Case(name, {"token_ids": torch.tensor(ids), "pad_id": pad_id})
        for name, (ids, pad_id) in sequences.items()
    )


def _look_ahead(ids: Tensor, diagonal: int = 0) -> Tensor:
    return torch.ones(len(ids), len(ids), dtype=torch.bool).tril(diagonal)


def _opened(mask: Tensor) -> Tensor:
    return mask | ~mask.any(dim=1, keepdim=True)


_MISTAKES = mistakes(
    lambda ids, pad: (ids != pad)[:, None] & (ids != pad)[None, :] & _look_ahead(ids),
    "The padding is an outer product: it hides the pads as keys, and it also empties the rows "
    "in which a pad is the query. Such a row has no softmax. Hide keys only.",
    lambda ids, pad: (ids != pad)[:, None] & _look_ahead(ids),
    "The padding is hidden along the wrong axis: rows of pads are empty, but pads are still "
    "visible as keys. Keys are the columns.",
    lambda ids, pad: _look_ahead(ids),
    "The pads are not hidden: this is the look-ahead mask alone.",
    lambda ids, pad: (ids != pad).expand(len(ids), -1),
    "The future is not hidden: this is the padding mask alone.",
    lambda ids, pad: (ids != pad) | _look_ahead(ids),
    'The two masks are combined with "or". A position may be seen only if both masks allow it.',
    lambda ids, pad: ~combined_mask(ids, pad),
    "The mask is the wrong way round. Here True means may attend.",
    lambda ids, pad: (ids != pad) & _look_ahead(ids, -1),
    "The look-ahead mask hides the diagonal as well. A token may attend to itself, and the first "
    "token can attend to nothing else.",
    lambda ids, pad: combined_mask(ids),
    "The code assumes that the padding id is 0. The caller says which id it is: use pad_id.",
    lambda ids, pad: _opened(combined_mask(ids, pad)),
    "The empty row of a pad at the beginning is opened to all keys. Leave it empty.",
    lambda ids, pad: _opened(combined_mask(ids, pad) & (ids != pad)[:, None]),
    "The rows that the outer product makes empty are opened to all keys, so pads see pads and the "
    "future. Hide keys only: then no row after a word is empty.",
)


def _decoder_from_positions(token_ids: Tensor, pad_id: int) -> Tensor:
    position = torch.arange(len(token_ids))
    return (position[None, :] <= position[:, None]) & token_ids.ne(pad_id)


def _draw(draw: Draw) -> Inputs:
    pad = draw.choice(0, 0, 7)
    ids = torch.tensor([draw.choice(pad, 1, 2, 3, 0, 7) for _ in range(draw.size())])
    return ids, pad


decoder_mask = Exercise(
    name="masks.decoder_mask",
    reference=combined_mask,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _decoder_from_positions,
        lambda ids, pad: torch.stack([ids != pad] * len(ids)).tril(),
    ),
    draw=_draw,
    hint_texts=(
        "Print the mask for [1, 2, 3, 0]. When the pad is the query, may it attend to anything?",
        "Only keys need hiding. Which axis of the mask belongs to the keys?",
        "In real[:, None] & real[None, :], one half hides queries and one half hides keys. Keep "
        "the half along the columns, and combine it with look_ahead as before.",
    ),
    starter='''\
def decoder_mask(token_ids, pad_id):
    """Which keys may each query see? True = may attend: (T,) -> (T, T)."""
    real = token_ids != pad_id
    padding = real[:, None] & real[None, :]
    look_ahead = torch.ones(len(token_ids), len(token_ids)).tril().bool()
    return padding & look_ahead
''',
)
