"""Chapter 8, masks: hide before the softmax, and find the mask that empties whole rows."""

import torch

from transformer_lite.attention import masked_softmax
from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers
from transformer_lite.masks import additive_mask, combine_masks, look_ahead_mask, padding_mask

_double = torch.float64
_normal = normal_numbers(8)
_EMBEDDINGS = torch.tensor(
    [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2], [0, 0, 0, 0]],
    dtype=torch.float32,
)


def _decoder_mask(token_ids, pad_id=0):
    return combine_masks(look_ahead_mask(len(token_ids)), padding_mask(token_ids, pad_id))


def _weights_cases() -> tuple[Case, ...]:
    def hide_largest(name, scores, count=1):
        """Hide the `count` largest scores of each row, where a leak shows most."""
        hidden = scores.argsort(dim=-1, descending=True)[:, :count]
        mask = torch.ones(scores.shape, dtype=torch.bool).scatter(-1, hidden, False)
        return Case(name, {"scores": scores, "mask": mask})

    far = _normal(2, 4, dtype=_double)
    far[:, 1] += 2000
    large = torch.tensor([[9000, 9001, 8999], [-9000, -9002, -9001]], dtype=_double)
    worked = {
        "scores": _EMBEDDINGS @ _EMBEDDINGS.mT / 2,
        "mask": _decoder_mask(torch.tensor([1, 2, 3, 0])),
    }
    with_empty_row = hide_largest("a fully masked row, T=5, S=3", _normal(5, 3))
    with_empty_row.inputs["mask"][2] = False
    return (
        Case("the padded sequence [1, 2, 3, 0], scaled scores, both masks", worked),
        hide_largest("the largest scores hidden, T=3, S=5", _normal(3, 5), count=2),
        hide_largest("the same in float64, T=4, S=6", _normal(4, 6, dtype=_double), count=2),
        hide_largest("a hidden score far above the others, T=2, S=4", far),
        hide_largest("large scores, positive and negative, T=2, S=3", large),
        with_empty_row,
    )


def _weights_in_place(scores, mask):
    scores[~mask] = torch.finfo(scores.dtype).min
    return scores.softmax(dim=-1) * mask


def _weights_renormalized(scores, mask):
    weights = scores.softmax(dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-12)


def _weights_without_subtracting_the_maximum(scores, mask):
    exponentials = scores.exp() * mask
    return exponentials / exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-12)


_WEIGHTS_MISTAKES = (
    Mistake(
        lambda s, m: s.softmax(dim=-1),
        "The mask is not used: hidden positions still get weight.",
    ),
    Mistake(
        lambda s, m: masked_softmax(s, ~m),
        "The mask is the wrong way round. Here True means may attend, so it is the False "
        "positions that must vanish.",
    ),
    Mistake(
        lambda s, m: s.softmax(dim=-1) * m,
        "The mask is multiplied in after the softmax. The hidden positions have taken their share "
        "by then, and what is left no longer sums to 1.",
    ),
    Mistake(
        _weights_renormalized,
        "The softmax runs over all positions, and the allowed ones are scaled up again afterwards. "
        "When a hidden score is far the largest, all the others have already been rounded to 0.",
    ),
    Mistake(
        lambda s, m: s.masked_fill(~m, 0.0).softmax(dim=-1),
        "Hidden scores are set to 0 before the softmax. exp(0) is 1, so 0 is a score like any "
        "other. Which score has the exponential 0?",
    ),
    Mistake(
        lambda s, m: s.masked_fill(~m, -100.0).softmax(dim=-1) * m,
        "Hidden scores get a fixed low number, but not low enough: a row whose allowed scores are "
        "lower still gives its weight to what is hidden.",
    ),
    Mistake(
        lambda s, m: s + m,
        "These are scores with the mask added, not weights: the softmax is missing, and 0 or 1 "
        "hides nothing.",
    ),
    Mistake(
        lambda s, m: (s + ~m * -torch.inf).softmax(dim=-1),
        "The mask is multiplied by −∞. That gives 0 · −∞ = nan wherever nothing is hidden. Fill "
        "the hidden positions instead.",
    ),
    Mistake(
        lambda s, m: masked_softmax(s.mT, m.mT).mT,
        "The softmax runs down the columns. Each query shares out its weight along its own row.",
    ),
    Mistake(
        lambda s, m: s.masked_fill(~m, -torch.inf).softmax(dim=-1),
        "A row that is −∞ throughout has no softmax: it is 0 divided by 0. A query that may look "
        "nowhere should get weights of 0.",
    ),
    Mistake(
        lambda s, m: s.masked_fill(~m, torch.finfo(s.dtype).min).softmax(dim=-1),
        "A fully masked row comes out uniform: all its scores are equally low. Nothing in that row "
        "is allowed, so its weights should be 0.",
    ),
    Mistake(
        lambda s, m: (s + additive_mask(m, s.dtype)).softmax(dim=-1).nan_to_num(0.0),
        "The nan of the fully masked row is replaced only after it has arisen. The output looks "
        "right, but the gradient still runs through the nan. Keep it from arising.",
    ),
    Mistake(
        _weights_without_subtracting_the_maximum,
        "exp overflows for large scores, and underflows to 0 for very negative ones. Let softmax "
        "do the exponentials: it subtracts each row's largest score first.",
    ),
    Mistake(
        _weights_in_place,
        "Assigning to scores[...], or calling masked_fill_ with an underscore, writes into the "
        "caller's scores. Fill a copy.",
    ),
    Mistake(
        lambda s, m: masked_softmax(s, m).float(),
        "The weights have become float32. Keep the dtype of the scores.",
    ),
    Mistake(
        lambda s, m: masked_softmax(s, m).detach().numpy(),
        "A numpy array has lost the gradient. Stay with tensors all the way.",
    ),
)


