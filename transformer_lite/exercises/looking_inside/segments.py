"""Find the bug: the input of BERT, in which both sentences are sentence A."""

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_lite.exercises._kit import GRADIENT, Case, Exercise, Mistake, normal_numbers

_normal = normal_numbers("looking_inside.segments")

_Input = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


def _norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-12) -> Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, eps)


def _sum(ids: Tensor, kinds: Tensor, words: Tensor, places: Tensor, rows: Tensor) -> Tensor:
    return words[ids] + places[: ids.shape[1]] + rows[kinds]


def _reference(
    ids: Tensor,
    segment_ids: Tensor,
    words: Tensor,
    places: Tensor,
    rows: Tensor,
    weight: Tensor,
    bias: Tensor,
) -> Tensor:
    return _norm(_sum(ids, segment_ids, words, places, rows), weight, bias)


def _summed(of: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]) -> _Input:
    """Return the input whose sum before the norm is another one."""

    def wrong(*inputs: Tensor) -> Tensor:
        return _norm(of(*inputs[:5]), inputs[5], inputs[6])

    return wrong


def _case(
    name: str,
    segments: list[list[int]],
    width: int,
    dtype: torch.dtype = torch.float32,
    size: float = 1.0,
) -> Case:
    kinds = torch.tensor(segments)
    vocab, longest = 9, kinds.shape[1] + 3
    ids = (torch.arange(kinds.numel()) * 5 + 2).remainder(vocab).view(kinds.shape)

    def table(*shape: int) -> Tensor:
        return size * _normal(*shape, dtype=dtype)

    # The row of sentence B is far larger than that of sentence A.
    rows = table(2, width) * torch.tensor([[1.0], [4.0]], dtype=dtype)
    inputs = {"ids": ids, "segment_ids": kinds, "words": table(vocab, width)}
    inputs |= {"places": table(longest, width), "rows": rows}
    weight, bias = 1 + 0.3 * _normal(width, dtype=dtype), _normal(width, dtype=dtype)
    return Case(name, inputs | {"weight": weight, "bias": bias})


def _by_hand() -> Case:
    inputs = {
        "ids": torch.tensor([[2, 0, 2]]),
        "segment_ids": torch.tensor([[0, 0, 1]]),
        "words": torch.tensor([[1.0, 5, 3], [0, 0, 0], [4, 2, 0]]),
        "places": torch.tensor([[0.0, 0, 0], [1, 0, 0], [0, 0, 2], [9, 0, 0]]),
        "rows": torch.tensor([[1.0, 0, 0], [0, 0, 6]]),
        "weight": torch.ones(3),
        "bias": torch.zeros(3),
    }
    return Case("two words of sentence A and one of B, by hand", inputs)


_CASES = (
    _by_hand(),
    _case("two pairs of sentences, D=6", [[0, 0, 0, 1, 1], [0, 1, 1, 1, 0]], 6),
    _case("three pairs in float64", [[0, 1], [0, 0], [1, 1]], 4, torch.float64),
    _case("small numbers, in float64", [[0, 0, 1, 1], [0, 1, 1, 0]], 5, torch.float64, 1e-4),
    _case("one place", [[1], [0], [1], [0]], 3),
    _case("one pair", [[0, 1, 1]], 8),
    _case("as many pairs as places", [[0, 0, 1], [0, 1, 1], [1, 1, 0]], 7),
)


def _starting_again(
    ids: Tensor, kinds: Tensor, words: Tensor, places: Tensor, rows: Tensor
) -> Tensor:
    own = (kinds[:, :, None] == kinds[:, None, :]).tril().sum(dim=-1) - 1
    return words[ids] + places[own] + rows[kinds]


_MISTAKES = (
    Mistake(
        _summed(lambda ids, kinds, words, places, rows: _sum(ids, 0 * kinds, words, places, rows)),
        "Every place gets the row of sentence A. Nothing fails, and the shapes fit, but no word "
        "says any longer which of the two sentences it belongs to. Look up the row of each "
        "place's segment.",
    ),
    Mistake(
        _summed(lambda ids, kinds, words, places, rows: words[ids] + places[: ids.shape[1]]),
        "The rows of the segments are missing. Even in a single sentence BERT adds one to every "
        "word: that of sentence A.",
    ),
    Mistake(
        lambda ids, kinds, words, places, rows, weight, bias: (
            _norm(words[ids] + places[: ids.shape[1]], weight, bias) + rows[kinds]
        ),
        "The rows of the segments are added behind the norm. All three rows go into it.",
    ),
    Mistake(
        _summed(_starting_again),
        "The positions start again with sentence B. In BERT they go on to the end of the pair; "
        "only the segment changes.",
    ),
    Mistake(
        _summed(
            lambda ids, kinds, words, places, rows: _sum(ids, kinds, words, places[1:], rows),
        ),
        "The positions start at 1. BERT counts from 0. (RoBERTa does not: there the first word has "
        "position 2.)",
    ),
    Mistake(
        _summed(
            lambda ids, kinds, words, places, rows: (
                words[ids] * words.shape[1] ** 0.5 + places[: ids.shape[1]] + rows[kinds]
            ),
        ),
        "The rows of the words are multiplied by √D, as in the first Transformer. BERT adds them "
        "as they are.",
    ),
    Mistake(
        lambda *inputs: _norm(_sum(*inputs[:5]), inputs[5], inputs[6], eps=1e-5),
        "This ε is 1e-5, PyTorch's default. BERT's is 1e-12, and for small rows that shows.",
    ),
    Mistake(
        lambda *inputs: torch.nn.functional.layer_norm(
            _sum(*inputs[:5]), inputs[5].shape, eps=1e-12
        ),
        "The norm has its own weight and bias, and they are not used.",
    ),
)


def _by_one_hot(
    ids: Tensor,
    segment_ids: Tensor,
    words: Tensor,
    places: Tensor,
    rows: Tensor,
    weight: Tensor,
    bias: Tensor,
) -> Tensor:
    hot = torch.nn.functional.one_hot(segment_ids, 2).to(rows.dtype)
    x = words[ids] + places[torch.arange(ids.shape[1])] + hot @ rows
    gap = x - x.mean(dim=-1, keepdim=True)
    return gap / (gap.square().mean(dim=-1, keepdim=True) + 1e-12).sqrt() * weight + bias


def _by_where(
    ids: Tensor,
    segment_ids: Tensor,
    words: Tensor,
    places: Tensor,
    rows: Tensor,
    weight: Tensor,
    bias: Tensor,
) -> Tensor:
    x = torch.where(segment_ids[..., None] == 1, rows[1], rows[0])
    x = x + torch.nn.functional.embedding(ids, words) + places.narrow(0, 0, ids.shape[1])
    return _norm(x, weight, bias)


segments = Exercise(
    name="looking_inside.segments",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_one_hot, _by_where),
    hint_texts=(
        "Which of the seven inputs does the function never look at?",
        "words[ids] looks up a row for each place. The table of the segments has to be asked in "
        "the same way.",
        "rows[segment_ids] in place of rows[0].",
    ),
    starter='''\
def segments(ids, segment_ids, words, places, rows, weight, bias):
    """What BERT reads: ids and segment_ids (B, T) -> (B, T, D).

    Tables: words (V, D), places (L, D), rows (2, D) of the segments.
    The norm has weight (D,) and bias (D,).
    """
    x = words[ids] + places[: ids.shape[1]] + rows[0]
    norm = torch.nn.functional.layer_norm
    return norm(x, x.shape[-1:], weight, bias, eps=1e-12)
''',
    remarks=(GRADIENT,),
)
