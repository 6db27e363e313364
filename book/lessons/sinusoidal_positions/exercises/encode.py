"""Write the table of sines and cosines."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.sinusoidal_positions.exercises._shared import angles_of, encoded, interleave
from transformer_lite.layers.positions import sinusoidal_frequencies

_normal = normal_numbers("sinusoidal_positions.encode")


def _cases() -> tuple[Case, ...]:
    known = {
        "The, CAT and SAT: positions 0, 1, 2, D=4": (torch.arange(3.0), 4),
        "one position, and not the first: 7, D=2": (torch.tensor([7.0]), 2),
        "not in order, T=5, D=6": (torch.tensor([3.0, 0.0, 11.0, 2.0, 29.0]), 6),
        "a wide table, T=7, D=16": (torch.arange(40.0, 47.0), 16),
        "drawn by chance, T=4, D=10": (_normal(4).abs().mul(20).round(), 10),
        "between the words, in float64, T=3, D=4": (
            torch.tensor([0.0, 1.5, -4.0], dtype=torch.float64),
            4,
        ),
    }
    return tuple(
        Case(name, {"positions": positions, "d_model": d_model})
        for name, (positions, d_model) in known.items()
    )


def _each_dimension_its_own(positions: Tensor, d_model: int) -> Tensor:
    # Twice the width gives one frequency a dimension.
    angles = angles_of(positions, 2 * d_model)
    return interleave(angles[:, 0::2].sin(), angles[:, 1::2].cos())


_MISTAKES = mistakes(
    _each_dimension_its_own,
    "The cosine has an exponent of its own, (2r+1)/D. Sine and cosine of a pair share the "
    "exponent 2r/D, or they are not the two coordinates of one hand.",
    lambda p, d: torch.cat([angles_of(p, d).sin(), angles_of(p, d).cos()], dim=-1),
    "All sines come first and all cosines after them. Each cosine stands right after its "
    "sine here: entries 2r and 2r+1.",
    lambda p, d: interleave(angles_of(p, d).cos(), angles_of(p, d).sin()),
    "Sine and cosine have changed places. Position 0 should be 0, 1, 0, 1 and so on.",
    lambda p, d: encoded(p, d, base=100.0),
    "The exponent is r/D, half of what it should be: the hands turn too fast. The pairs are "
    "counted by r, and the exponent is 2r/D.",
    lambda p, d: encoded(p, d, base=1e8),
    "The exponent is 4r/D, twice what it should be. Pairs are counted by r = 0, 1, 2, …; 0, 2, "
    "4, … are 2r already.",
    lambda p, d: encoded(p, d, base=1e-4),
    "The position is multiplied by the power of 10000. It is divided by it: every pair is "
    "slower than the one before.",
    lambda p, d: encoded(torch.arange(len(p)).to(p), d),
    "The positions are counted from 0 again instead of taken from the argument.",
)


def _encode_in_a_loop(positions: Tensor, d_model: int) -> Tensor:
    columns = []
    for i in range(d_model // 2):
        angle = positions / 10000 ** (2 * i / d_model)
        columns += [angle.sin(), angle.cos()]
    return torch.stack(columns, dim=-1)


def _encode_as_shifted_sines(positions: Tensor, d_model: int) -> Tensor:
    # A cosine is a sine a quarter of a turn ahead.
    quarter = torch.tensor([0.0, torch.pi / 2], dtype=positions.dtype).repeat(d_model // 2)
    speed = sinusoidal_frequencies(d_model).to(positions.dtype).repeat_interleave(2)
    return (positions[:, None] * speed + quarter).sin()


def _draw(draw: Draw) -> Inputs:
    width = 2 * draw.size()
    positions = draw.normal(draw.size(), size=10)
    if draw.dtype == torch.float64:  # where the powers of 10000 have no exact float32
        width = draw.choice(2, 4)
    return positions, width


encode = Exercise(
    name="sinusoidal_positions.encode",
    reference=encoded,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_encode_in_a_loop, _encode_as_shifted_sines),
    draw=_draw,
    hint_texts=(
        "How many different angles does one position have, if its vector has D entries?",
        "Make a table of angles, a row for each position and a column for each pair. Then "
        "interleave its sines and its cosines.",
        "angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model). "
        "torch.stack([angles.sin(), angles.cos()], dim=-1) has shape (T, D/2, 2); flatten its "
        "last two axes.",
    ),
    starter='''\
def encode(positions, d_model):
    """Positions (T,), any numbers in any order -> their encodings (T, D)."""
    raise NotImplementedError
''',
)
