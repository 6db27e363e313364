"""Additive attention for one target word: energies, weights, context."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from lessons.kit.exercises.rows import normalize_rows
from lessons.recurrent_networks.exercises._shared import draw_lengths_mask, real_of

_normal = normal_numbers("recurrent_networks.additive_context")


def _energies(state: Tensor, annotations: Tensor, w_q: Tensor, w_k: Tensor, v: Tensor) -> Tensor:
    return torch.tanh((state @ w_q.T)[:, None] + annotations @ w_k.T) @ v


def _weights(energies: Tensor, real: Tensor) -> Tensor:
    return energies.masked_fill(~real, -torch.inf).softmax(dim=1)


def _sum(weights: Tensor, annotations: Tensor) -> Tensor:
    return (weights[..., None] * annotations).sum(dim=1)


def _context_by(weights_of: TensorFunction) -> TensorFunction:
    """Return a context from these weights of (energies, real)."""

    def context(
        state: Tensor, annotations: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, v: Tensor
    ) -> Tensor:
        return _sum(weights_of(_energies(state, annotations, w_q, w_k, v), real), annotations)

    return context


_reference = _context_by(_weights)


def _case(
    name: str,
    lengths: list[int],
    sizes: tuple[int, int, int],
    dtype: torch.dtype = torch.float32,
    size: float = 1.0,
) -> Case:
    query, memory, hidden = sizes
    batch, length = len(lengths), max(lengths)
    annotations, real = _normal(batch, length, memory, dtype=dtype), real_of(lengths)
    return Case(
        name,
        {
            "state": _normal(batch, query, dtype=dtype),
            "annotations": torch.where(real[..., None], annotations, 4 * annotations),
            "real": real,
            "w_q": _normal(hidden, query, dtype=dtype),
            "w_k": _normal(hidden, memory, dtype=dtype),
            "v": size * _normal(hidden, dtype=dtype),
        },
    )


_CASES = (
    Case(
        "three words and padding, by hand",
        {
            "state": torch.tensor([[0.5, -0.5]]),
            "annotations": torch.tensor([[[1.0, 0], [0, 1], [1, 1], [9, 9]]]),
            "real": torch.tensor([[True, True, True, False]]),
            "w_q": torch.tensor([[1.0, 0], [0, 1]]),
            "w_k": torch.tensor([[1.0, 0.5], [-0.5, 1]]),
            "v": torch.tensor([2.0, 1]),
        },
    ),
    _case("lengths 5 and 3, state 4, annotation 6, A=2", [5, 3], (4, 6, 2)),
    _case("lengths 2, 6 and 4, in float64", [2, 6, 4], (3, 5, 4), torch.float64),
    _case("no padding, all sizes 4", [4, 4, 4, 4], (4, 4, 4)),
    _case("one word in each source", [1, 1, 1], (2, 3, 4)),
    _case("annotations of one number", [4, 2], (3, 1, 2)),
    _case("large energies", [5, 3], (4, 3, 6), size=400.0),
    Case(
        "energies of real words below −5000",
        {
            "state": torch.tensor([[0.0]], dtype=torch.float64),
            "annotations": torch.tensor([[[2.0], [2.0005], [1.999]]], dtype=torch.float64),
            "real": torch.tensor([[True, True, False]]),
            "w_q": torch.tensor([[1.0]], dtype=torch.float64),
            "w_k": torch.tensor([[1.0]], dtype=torch.float64),
            "v": torch.tensor([-6000.0], dtype=torch.float64),
        },
    ),
)


def _without_annotations(
    state: Tensor, annotations: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, v: Tensor
) -> Tensor:
    energies = (torch.tanh(state @ w_q.T) @ v)[:, None].expand(real.shape)
    return _sum(_weights(energies, real), annotations)


_MISTAKES = mistakes(
    _context_by(lambda energies, real: energies.softmax(dim=1)),
    "The padding is not masked: it gets weight, and its annotations enter the sum. Set its "
    "energies to −∞ before the softmax.",
    _context_by(lambda energies, real: (energies * real).softmax(dim=1)),
    "The energy of padding is set to 0, but e to the power of 0 is 1: it gets weight. Use −∞.",
    _context_by(lambda energies, real: energies.softmax(dim=1) * real),
    "The weights of the padding are set to 0 after the softmax, so the others sum to less than 1. "
    "Mask the padding before it.",
    _context_by(lambda energies, real: energies.masked_fill(~real, -torch.inf).softmax(dim=0)),
    "The softmax runs over the batch: sentences compete for each position. It belongs to the axis "
    "of the source words.",
    _without_annotations,
    "Every word gets the same weight, so the context is a plain mean. One cause: the "
    "annotations are not in the energies. Add W_k h inside the tanh.",
    lambda s, h, real, w_q, w_k, v: _reference(torch.zeros_like(s), h, real, w_q, w_k, v),
    "The state makes no difference. Either you do not use it, or it has its own tanh and adds "
    "the same number to all energies, which does not change a softmax. Use one tanh, around "
    "W_q s + W_k h.",
    _context_by(lambda energies, real: normalize_rows(energies.exp() * real)),
    "exp leaves the range of floats for energies far from 0: it becomes inf, or 0 for all "
    "words of a row. Let softmax do it: it subtracts the largest one first.",
    _context_by(lambda energies, real: energies.masked_fill(~real, -1000.0).softmax(dim=1)),
    "The number that masks padding is not low enough: a row may have energies below it. "
    "−∞ is below all of them.",
)


def _sentence_by_sentence(
    state: Tensor, annotations: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, v: Tensor
) -> Tensor:
    rows = zip(state @ w_q.T, annotations, real, strict=True)
    words = [(asked, found[kept]) for asked, found, kept in rows]
    return torch.stack([((asked + h @ w_k.T).tanh() @ v).softmax(dim=0) @ h for asked, h in words])


def _by_a_product(
    state: Tensor, annotations: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, v: Tensor
) -> Tensor:
    hidden = torch.tanh((state @ w_q.T).unsqueeze(1) + annotations @ w_k.T)
    scores = torch.where(real, hidden @ v, -torch.inf)
    return (scores.softmax(-1).unsqueeze(1) @ annotations).squeeze(1)


def _draw(draw: Draw) -> Inputs:
    batch, places = draw.size(), draw.size()
    query, memory, hidden = draw.size(), draw.size(), draw.size()
    return (
        draw.normal(batch, query),
        draw.normal(batch, places, memory),
        draw_lengths_mask(draw, batch, places),
        draw.normal(hidden, query),
        draw.normal(hidden, memory),
        draw.normal(hidden, size=draw.scale()),
    )


additive_context = Exercise(
    name="recurrent_networks.additive_context",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_a_product, _sentence_by_sentence),
    draw=_draw,
    hint_texts=(
        "W_q s has the shape (B, A), W_k h the shape (B, S, A). What must happen to the first "
        "before they can be added?",
        "Give W_q s an axis for the source words with [:, None], take the tanh of the sum, "
        "multiply by v, mask the padding, take the softmax along the source words, and add up the "
        "weighted annotations.",
        "energies = torch.tanh((state @ w_q.T)[:, None] + annotations @ w_k.T) @ v, then "
        "weights = energies.masked_fill(~real, -torch.inf).softmax(dim=1), and "
        "(weights[..., None] * annotations).sum(dim=1).",
    ),
    starter='''\
def additive_context(state, annotations, real, w_q, w_k, v):
    """The context of one target word, from energies v·tanh(W_q s + W_k h).

    state (B, Q), annotations (B, S, M), real (B, S),
    w_q (A, Q), w_k (A, M), v (A,). Returns (B, M).
    """
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
