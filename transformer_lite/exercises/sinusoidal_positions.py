"""Sinusoidal positions: write the table, turn it by an offset, and find the wrong axis."""

import torch
from torch import Tensor

from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers
from transformer_lite.positions import shift_rotation, sinusoidal_frequencies, sinusoidal_positions

BUG_HUNTS = ("add_positions",)

_normal = normal_numbers(10)
_WORDS = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2]])


def _interleave(even: Tensor, odd: Tensor) -> Tensor:
    """Put two tables of shape (T, D/2) together, column by column."""
    return torch.stack([even, odd], dim=-1).flatten(start_dim=-2)


def _angles(positions: Tensor, d_model: int, base: float = 10000.0) -> Tensor:
    return positions[:, None] * sinusoidal_frequencies(d_model, base).to(positions.dtype)


def _encode(positions, d_model, base=10000.0):
    angles = _angles(positions, d_model, base)
    return _interleave(angles.sin(), angles.cos())


def _position_cases() -> tuple[Case, ...]:
    known = {
        "The, CAT and SAT: positions 0, 1, 2, D=4": (torch.arange(3.0), 4),
        "one position, and not the first: 7, D=2": (torch.tensor([7.0]), 2),
        "not in order, T=5, D=6": (torch.tensor([3.0, 0.0, 11.0, 2.0, 29.0]), 6),
        "a wide table, T=7, D=16": (torch.arange(40.0, 47.0), 16),
        "drawn by chance, T=4, D=10": (_normal(4).abs().mul(20).round(), 10),
    }
    return tuple(
        Case(name, {"positions": positions, "d_model": d_model})
        for name, (positions, d_model) in known.items()
    )


def _each_dimension_its_own(positions, d_model):
    # Twice the width gives one frequency a dimension.
    angles = _angles(positions, 2 * d_model)
    return _interleave(angles[:, 0::2].sin(), angles[:, 1::2].cos())


_ENCODE_MISTAKES = (
    Mistake(
        _each_dimension_its_own,
        "The cosine has an exponent of its own, (2i+1)/D. Sine and cosine of a pair share the "
        "exponent 2i/D, or they are not the two coordinates of one hand.",
    ),
    Mistake(
        lambda p, d: torch.cat([_angles(p, d).sin(), _angles(p, d).cos()], dim=-1),
        "All sines come first and all cosines after them. Each cosine stands right behind its "
        "sine here: entries 2i and 2i+1.",
    ),
    Mistake(
        lambda p, d: _interleave(_angles(p, d).cos(), _angles(p, d).sin()),
        "Sine and cosine have changed places. Position 0 should be 0, 1, 0, 1 and so on.",
    ),
    Mistake(
        lambda p, d: _encode(p, d, base=100.0),
        "The exponent is i/D, half of what it should be: the hands turn too fast. The pairs are "
        "counted by i, and the exponent is 2i/D.",
    ),
    Mistake(
        lambda p, d: _encode(p, d, base=1e-4),
        "The position is multiplied by the power of 10000. It is divided by it: every pair is "
        "slower than the one before.",
    ),
    Mistake(
        lambda p, d: _encode(p + 1, d),
        "This is the encoding of the next position. Counting starts at 0 here.",
    ),
    Mistake(
        lambda p, d: _encode(torch.arange(len(p)).to(p), d),
        "The positions are counted from 0 again instead of taken from the argument.",
    ),
    Mistake(
        lambda p, d: _encode(p.deg2rad(), d),
        "The angle is taken for degrees. PyTorch's sin and cos take radians, as the formula does.",
    ),
    Mistake(
        lambda p, d: _encode(p.double(), d),
        "The table has become float64. Keep the dtype of the positions.",
    ),
    Mistake(
        lambda p, d: _encode(p, d).mT,
        "The table lies on its side: one row a position, one column a dimension.",
    ),
)


