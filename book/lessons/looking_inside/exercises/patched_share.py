"""Patch one activation of run A into run B: how much of the change in the output it restores."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("looking_inside.patched_share")
_Run = Callable[[Tensor], Tensor]
_Share = Callable[[Tensor, Tensor, Tensor, Tensor, int], Tensor]


def _hidden(x: Tensor, weights: Tensor) -> Tensor:
    """Return the first layer, (T, D): each place takes a mean of all places."""
    return torch.tanh(weights @ x)


def _output(hidden: Tensor, weights: Tensor, readout: Tensor) -> Tensor:
    """Return the second layer at the last place, read out as one number."""
    return torch.tanh(weights @ hidden)[-1] @ readout


def _replaced(into: Tensor, source: Tensor, place: int) -> Tensor:
    patched = into.clone()
    patched[place] = source[place]
    return patched


def _from(share: Callable[[Tensor, Tensor, int, _Run], Tensor]) -> _Share:
    """Return a measure made of share(hidden of A, hidden of B, place, output of a hidden)."""

    def measure(a: Tensor, b: Tensor, weights: Tensor, readout: Tensor, place: int) -> Tensor:
        def output(hidden: Tensor) -> Tensor:
            return _output(hidden, weights, readout)

        return share(_hidden(a, weights), _hidden(b, weights), place, output)

    return measure


def _on_the_scale(patched: Tensor, a: Tensor, b: Tensor, output: _Run) -> Tensor:
    """Return the output of a patched run, where that of run B is 0 and that of run A is 1."""
    start = output(b)
    return (output(patched) - start) / (output(a) - start)


def _returned(a: Tensor, b: Tensor, place: int, output: _Run) -> Tensor:
    return _on_the_scale(_replaced(b, a, place), a, b, output)


def _erased(b: Tensor, place: int) -> Tensor:
    return _replaced(b, torch.zeros_like(b), place)


def _on_the_input(a: Tensor, b: Tensor, weights: Tensor, readout: Tensor, place: int) -> Tensor:
    first, second, patched = (
        _output(_hidden(x, weights), weights, readout) for x in (a, b, _replaced(b, a, place))
    )
    return (patched - second) / (first - second)


def _case(
    name: str, places: int, width: int, place: int, dtype: torch.dtype = torch.float32
) -> Case:
    a, b = _normal(places, width, dtype=dtype), _normal(places, width, dtype=dtype)
    weights = _normal(places, places, dtype=dtype).softmax(dim=-1)
    readout = _normal(width, dtype=dtype)
    return Case(name, _named(a, b, weights, readout, place))


def _named(*values: object) -> dict[str, object]:
    return dict(zip(("a", "b", "weights", "readout", "place"), values, strict=True))


def _by_hand(name: str, place: int) -> Case:
    a, b = torch.tensor([[1.0], [-3.0]]), torch.tensor([[-1.0], [0.0]])
    weights = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
    return Case(name, _named(a, b, weights, torch.tensor([1.0]), place))


_CASES = (
    _by_hand("two positions with one feature, patched at the first", 0),
    _by_hand("the other position: the output moves the wrong way", 1),
    _case("three positions, patched at the first", 3, 4, 0),
    _case("five positions, patched in the middle, float64", 5, 3, 2, torch.float64),
    _case("four positions, patched at the last", 4, 6, 3),
    _case("only one position: the whole change returns", 1, 5, 0),
    _case("six positions with one feature, float64", 6, 1, 4, torch.float64),
)


_MISTAKES = mistakes(
    _from(lambda a, b, place, output: _returned(b, a, place, output)),
    "You patched run A with an activation of run B. Start from run B, and put one activation of "
    "run A into it.",
    _from(lambda a, b, place, output: 1 - _returned(a, b, place, output)),
    "This is the part of the change that is still missing. Return the part that is restored: 0 if "
    "the patch does nothing, 1 if run B then has the output of run A.",
    _from(lambda a, b, place, output: output(_replaced(b, a, place)) - output(b)),
    "This is how far the output moves. Divide it by the difference between the two runs.",
    _from(lambda a, b, place, output: output(_replaced(b, a, place)) / output(a)),
    "You divided the output by that of run A. Measure both from run B: subtract the output of run "
    "B in the numerator and in the denominator.",
    _on_the_input,
    "You patched the input of the first layer. Patch the hidden state after it: there, each "
    "position already contains information from all positions.",
    _from(lambda a, b, place, output: _on_the_scale(_erased(b, place), a, b, output)),
    "The activation is set to 0. That measures what run B loses without it, not what run A's "
    "activation restores.",
    _from(lambda a, b, place, output: _returned(a, _erased(b, place), place, output)),
    "The patched run is compared with one whose activation is 0. Compare it with run B.",
    _from(lambda a, b, place, output: _on_the_scale(_replaced(a, b, place), a, b, output)),
    "You patched every position except this one.",
    _from(lambda a, b, place, output: _returned(a, b, (place + 1) % len(a), output)),
    "You patched another position. Positions are counted from 0.",
)


def _by_a_mask(a: Tensor, b: Tensor, weights: Tensor, readout: Tensor, place: int) -> Tensor:
    first_state, second_state = _hidden(a, weights), _hidden(b, weights)
    here = (torch.arange(len(a)) == place)[:, None]
    mixed = torch.where(here, first_state, second_state)
    three = torch.stack([first_state, second_state, mixed])
    first, second, patched = torch.tanh(weights[-1] @ three) @ readout
    return (patched - second) / (first - second)


def _by_moving(a: Tensor, b: Tensor, weights: Tensor, readout: Tensor, place: int) -> Tensor:
    """Read only the last position, so the patch changes one sum."""
    first, second = (_hidden(x, weights) for x in (a, b))
    before = weights[-1] @ second
    moved = before + weights[-1, place] * (first[place] - second[place])
    known, start, patched = (torch.tanh(v) @ readout for v in (weights[-1] @ first, before, moved))
    return (patched - start) / (known - start)


def _draw(draw: Draw) -> Inputs:
    """Draw runs with different outputs, because the answer divides by their difference."""
    places, width = draw.size(), draw.size()
    while True:
        a, b = draw.normal(places, width), draw.normal(places, width)
        readout = draw.normal(width)
        weights = draw.normal(places, places).softmax(dim=-1)
        first, second = (
            torch.tanh(weights @ torch.tanh(weights @ x))[-1] @ readout for x in (a, b)
        )
        if (first - second).abs() > 0.05:
            return a, b, weights, readout, draw.size(0, places - 1)


patched_share = Exercise(
    name="looking_inside.patched_share",
    reference=_from(_returned),
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_a_mask, _by_moving),
    draw=_draw,
    hint_texts=(
        "Which three outputs do you need? On the scale of the answer, which of them is 0 and which "
        "is 1?",
        "Compute the hidden states of both runs. Copy those of run B, replace one row by that of "
        "run A, and compute the output from there.",
        "hidden = tanh(weights @ x) for both. patched = hidden_b.clone(); patched[place] = "
        "hidden_a[place]. Then (out(patched) - out(hidden_b)) / (out(hidden_a) - out(hidden_b)).",
    ),
    starter='''\
def patched_share(a, b, weights, readout, place):
    """The part of the output's change that one patched position restores.

    The model, for x (T, D), weights (T, T) and readout (D,):
        hidden = torch.tanh(weights @ x)
        output = torch.tanh(weights @ hidden)[-1] @ readout
    Returns a number: 0 if nothing is restored, 1 if all is. It may
    be below 0 or above 1.
    """
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
