"""Keep the fewest most probable words that reach a probability together."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows

_normal = normal_numbers("decoding.nucleus")


def _by_rank(probabilities: Tensor, stays: Callable[[Tensor], Tensor]) -> Tensor:
    """Rescale what stays; `stays` sees the probabilities in descending order, row by row."""
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
        "the shares 0.5, 0.41, 0.09 at p=0.9": (torch.tensor([[0.5, 0.41, 0.09]]), 0.9),
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
    "The word that crosses p is dropped: those that stay do not reach it. It belongs to the "
    "nucleus.",
    lambda q, p: _by_rank(q, lambda ordered: ordered.cumsum(dim=-1) <= p),
    "The word that crosses p is dropped, and where the first word crosses it nothing is left: "
    "0 divided by 0. The most probable word always stays.",
    lambda q, p: _by_rank(q, lambda ordered: _before(ordered) <= p),
    "Where p is reached exactly, one word too many stays. Keep a word if those before it have "
    "not reached p yet.",
    lambda probabilities, p: probabilities * (_reference(probabilities, p) > 0),
    "The right words stay, but they do not sum to 1. Divide each row by its sum.",
    lambda probabilities, p: normalize_rows(
        torch.where(_before(probabilities) < p, probabilities, 0)
    ),
    "The words are added up in the order of the vocabulary. Begin with the most probable one.",
    _left_in_order,
    "The probabilities are in the order of their size, no longer each at its word. Undo the sort.",
    _gathered,
    "The probabilities are put back in the wrong direction: order says where each one came "
    "from. scatter writes it there; gather reads from there.",
    lambda q, p: _reference(q.flatten(), p).view_as(q) * len(q),
    "The sentences of the batch are added up together. Each row has a nucleus of its own.",
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
        "Sorted by size, which words have a sum before them that is still below p?",
        "cumsum along the last axis of the sorted row, less the row itself, is that sum. sort "
        "also returns where each word stood.",
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
