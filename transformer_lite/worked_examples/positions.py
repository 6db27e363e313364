"""Binary and sinusoidal positions, by :mod:`transformer_lite.positions`."""

import math

import torch

from transformer_lite.positions import (
    binary_positions,
    shift_rotation,
    sinusoidal_frequencies,
    sinusoidal_positions,
)
from transformer_lite.worked_examples.registry import computes

# The table of positions


@computes("binary-counting-table")
def binary_digits(bits):
    return binary_positions(2**bits, bits).long()


@computes("binary-counter-flip-counts")
def binary_flips(bits):
    flips = binary_digits(bits).diff(dim=0).abs().sum(dim=0)
    return {"flips, slowest digit first": flips, "periods": 2 ** torch.arange(bits, 0, -1)}


@computes(
    "pe-simplified-position-0",
    "pe-0-vector",
    "pe-the-l591-605",
    "pe-cat-rounded-l595",
)
def encoding(pos, d_model):
    """Return PE(pos), one row of the table."""
    return sinusoidal_positions(1, d_model, start=pos)[0]


@computes("pe-cat-l603")
def encoding_in_two_decimals(pos, d_model):
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
def one_entry(pos, dim, d_model):
    return encoding(pos, d_model)[dim]


@computes("pe-vector-dmodel-4-general")
def first_encodings(length, d_model):
    return sinusoidal_positions(length, d_model)


@computes("pe-dimension-512")
def width_of_an_encoding(d_model):
    return encoding(0, d_model).numel()


@computes("pe-position-1-hypothetical-vector")
def sine_and_cosine_of_an_angle(pos, d_model, printed_pe):
    return {
        "PE(1) for d = 4": encoding(pos, d_model),
        "sin² + cos² of the printed pairs": printed_pe.view(-1, 2).square().sum(dim=-1),
        "cosine that belongs to a sine of 0.0001": printed_pe[0].asin().cos(),
    }


@computes("pe-options-1-and-2-lost-figures")
def three_schemes(lengths, pos, d_model):
    short, long = lengths.tolist()
    tables = torch.stack([sinusoidal_positions(length, d_model)[pos] for length in (short, long)])
    return {
        "index, length 8": torch.arange(long),
        "position 2 of 4 as a fraction": pos / (short - 1),
        "position 2 of 8 as a fraction": pos / (long - 1),
        "PE(2) in both": tables.unique(dim=0).squeeze(dim=0),  # one row if both agree
    }


# Exponents, frequencies and what i counts


def frequency_of_each_dimension(d_model):
    """Return the mistake: 10000^(−dim/d) for each dimension, where a pair should share one."""
    return sinusoidal_frequencies(2 * d_model)


@computes("pe-1-1-exponent", "pe-1-3-exponent")
def angle_and_cosine_as_written(pos, dim, d_model):
    angle = pos * frequency_of_each_dimension(d_model)[dim]
    return {"angle with the written exponent": angle, "its cosine": angle.cos()}


@computes("pe-odd-formula-2i-plus-1")
def three_exponents(i, d_model):
    odd = 2 * i + 1
    without_brackets = 10000.0 ** -(2 * i.double() + 1 / d_model)
    return {
        "exponent (2i + 1)/4, position 1": frequency_of_each_dimension(d_model)[odd].cos(),
        "read as 2i + 1/4": without_brackets.cos(),
        "right": encoding(1, d_model)[odd],
    }


@computes("pe-exponents-dmodel-4")
def divisors_of_the_position(d_model):
    return 1 / sinusoidal_frequencies(d_model)


@computes("pe-i-is-a-particular-dimension")
def what_i_counts(d_model):
    last = len(sinusoidal_frequencies(d_model)) - 1
    return {
        "first and last i": [0, last],
        "largest dimension 2i + 1": 2 * last + 1,
        "largest 2i + 1 if i counted dimensions": 2 * (d_model - 1) + 1,
    }


@computes("pe-simplified-positions-1-and-2-symbolic")
def four_angles(like, pizza, d_model):
    frequencies = sinusoidal_frequencies(d_model)
    angles = torch.cat([like * frequencies, pizza * frequencies])
    return {
        **dict(zip(("x₁", "x₂", "x₃", "x₄"), angles, strict=True)),
        "PE(1)": encoding(like, d_model),
        "PE(2)": encoding(pizza, d_model),
    }


@computes("sinusoid-formula-index-base")
def two_first_indices(n, d_model, base):
    # The same frequencies and one more: a wider table whose base grows with its width.
    wide = d_model + 2
    wider = sinusoidal_positions(1, wide, start=n, base=base ** (wide / d_model))[0]
    return {
        "n = 1, i = 0 to 3": wider[:d_model],
        "n = 1, i = 1 to 4": wider[1 : d_model + 1],
    }


# Periods, distances, far positions


@computes("pe-periodic-versus-non-repeating")
def periods(widths, first_position, last_position):
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
def shift_by_rotation(d_model, offset, length):
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
def unseen_position(pos, widths):
    narrow, wide = (encoding(pos, width) for width in widths.tolist())
    return {
        "PE(1024) for d = 4": narrow,
        "first four entries for d = 512": wide[:4],
        "largest size of an entry for d = 512": wide.abs().max(),
    }


@computes("sinusoidal-extrapolation-claim")
def far_position(pos, d_model):
    return {"largest size of an entry at position 5000": encoding(pos, d_model).abs().max()}


@computes("one-lakh-words")
def last_of_many(lakh, d_model):
    return {
        "one lakh": lakh,
        "largest entry of PE(99999) for d = 4": encoding(lakh - 1, d_model).max(),
    }
