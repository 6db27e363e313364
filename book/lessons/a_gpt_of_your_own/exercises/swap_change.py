"""Find the bug: a low-rank change is taken out and another one merged, with one rank for both."""

from typing import Any

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("a_gpt_of_your_own.swap_change")
_Change = dict[str, Any]


def _made(down: Tensor, up: Tensor, alpha: float) -> _Change:
    return {"down": down, "up": up, "alpha": alpha}


def _scale(change: _Change) -> float:
    return change["alpha"] / len(change["down"])


def _change(change: _Change, scale: float) -> Tensor:
    return scale * (change["up"] @ change["down"])


def _reference(weight: Tensor, old: _Change, new: _Change) -> Tensor:
    return weight - _change(old, _scale(old)) + _change(new, _scale(new))


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str, e: int, d: int, ranks: tuple[int, int], alphas: tuple[float, float],
        dtype: torch.dtype = torch.float32,
    ) -> Case:  # fmt: skip
        old, new = (
            _made(_normal(r, d, dtype=dtype), _normal(e, r, dtype=dtype), alpha)
            for r, alpha in zip(ranks, alphas, strict=True)
        )
        weight = _normal(e, d, dtype=dtype) + _change(old, _scale(old))
        return Case(name, {"weight": weight, "old": old, "new": new})

    row, column = torch.tensor([[1.0, 1]]), torch.tensor([[2.0], [0]])
    by_hand = {"weight": torch.tensor([[5.0, 4], [0, 1]]), "old": _made(row, column, 2.0)}
    first = _made(torch.tensor([[0.0, 1]]), torch.tensor([[1.0], [1]]), 6.0)
    second = _made(torch.tensor([[0.0, 1], [1, 0]]), torch.tensor([[1.0, 0], [1, 1]]), 6.0)
    return (
        Case("two changes of rank 1, by hand", by_hand | {"new": first}),
        Case("the same, but the new one has rank 2", by_hand | {"new": second}),
        draw("E=4, D=6, ranks 3 and 2, α=8 and 8", 4, 6, (3, 2), (8.0, 8.0)),
        draw("E=5, D=3, ranks 2 and 4, float64", 5, 3, (2, 4), (0.5, 3.0), torch.float64),
        draw("square, ranks 4 and 1", 5, 5, (4, 1), (16.0, 2.0)),
        draw("one output, ranks 2 and 3", 1, 5, (2, 3), (3.0, 1.0)),
        draw("one input, ranks 3 and 2", 4, 1, (3, 2), (1.0, 6.0)),
    )


def _scaled(weight: Tensor, old: _Change, new: _Change, out: float, into: float) -> Tensor:
    return weight - _change(old, out) + _change(new, into)


def _in_place(weight: Tensor, old: _Change, new: _Change) -> Tensor:
    weight -= _change(old, _scale(old))
    weight += _change(new, _scale(new))
    return weight


_MISTAKES = mistakes(
    lambda w, old, new: _scaled(
        w, old, new, old["alpha"] / len(new["down"]), new["alpha"] / len(new["down"])
    ),
    "Both changes are divided by the rank of the new one. The old one was merged with a rank "
    "of its own. While the two ranks are equal, nobody notices.",
    lambda w, old, new: _scaled(w, old, new, _scale(new), _scale(new)),
    "The old change is taken out with the scale of the new one. It was merged with an α and a "
    "rank of its own.",
    lambda w, old, new: _scaled(w, old, new, _scale(old), _scale(old)),
    "The new change is merged with the scale of the old one. Each has an α and a rank of its own.",
    lambda w, old, new: w + _change(new, _scale(new)),
    "The old change is still in. Take it out first.",
    lambda w, old, new: _scaled(w, old, new, -_scale(old), _scale(new)),
    "The old change is merged a second time: subtract it.",
    lambda w, old, new: _scaled(w, old, new, 1.0, 1.0),
    "The scales α/r are lost, both of them.",
    lambda w, old, new: _scaled(w, old, new, old["alpha"], new["alpha"]),
    "The changes are multiplied by α and not divided by r.",
    lambda w, old, new: _scaled(
        w, old, new, old["alpha"] / old["down"].shape[1], new["alpha"] / new["down"].shape[1]
    ),
    "You divide by the width of the layer. The rank is the number of rows of A, the `down` matrix.",
    lambda w, old, new: _scaled(
        w, old, new, old["alpha"] / len(old["down"]), new["alpha"] / len(old["down"])
    ),
    "Both changes are divided by the rank of the old one. The new one has a rank of its own.",
    _in_place,
    "-= and += change the caller's weight. A second call with the same matrix subtracts a change "
    "that is no longer in it. Make a new matrix.",
)


def _draw(draw: Draw) -> Inputs:
    e, d = draw.size(), draw.size()
    changes = []
    for _ in range(2):
        rank = draw.size()
        alpha = draw.choice(0.5, 1.0, 4.0, 16.0, 3.0)
        down, up = draw.normal(rank, d), draw.normal(e, rank)
        changes.append({"down": down, "up": up, "alpha": alpha})
    return draw.normal(e, d), *changes


swap_change = Exercise(
    name="a_gpt_of_your_own.swap_change",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda w, old, new: torch.addmm(
            torch.addmm(w, old["up"], old["down"], alpha=-_scale(old)),
            new["up"],
            new["down"],
            alpha=_scale(new),
        ),
        lambda w, old, new: (
            w
            + (new["up"] * _scale(new)) @ new["down"]
            - (old["up"] * old["alpha"] / old["up"].shape[1]) @ old["down"]
        ),
    ),
    draw=_draw,
    hint_texts=(
        "The first case comes out right. What do its two changes have in common that those of the "
        "second do not?",
        "A change was merged as (α/r) B A, with its own α and its own r. With which two numbers "
        "does it have to be taken out?",
        'Compute two scales: old["alpha"] / len(old["down"]) for what is subtracted, and the same '
        "of new for what is added.",
    ),
    starter='''\
def swap_change(weight, old, new):
    """Take a merged LoRA out of a weight and merge another one: (E, D).

    old, new: dicts with down = A (r, D), up = B (E, r) and alpha.
    """
    rank = new["down"].shape[0]
    out = old["alpha"] / rank * old["up"] @ old["down"]
    into = new["alpha"] / rank * new["up"] @ new["down"]
    return weight - out + into
''',
    remarks=(GRADIENT,),
)
