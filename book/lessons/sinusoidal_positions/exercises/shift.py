"""Turn encodings by an offset, without knowing the positions."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from lessons.sinusoidal_positions.exercises._shared import encoded, interleave
from transformer_lite.layers.positions import (
    shift_rotation,
    sinusoidal_frequencies,
    sinusoidal_positions,
)


def _shift(encoding: Tensor, offset: int) -> Tensor:
    return encoding @ shift_rotation(offset, encoding.shape[-1]).to(encoding.dtype).mT


def _cases() -> tuple[Case, ...]:
    between = torch.tensor([12.5, -3.25], dtype=torch.float64)
    known = {
        "The, CAT and SAT one step further, D=4": (sinusoidal_positions(3, 4), 1),
        "three steps further, T=5, D=6": (sinusoidal_positions(5, 6, start=2), 3),
        "two steps back, T=4, D=8": (sinusoidal_positions(4, 8, start=9).float(), -2),
        "positions between the words, in float64, T=2, D=10": (encoded(between, 10), 7),
        "one position, T=1, D=6": (sinusoidal_positions(1, 6, start=20).float(), 2),
    }
    return tuple(
        Case(name, {"encoding": encoding, "offset": offset})
        for name, (encoding, offset) in known.items()
    )


def _shift_by_reading_the_position(encoding: Tensor, offset: int) -> Tensor:
    position = torch.atan2(encoding[:, 0], encoding[:, 1]) + offset
    return encoded(position, encoding.shape[-1])


def _turn(encoding: Tensor, angles: Tensor) -> Tensor:
    sin, cos = encoding[:, 0::2], encoding[:, 1::2]
    return interleave(
        sin * angles.cos() + cos * angles.sin(), cos * angles.cos() - sin * angles.sin()
    )


def _sines_first(encoding: Tensor) -> Tensor:
    return torch.cat([encoding[:, 0::2], encoding[:, 1::2]], dim=-1)


def _speeds(encoding: Tensor) -> Tensor:
    return sinusoidal_frequencies(encoding.shape[-1]).to(encoding.dtype)


def _turn_with_new_sines(encoding: Tensor, offset: int) -> Tensor:
    sin, cos, turn = encoding[:, 0::2], encoding[:, 1::2], offset * _speeds(encoding)
    new_sin = sin * turn.cos() + cos * turn.sin()
    return interleave(new_sin, cos * turn.cos() - new_sin * turn.sin())


_MISTAKES = mistakes(
    lambda e, k: _turn(e, -k * _speeds(e)),
    "The hands turn the wrong way. In sin(a + b) = sin a cos b + cos a sin b the second term "
    "is added; in cos(a + b) it is subtracted.",
    lambda e, k: _turn(e, k * torch.ones_like(_speeds(e))),
    "You turn all pairs by the same angle. Pair r turns by offset times its own speed.",
    lambda e, k: e + encoded(torch.tensor([k]).to(e), e.shape[-1]),
    "You add the encoding of the offset. Positions and angles can be added, but sines cannot.",
    lambda e, k: _sines_first(_turn(e, k * _speeds(e))),
    "Your result has all sines first and all cosines after them. Put each cosine right after its "
    "sine: entries 2r and 2r+1.",
    lambda e, k: e.roll(-k, dims=0),
    "You shift the rows. Then the rows at the end have no successor. Turn each row by itself.",
    _turn_with_new_sines,
    "You compute the new cosines from the new sines. Both need the old values: keep these until "
    "both are computed.",
    _shift_by_reading_the_position,
    "You compute the position from the angle of the first pair. That angle is known only up to a "
    "full turn, so this fails from position 4 on. Turn the given encoding.",
)


def _shift_with_complex_numbers(encoding: Tensor, offset: int) -> Tensor:
    pairs = torch.unflatten(encoding, -1, (-1, 2))
    hands = torch.complex(pairs[..., 1], pairs[..., 0]) * torch.exp(1j * offset * _speeds(encoding))
    return interleave(hands.imag, hands.real)


def _draw(draw: Draw) -> Inputs:
    width = 2 * draw.size(1, 5)
    places = draw.normal(draw.size(), size=10).double()
    speeds = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = places[:, None] * speeds
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return table.to(draw.dtype), draw.size(-4, 4)


shift = Exercise(
    name="sinusoidal_positions.shift",
    reference=_shift,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _shift_with_complex_numbers,
        lambda encoding, offset: _turn(encoding, offset * _speeds(encoding)),
    ),
    draw=_draw,
    hint_texts=(
        "You know sin a, cos a and the angle b. Which formulas from school give sin(a + b) and "
        "cos(a + b)?",
        "Split the row into its sines, encoding[:, 0::2], and its cosines, encoding[:, 1::2]. Turn "
        "each pair by offset times its speed, and interleave the results.",
        "b = offset * sinusoidal_frequencies(encoding.shape[-1]).to(encoding.dtype). The new sines "
        "are sin * b.cos() + cos * b.sin(), the new cosines cos * b.cos() - sin * b.sin(). Stack "
        "them on a new last axis and flatten it.",
    ),
    starter='''\
def shift(encoding, offset):
    """Encodings (T, D) of unknown positions p -> those of p + offset."""
    raise NotImplementedError
''',
)