def _weights_row_by_row(scores, mask):
    rows = [torch.zeros_like(row) for row in scores]
    for row, row_scores, allowed in zip(rows, scores, mask, strict=True):
        if allowed.any():
            row[allowed] = row_scores[allowed].softmax(dim=0)
    return torch.stack(rows)


def _weights_with_open_rows(scores, mask):
    alive = mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~mask & alive, -torch.inf).softmax(dim=-1)
    return torch.where(alive, weights, 0.0)


masked_weights = Exercise(
    name="masks.masked_weights",
    reference=masked_softmax,
    cases=_weights_cases(),
    mistakes=_WEIGHTS_MISTAKES,
    right_answers=(_weights_row_by_row, _weights_with_open_rows),
    hint_texts=(
        "Which number must a score be for its weight to come out as 0? And what becomes of a row "
        "in which every score is that number?",
        "Fill the hidden scores with a very low number that is still finite, take the softmax, "
        "then set the hidden weights to 0.",
        "low = torch.finfo(scores.dtype).min is the lowest finite number. Use "
        "scores.masked_fill(~mask, low), then softmax over the last axis, then masked_fill once "
        "more with 0.",
    ),
    starter='''\
def masked_weights(scores, mask):
    """Softmax of each row of scores (T, S) where mask (T, S) is True."""
    ...  # a row without any True gets weights of 0
''',
    properties=(GRADIENT,),
)


def _decoder_cases() -> tuple[Case, ...]:
    sequences = {
        "the padded sequence [1, 2, 3, 0]": ([1, 2, 3, 0], 0),
        "two pads at the end, T=6": ([5, 2, 9, 4, 0, 0], 0),
        "pad_id=7, and 0 is a word, T=5": ([3, 0, 6, 7, 7], 7),
        "a pad between words, T=7": ([8, 0, 3, 5, 1, 0, 2], 0),
        "no pads, T=3": ([4, 8, 6], 0),
    }
    return tuple(
        Case(name, {"token_ids": torch.tensor(ids), "pad_id": pad_id})
        for name, (ids, pad_id) in sequences.items()
    )


def _look_ahead(ids, diagonal=0):
    return torch.ones(len(ids), len(ids), dtype=torch.bool).tril(diagonal)


def _decoder_in_place(ids, pad_id):
    ids -= pad_id
    return (ids != 0) & _look_ahead(ids)


_DECODER_MISTAKES = (
    Mistake(
        lambda ids, pad: (ids != pad)[:, None] & (ids != pad)[None, :] & _look_ahead(ids),
        "The padding is an outer product: it hides the pads as keys, and it also empties the rows "
        "in which a pad is the query. Such a row has no softmax. Hide keys only.",
    ),
    Mistake(
        lambda ids, pad: (ids != pad)[:, None] & _look_ahead(ids),
        "The padding lies along the wrong axis: rows of pads are empty, and pads are still "
        "visible as keys. Keys are the columns.",
    ),
    Mistake(
        lambda ids, pad: _look_ahead(ids),
        "The pads are not hidden: this is the look-ahead mask alone.",
    ),
    Mistake(
        lambda ids, pad: (ids != pad).expand(len(ids), -1),
        "The future is not hidden: this is the padding mask alone.",
    ),
    Mistake(
        lambda ids, pad: (ids != pad)[None, :],
        "One row is enough to broadcast, but this is only the padding. The look-ahead mask "
        "differs from row to row, and the two have to be combined.",
    ),
    Mistake(
        lambda ids, pad: (ids != pad) | _look_ahead(ids),
        "The two masks are joined by or. A position may be seen only if both masks allow it.",
    ),
    Mistake(
        lambda ids, pad: ~_decoder_mask(ids, pad),
        "The mask is the wrong way round. Here True means may attend.",
    ),
    Mistake(
        lambda ids, pad: (ids != pad) & _look_ahead(ids, -1),
        "The look-ahead mask hides the diagonal as well. A token may look at itself, and the "
        "first token has nothing else to look at.",
    ),
    Mistake(
        lambda ids, pad: (ids != pad) & _look_ahead(ids).mT,
        "This is the upper triangle: each token sees the future and not the past.",
    ),
    Mistake(
        lambda ids, pad: _decoder_mask(ids),
        "The pads are looked for as 0. Which id means pad is for the caller to say: use pad_id.",
    ),
    Mistake(
        lambda ids, pad: _decoder_mask(ids, pad).float(),
        "These are the numbers 0 and 1. Return a boolean mask: it cannot be taken for scores.",
    ),
    Mistake(
        _decoder_in_place,
        "An operation such as -= or an assignment to token_ids[...] changes the caller's tokens.",
    ),
)


def _decoder_from_positions(token_ids, pad_id):
    position = torch.arange(len(token_ids))
    return (position[None, :] <= position[:, None]) & token_ids.ne(pad_id)


decoder_mask = Exercise(
    name="masks.decoder_mask",
    reference=_decoder_mask,
    cases=_decoder_cases(),
    mistakes=_DECODER_MISTAKES,
    right_answers=(
        _decoder_from_positions,
        lambda ids, pad: torch.stack([ids != pad] * len(ids)).tril(),
    ),
    hint_texts=(
        "Print the mask for [1, 2, 3, 0]. May the pad, as a query, look anywhere at all?",
        "Only keys need hiding. Which axis of the mask belongs to the keys?",
        "Of real[:, None] & real[None, :], one half hides queries and one half hides keys. Keep "
        "the half that lies along the columns, and combine it with look_ahead as before.",
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

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("decoder_mask",)
