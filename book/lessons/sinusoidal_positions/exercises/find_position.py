"""Find positions from their encodings, which have small errors."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.positions import sinusoidal_frequencies, sinusoidal_positions

_normal = normal_numbers("sinusoidal_positions.find_position")


def _cases() -> tuple[Case, ...]:
    def case(name: str, places: list[int], width: int, max_len: int, noise: float) -> Case:
        exact = sinusoidal_positions(max_len, width).float()[places]
        wrong = exact + noise * _normal(len(places), width)
        return Case(name, {"encodings": wrong, "max_len": max_len})

    return (
        case("exact encodings of 0, 1, 2 and 9, D=4", [0, 1, 2, 9], 4, 12, 0.0),
        case("positions 3 to 47, D=16", [3, 47, 12, 20, 9], 16, 50, 0.08),
        case("D=8, among 40", [39, 0, 22], 8, 40, 0.05),
        case("one position among 60, D=10", [58], 10, 60, 0.05),
        case("positions six apart, D=8", [4, 10, 16, 22, 28, 34], 8, 40, 0.05),
    )


def _find(encodings: Tensor, max_len: int) -> Tensor:
    table = sinusoidal_positions(max_len, encodings.shape[1])
    return (encodings.double() @ table.T).argmax(dim=1)


def _nearest(encodings: Tensor, table: Tensor, columns: slice = slice(None)) -> Tensor:
    return torch.cdist(encodings.double()[:, columns], table[:, columns]).argmin(dim=1)


def _by_distance(encodings: Tensor, max_len: int) -> Tensor:
    return _nearest(encodings, sinusoidal_positions(max_len, encodings.shape[1]))


def _by_the_hand(encodings: Tensor, pair: int) -> Tensor:
    """Return the position at which one hand first has this angle."""
    speed = sinusoidal_frequencies(encodings.shape[1])[pair]
    pairs = encodings.double().unflatten(1, (-1, 2))[:, pair]
    angle = torch.atan2(pairs[:, 0], pairs[:, 1]) % (2 * torch.pi)
    return (angle / speed).round().long()


def _one_by_one(encodings: Tensor, max_len: int) -> Tensor:
    table = sinusoidal_positions(max_len, encodings.shape[1])
    errors = [[(row.double() - known).square().sum() for known in table] for row in encodings]
    return torch.tensor(errors).argmin(dim=1)


def _halves_first(encodings: Tensor, max_len: int) -> Tensor:
    table = sinusoidal_positions(max_len, encodings.shape[1])
    return _nearest(encodings, torch.cat([table[:, 0::2], table[:, 1::2]], dim=1))


_MISTAKES = mistakes(
    lambda e, n: _by_the_hand(e, 0),
    "You read only the fastest hand. It completes a turn in a little more than six positions, so "
    "you cannot distinguish 1 and 7.",
    lambda e, n: _by_the_hand(e, -1),
    "You read only the slowest hand. It moves so little from one position to the next that a small "
    "error in an entry becomes an error of many positions.",
    lambda e, n: _nearest(e, sinusoidal_positions(n, e.shape[1]), slice(0, 1)),
    "You compare only the first entry. A hand has the same sine at two angles of each turn. "
    "Compare all entries.",
    lambda e, n: _find(e, n) + 1,
    "The positions are counted from 1. The first position is 0.",
    lambda e, n: (e.double() @ sinusoidal_positions(n, e.shape[1]).T).argmin(dim=1),
    "These are the positions with the smallest dot product. An encoding has the largest dot "
    "product with its own position.",
    _halves_first,
    "Your table has all sines first and all cosines after them. Here each cosine comes right after "
    "its sine.",
    lambda e, n: _nearest(e, sinusoidal_positions(n, e.shape[1], start=1)),
    "Your table begins at position 1, so each answer is too small by 1.",
)


def _draw(draw: Draw) -> Inputs:
    width, max_len = draw.choice(8, 10, 12, 16), 30 + draw.size(0, 20)
    places = [draw.size(0, max_len - 1) for _ in range(draw.size())]
    exact = sinusoidal_positions(max_len, width)[places]
    return exact.to(draw.dtype) + draw.normal(len(places), width, size=0.05), max_len


find_position = Exercise(
    name="sinusoidal_positions.find_position",
    reference=_find,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_distance, _one_by_one),
    draw=_draw,
    hint_texts=(
        "Look at the curve of dot products. Where is it largest, and is that the case for every "
        "position?",
        "Make the table of all max_len encodings, and compare each row of encodings with each of "
        "its rows.",
        "table = positions.sinusoidal_positions(max_len, encodings.shape[1]) is float64, so "
        "(encodings.double() @ table.T).argmax(dim=1) finds the row with the largest dot product.",
    ),
    starter='''\
def find_position(encodings, max_len):
    """Encodings (T, D), each a little wrong -> their positions, ints (T,).

    The positions are between 0 and max_len - 1.
    """
    raise NotImplementedError
''',
)
