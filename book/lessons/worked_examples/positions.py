"""Binary and sinusoidal positions, by :mod:`transformer_lite.layers.positions`."""

import math

import torch
from torch import Tensor

from lessons.worked_examples.registry import computes
from transformer_lite.layers.positions import (
    binary_positions,
    shift_rotation,
    sinusoidal_frequencies,
    sinusoidal_positions,
)

# The table of positions


@computes("binary-counting-table")
def binary_digits(bits: int) -> Tensor:
    """Return all numbers of so many bits, one row each."""
    return binary_positions(2**bits, bits).long()


@computes("binary-counter-flip-counts")
def binary_flips(bits: int) -> dict[str, Tensor]:
    """Count how often each digit flips while counting, and its period."""
    flips = binary_digits(bits).diff(dim=0).abs().sum(dim=0)
    return {"flips, slowest digit first": flips, "periods": 2 ** torch.arange(bits, 0, -1)}


@computes(
    "pe-simplified-position-0",
    "pe-0-vector",
    "pe-the-l591-605",
    "pe-cat-rounded-l595",
)
def encoding(pos: int, d_model: int) -> Tensor:
    """Return PE(pos), one row of the table."""
    return sinusoidal_positions(1, d_model, start=pos)[0]


@computes("pe-cat-l603")
def encoding_in_two_decimals(pos: int, d_model: int) -> dict[str, Tensor]:
    """Return PE(pos), exact and rounded to two decimals."""
    row = encoding(pos, d_model)
    return {"PE(1)": row, "in two decimals": row.round(decimals=2)}


@computes(
    "pe-0-0",
    "pe-0-1",
    "pe-0-2",
    "pe-0-3",
    "pe-1-0",
    "pe-1-1-value",
    "pe-1-2",
    "pe-1-3-value",
)
def one_entry(pos: int, dim: int, d_model: int) -> Tensor:
    """Return one entry of PE(pos)."""
    return encoding(pos, d_model)[dim]


@computes("pe-vector-dmodel-4-general")
def first_encodings(length: int, d_model: int) -> Tensor:
    """Return the table of positions from 0 on."""
    return sinusoidal_positions(length, d_model)


@computes("pe-dimension-512")
def width_of_an_encoding(d_model: int) -> int:
    """Return the number of entries of an encoding."""
    return encoding(0, d_model).numel()


@computes("pe-position-1-hypothetical-vector")
def sine_and_cosine_of_an_angle(pos: int, d_model: int, printed_pe: Tensor) -> dict[str, Tensor]:
    """Return PE(pos), and whether the printed pairs are a sine and a cosine."""
    return {
        "PE(1) for d = 4": encoding(pos, d_model),
        "sin² + cos² of the printed pairs": printed_pe.view(-1, 2).square().sum(dim=-1),
        "cosine that belongs to a sine of 0.0001": printed_pe[0].asin().cos(),
    }


@computes("pe-options-1-and-2-lost-figures")
def three_schemes(lengths: Tensor, pos: int, d_model: int) -> dict[str, object]:
    """Compare three ways to number a position, in sentences of two lengths."""
    short, long = lengths.tolist()
    tables = torch.stack([sinusoidal_positions(length, d_model)[pos] for length in (short, long)])
    return {
        "index, length 8": torch.arange(long),
        "position 2 of 4 as a fraction": pos / (short - 1),
        "position 2 of 8 as a fraction": pos / (long - 1),
        "PE(2) in both": torch.unique(tables, dim=0).squeeze(dim=0),  # one row if both agree
    }


# Exponents, frequencies and what i counts


def frequency_of_each_dimension(d_model: int) -> Tensor:
    """Return the mistake: 10000^(−dim/d) for each dimension, where a pair should share one."""
    return sinusoidal_frequencies(2 * d_model)


@computes("pe-1-1-exponent", "pe-1-3-exponent")
def angle_and_cosine_as_written(pos: int, dim: int, d_model: int) -> dict[str, Tensor]:
    """Return the angle of one dimension with the exponent as written, and its cosine."""
    angle = pos * frequency_of_each_dimension(d_model)[dim]
    return {"angle with the written exponent": angle, "its cosine": angle.cos()}


@computes("pe-odd-formula-2i-plus-1")
def three_exponents(i: Tensor, d_model: int) -> dict[str, Tensor]:
    """Return one entry with the exponent as written, without brackets and right."""
    odd = 2 * i + 1
    without_brackets = 10000.0 ** -(2 * i.double() + 1 / d_model)
    return {
        "exponent (2i + 1)/4, position 1": frequency_of_each_dimension(d_model)[odd].cos(),
        "read as 2i + 1/4": without_brackets.cos(),
        "right": encoding(1, d_model)[odd],
    }


