"""Keep the fewest words whose probabilities sum to at least p."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows

_normal = normal_numbers("decoding.nucleus")


def _by_rank(probabilities: Tensor, stays: Callable[[Tensor], Tensor]) -> Tensor:
    """Rescale the kept words; `stays` gets the probabilities of each row in descending order."""
    ordered, order = probabilities.sort(dim=-1, descending=True)
    kept = torch.where(stays(ordered), ordered, 0)
    return torch.zeros_like(kept).scatter(-1, order, normalize_rows(kept))


def _before(ordered: Tensor) -> Tensor:
    return ordered.cumsum(dim=-1) - ordered


def _reference(probabilities: Tensor, p: float) -> Tensor:
    return _by_rank(probabilities, lambda ordered: _before(ordered) < p)


def _cases() -> tuple[Case, ...]:
    rows = _normal(3, 6, dtype=torch.float64).softmax(dim=-1)
    steep = (3 * _normal(2, 5, dtype=torch.float64)).softmax(dim=-1)
    given = {
        "the probabilities 0.5, 0.41, 0.09 at p=0.9": (torch.tensor([[0.5, 0.41, 0.09]]), 0.9),
        "p reached exactly, by one word": (torch.tensor([[0.1875, 0.5, 0.3125]]), 0.5),
        "one word above p, two sentences": (
            torch.tensor([[0.05, 0.875, 0.04, 0.035], [0.125, 0.0625, 0.0625, 0.75]]),
            0.6,
        ),
        "float64, three sentences, V=6, p=0.7": (rows, 0.7),
        "float64, two steep rows, V=5, p=0.95": (steep, 0.95),
        "p=1: every word stays": (torch.tensor([[0.25, 0.125, 0.625]], dtype=torch.float64), 1.0),
        "a word of probability 0": (torch.tensor([[0.0, 0.625, 0.375]]), 0.8),
        "one word, V=1": (torch.tensor([[1.0], [1.0]]), 0.3),
    }
    return tuple(Case(name, {"probabilities": q, "p": p}) for name, (q, p) in given.items())


def _first_always(ordered: Tensor, p: float) -> Tensor:
    stays = ordered.cumsum(dim=-1) <= p
    stays[..., 0] = True
    return stays


def _left_in_order(probabilities: Tensor, p: float) -> Tensor:
    return _reference(probabilities, p).sort(dim=-1, descending=True).values


def _gathered(probabilities: Tensor, p: float) -> Tensor:
    order = probabilities.argsort(dim=-1, descending=True)
    return _left_in_order(probabilities, p).gather(-1, order)


_MISTAKES = mistakes(
    lambda q, p: _by_rank(q, lambda ordered: _first_always(ordered, p)),
    "You drop the word that reaches p, so the sum of the kept words stays below p. That word "
    "belongs to the nucleus.",
    lambda q, p: _by_rank(q, lambda ordered: ordered.cumsum(dim=-1) <= p),
    "You drop the word that reaches p. If the first word already reaches it, no word is left, and "
    "you divide 0 by 0. Always keep the most probable word.",
    lambda q, p: _by_rank(q, lambda ordered: _before(ordered) <= p),
    "If the sum is exactly p, you keep one word too many. Keep a word only if the sum of the words "
    "before it is below p.",
    lambda probabilities, p: probabilities * (_reference(probabilities, p) > 0),
    "You keep the right words, but their probabilities do not sum to 1. Divide each row by its "
    "sum.",
    lambda probabilities, p: normalize_rows(
        torch.where(_before(probabilities) < p, probabilities, 0)
    ),
    "You add the probabilities in the order of the vocabulary. Begin with the most probable word.",
    _left_in_order,
    "The probabilities are still sorted, so they belong to the wrong words. Undo the sort.",
    _gathered,
    "You undo the sort in the wrong direction. order contains the original index of each entry. "
    "scatter writes to these indices; gather reads from them.",
    lambda q, p: _reference(q.flatten(), p).view_as(q) * len(q),
    "You add over the whole batch. Each row has its own nucleus.",
)


def _word_by_word(probabilities: Tensor, p: float) -> Tensor:
    result = torch.zeros_like(probabilities)
    for row, kept in zip(probabilities, result, strict=True):
        total = 0.0
        for word in row.argsort(descending=True).tolist():
            if total >= p:
                break
            kept[word] = row[word]
            total += row[word].item()
    return result / result.sum(dim=-1, keepdim=True)


def _by_those_ahead(probabilities: Tensor, p: float) -> Tensor:
    ahead = probabilities[:, None, :] > probabilities[:, :, None]
    kept = probabilities * ((probabilities[:, None, :] * ahead).sum(dim=-1) < p)
    return kept / kept.sum(dim=-1, keepdim=True)


def _draw(draw: Draw) -> Inputs:
    numbers = draw.normal(draw.size(), draw.size(), size=draw.choice(0.5, 1, 3))
    return numbers.softmax(dim=-1), draw.choice(0.1, 0.35, 0.55, 0.8, 0.93, 0.999)


nucleus = Exercise(
    name="decoding.nucleus",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_word_by_word, _by_those_ahead),
    draw=_draw,
    hint_texts=(
        "Sort the words by probability. For which of them is the sum of the earlier words still "
        "below p?",
        "That sum is the cumsum of the sorted row minus the row itself. sort also returns the "
        "original index of each word.",
        "ordered, order = probabilities.sort(dim=-1, descending=True); keep where "
        "ordered.cumsum(dim=-1) - ordered < p; torch.zeros_like(…).scatter(-1, order, kept) puts "
        "the words back; divide by the sum.",
    ),
    starter='''\
def nucleus(probabilities, p):
    """The fewest best words that reach p, rescaled: (B, V) -> (B, V)."""
    ...  # the word that reaches p stays; all others get 0
''',
)