def _encode_in_a_loop(positions, d_model):
    columns = []
    for i in range(d_model // 2):
        angle = positions / 10000 ** (2 * i / d_model)
        columns += [angle.sin(), angle.cos()]
    return torch.stack(columns, dim=-1)


def _encode_as_shifted_sines(positions, d_model):
    # A cosine is a sine a quarter of a turn ahead.
    quarter = torch.tensor([0.0, torch.pi / 2]).repeat(d_model // 2)
    speed = sinusoidal_frequencies(d_model).float().repeat_interleave(2)
    return (positions[:, None] * speed + quarter).sin()


encode = Exercise(
    name="sinusoidal_positions.encode",
    reference=_encode,
    cases=_position_cases(),
    mistakes=_ENCODE_MISTAKES,
    right_answers=(_encode_in_a_loop, _encode_as_shifted_sines),
    hint_texts=(
        "How many different angles does one position have, if its vector has D entries?",
        "Make a table of angles, one row a position and one column a pair. Then interleave its "
        "sines and its cosines.",
        "angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model). "
        "torch.stack([angles.sin(), angles.cos()], dim=-1) has shape (T, D/2, 2); flatten its "
        "last two axes.",
    ),
    starter='''\
def encode(positions, d_model):
    """Positions (T,), any numbers in any order -> their encodings (T, D)."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)


def _add(x, table):
    return x + table[: x.shape[1]]


def _adding_cases() -> tuple[Case, ...]:
    def case(name, x, rows):
        table = sinusoidal_positions(rows, x.shape[-1]).to(x.dtype)
        return Case(name, {"x": x, "table": table})

    return (
        case("The, CAT and SAT: B=1, T=3, D=4", _WORDS[None], 8),
        case("B=3, T=5, D=4, a table of 16 rows", _normal(3, 5, 4), 16),
        case("more sequences than words: B=6, T=2, D=8", _normal(6, 2, 8), 12),
        case("in float64: B=2, T=7, D=6", _normal(2, 7, 6, dtype=torch.float64), 15),
    )


def _add_in_place(x, table):
    x += table[: x.shape[1]]
    return x


_ADD_MISTAKES = (
    Mistake(
        lambda x, table: x + table[: x.shape[0], None],
        "The positions are counted along the batch: all words of one sentence get the same "
        "vector, and each sentence another one. The words lie along axis 1.",
    ),
    Mistake(
        lambda x, table: x + table[0],
        "Every word gets position 0.",
    ),
    Mistake(
        lambda x, table: x + table[1 : x.shape[1] + 1],
        "The positions begin at 1. The first word stands at position 0.",
    ),
    Mistake(
        lambda x, table: x + table[-x.shape[1] :],
        "These are the last rows of the table. Take the first ones.",
    ),
    Mistake(
        lambda x, table: x + table[: x.shape[0] * x.shape[1]].view_as(x),
        "The positions run on from one sentence to the next. Each sentence begins again at 0.",
    ),
    Mistake(
        lambda x, table: x * x.shape[-1] ** 0.5 + table[: x.shape[1]],
        "The words are scaled by √D as well. That is the embedding's job, and it is done when x "
        "arrives here.",
    ),
    Mistake(
        lambda x, table: x * table[: x.shape[1]],
        "The positions are multiplied in. A sine of 0 wipes out the word.",
    ),
    Mistake(
        lambda x, table: x + torch.arange(x.shape[1])[:, None],
        "This adds the index itself, not its row of the table.",
    ),
    Mistake(
        lambda x, table: torch.cat([x, table[: x.shape[1]].expand_as(x)], dim=-1),
        "The positions are put beside the words. The width has doubled; add them instead.",
    ),
    Mistake(
        _add_in_place,
        "x += … writes into the caller's embeddings. Make a new tensor: x + …",
    ),
    Mistake(
        lambda x, table: x.detach() + table[: x.shape[1]],
        "detach() cuts the gradient: the embeddings would never learn.",
    ),
)


def _add_word_by_word(x, table):
    words = [x[:, t] + table[t] for t in range(x.shape[1])]
    return torch.stack(words, dim=1)


add_positions = Exercise(
    name="sinusoidal_positions.add_positions",
    reference=_add,
    cases=_adding_cases(),
    mistakes=_ADD_MISTAKES,
    right_answers=(_add_word_by_word, lambda x, table: x + table[None, : x.size(1), :]),
    hint_texts=(
        "Take a batch of one sentence. How many rows of the table does the function read?",
        "Which axis of x, of shape (B, T, D), counts the words? Take as many rows as that axis "
        "is long.",
        "table[: x.size(1)] has shape (T, D). Against (B, T, D) it broadcasts over the batch by "
        "itself, with no None.",
    ),
    starter='''\
def add_positions(x, table):
    """Add row t of table (max_len, D) to word t of each sentence (B, T, D)."""
    positions = table[: x.size(0), None]
    return x + positions
''',
    properties=(GRADIENT,),
)


def _shift(encoding, offset):
    return encoding @ shift_rotation(offset, encoding.shape[-1]).to(encoding.dtype).mT


def _shift_cases() -> tuple[Case, ...]:
    known = {
        "The, CAT and SAT one step on, D=4": (sinusoidal_positions(3, 4), 1),
        "three steps on, T=5, D=6": (sinusoidal_positions(5, 6, start=2), 3),
        "two steps back, T=4, D=8": (sinusoidal_positions(4, 8, start=9), -2),
        "not a table at all, T=2, D=10": (_normal(2, 10, dtype=torch.float64), 7),
    }
    return tuple(
        Case(name, {"encoding": encoding, "offset": offset})
        for name, (encoding, offset) in known.items()
    )


def _shift_by_reading_the_position(encoding, offset):
    position = torch.atan2(encoding[:, 0], encoding[:, 1]) + offset
    return _encode(position, encoding.shape[-1])


def _turn(encoding, angles):
    sin, cos = encoding[:, 0::2], encoding[:, 1::2]
    return _interleave(
        sin * angles.cos() + cos * angles.sin(), cos * angles.cos() - sin * angles.sin()
    )


def _turn_halves(encoding, offset):
    half = encoding.shape[-1] // 2
    mixed = _turn(_interleave(encoding[:, :half], encoding[:, half:]), _speeds(encoding) * offset)
    return torch.cat([mixed[:, 0::2], mixed[:, 1::2]], dim=-1)


def _speeds(encoding):
    return sinusoidal_frequencies(encoding.shape[-1]).to(encoding.dtype)


_SHIFT_MISTAKES = (
    Mistake(
        lambda e, k: _turn(e, -k * _speeds(e)),
        "The hands turn the wrong way. In sin(a + b) = sin a cos b + cos a sin b the second term "
        "is added; in cos(a + b) it is subtracted.",
    ),
    Mistake(
        lambda e, k: _turn(e, k * torch.ones_like(_speeds(e))),
        "All pairs turn by the same angle. Pair i turns by offset times its own speed.",
    ),
    Mistake(
        lambda e, k: _turn(e, _speeds(e)),
        "The offset is not used: this is one step, whatever the offset.",
    ),
    Mistake(
        lambda e, k: e + k,
        "The offset is added to the numbers. A step turns every hand and leaves its length alone.",
    ),
    Mistake(
        lambda e, k: e + _encode(torch.tensor([k]).to(e), e.shape[-1]),
        "The encoding of the offset is added. Encodings do not add up as positions do: angles add, "
        "and sines do not.",
    ),
    Mistake(
        lambda e, k: e.roll(-k, dims=0),
        "The rows are moved. The rows at the edge then have no successor; turn each row by itself.",
    ),
    Mistake(
        _turn_halves,
        "A pair is taken from both halves of the row, as if all sines came first. Entries 2i and "
        "2i+1 belong together.",
    ),
    Mistake(
        _shift_by_reading_the_position,
        "The position is read off the first pair by its angle. That angle is known only up to a "
        "full turn, so it fails from position 4 on. Turn what you are given.",
    ),
)


def _shift_with_complex_numbers(encoding, offset):
    pairs = encoding.unflatten(-1, (-1, 2))
    hands = torch.complex(pairs[..., 1], pairs[..., 0]) * torch.exp(1j * offset * _speeds(encoding))
    return _interleave(hands.imag, hands.real)


shift = Exercise(
    name="sinusoidal_positions.shift",
    reference=_shift,
    cases=_shift_cases(),
    mistakes=_SHIFT_MISTAKES,
    right_answers=(
        _shift_with_complex_numbers,
        lambda encoding, offset: _turn(encoding, offset * _speeds(encoding)),
    ),
    hint_texts=(
        "You know sin a and cos a, and the angle b by which to turn. Which formulas of school give "
        "sin(a + b) and cos(a + b)?",
        "Split the row into its sines, encoding[:, 0::2], and its cosines, encoding[:, 1::2]. Turn "
        "each pair by offset times its speed, and interleave the results.",
        "b = offset * sinusoidal_frequencies(encoding.shape[-1]). The new sines are "
        "sin * b.cos() + cos * b.sin(), the new cosines cos * b.cos() - sin * b.sin(). Stack them "
        "on a new last axis and flatten it.",
    ),
    starter='''\
def shift(encoding, offset):
    """Encodings (T, D) of unknown positions p -> those of p + offset."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)