@computes("pe-exponents-dmodel-4")
def divisors_of_the_position(d_model: int) -> Tensor:
    """Return the number that divides the position in each pair."""
    return 1 / sinusoidal_frequencies(d_model)


@computes("pe-i-is-a-particular-dimension")
def what_i_counts(d_model: int) -> dict[str, object]:
    """Return the range of i if it counts pairs, and the largest index if it counted dimensions."""
    last = len(sinusoidal_frequencies(d_model)) - 1
    return {
        "first and last i": [0, last],
        "largest dimension 2i + 1": 2 * last + 1,
        "largest 2i + 1 if i counted dimensions": 2 * (d_model - 1) + 1,
    }


@computes("pe-simplified-positions-1-and-2-symbolic")
def four_angles(like: int, pizza: int, d_model: int) -> dict[str, Tensor]:
    """Return the angles of two positions, and their encodings."""
    frequencies = sinusoidal_frequencies(d_model)
    angles = torch.cat([like * frequencies, pizza * frequencies])
    return {
        **dict(zip(("x₁", "x₂", "x₃", "x₄"), angles, strict=True)),
        "PE(1)": encoding(like, d_model),
        "PE(2)": encoding(pizza, d_model),
    }


@computes("sinusoid-formula-index-base")
def two_first_indices(n: int, d_model: int, base: int) -> dict[str, Tensor]:
    # The same frequencies and one more: a wider table whose base grows with its width.
    """Return an encoding with i counted from 0 and from 1."""
    wide = d_model + 2
    wider = sinusoidal_positions(1, wide, start=n, base=base ** (wide / d_model))[0]
    return {
        "n = 1, i = 0 to 3": wider[:d_model],
        "n = 1, i = 1 to 4": wider[1 : d_model + 1],
    }


# Periods, distances, far positions


@computes("pe-periodic-versus-non-repeating")
def periods(widths: Tensor, first_position: int, last_position: int) -> dict[str, Tensor]:
    """Return the periods of the pairs, and the smallest distance between two encodings."""
    narrow, wide = (2 * math.pi / sinusoidal_frequencies(width) for width in widths.tolist())
    count = last_position - first_position + 1
    table = sinusoidal_positions(count, int(widths[0]), start=first_position)
    return {
        "period of the first pair": narrow[0],
        "period of the second pair for d = 4": narrow[1],
        "longest period for d = 512": wide.max(),
        "smallest distance between two of the first 200 positions, d = 4": torch.pdist(table).min(),
    }


@computes("pe-relative-offset-is-linear")
def shift_by_rotation(d_model: int, offset: int, length: int) -> dict[str, Tensor]:
    """Turn encodings by an offset, and compare them with those at the offset."""
    table = sinusoidal_positions(length + offset, d_model)
    here, there = table[:length], table[offset:]
    return {
        "largest entry of R(1)·PE(p) − PE(p + 1)": (
            (here @ shift_rotation(offset, d_model).T - there).abs().max()
        ),
        "PE(p)·PE(p + 1) for p = 0 to 6": (here * there).sum(dim=-1),
        "cos 1 + cos 0.01": (offset * sinusoidal_frequencies(d_model)).cos().sum(),
    }


@computes("pe-position-1024-unseen")
def unseen_position(pos: int, widths: Tensor) -> dict[str, Tensor]:
    """Return the encoding of a far position in two widths."""
    narrow, wide = (encoding(pos, width) for width in widths.tolist())
    return {
        "PE(1024) for d = 4": narrow,
        "first four entries for d = 512": wide[:4],
        "largest size of an entry for d = 512": wide.abs().max(),
    }


@computes("sinusoidal-extrapolation-claim")
def far_position(pos: int, d_model: int) -> dict[str, Tensor]:
    """Return the largest entry of the encoding of a far position."""
    return {"largest size of an entry at position 5000": encoding(pos, d_model).abs().max()}


@computes("one-lakh-words")
def last_of_many(lakh: int, d_model: int) -> dict[str, object]:
    """Return the largest entry of the last of a lakh of encodings."""
    return {
        "one lakh": lakh,
        "largest entry of PE(99999) for d = 4": encoding(lakh - 1, d_model).max(),
    }
