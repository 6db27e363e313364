"""Spot the entries of an output that no attention over the given values can have."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.the_cat_sat.exercises._shared import WORDS

_normal = normal_numbers("the_cat_sat.impossible_entries")


def _impossible(values: Tensor, output: Tensor) -> Tensor:
    return (output < values.amin(dim=0)) | (output > values.amax(dim=0))


def _cases() -> tuple[Case, ...]:
    values, double = _normal(4, 5), 3 * _normal(3, 6, dtype=torch.float64)
    outside = torch.tensor([-0.5, 0.5, 1.5, 0.2, 2.0, -1.0], dtype=torch.float64)
    low, high = double.amin(dim=0), double.amax(dim=0)
    edges = values.amin(dim=0), values.amax(dim=0)
    beside = torch.tensor([-1e-5, 1e-5, 1 - 1e-5, 1 + 1e-5, 0.5, 1e-5], dtype=torch.float64)
    return (
        Case(
            "The, CAT and SAT, and the output in the notes",
            {"values": WORDS, "output": torch.tensor([1.2669, 0.9999, 1.2669, 0.9999])},
        ),
        Case("values above 1 and below 0", {"values": 9 * values, "output": 3 * values[0]}),
        Case(
            "float64, some above and some below",
            {"values": double, "output": low + outside * (high - low)},
        ),
        Case(
            "entries on the edge",
            {"values": values, "output": torch.where(torch.arange(5) % 2 == 0, *edges)},
        ),
        Case(
            "entries just inside and just outside, in float64",
            {"values": double, "output": low + beside * (high - low)},
        ),
        Case(
            "one value alone, S=1",
            {"values": torch.tensor([[2.0, -1.0, 0.0]]), "output": torch.tensor([2.0, -0.5, 0.5])},
        ),
        Case(
            "one feature, V=1",
            {"values": torch.tensor([[2.0], [5.0]]), "output": torch.tensor([1.5])},
        ),
    )


def _with_slack(values: Tensor, output: Tensor) -> Tensor:
    low, high = values.amin(dim=0), values.amax(dim=0)
    return (output < low - 1e-3) | (output > high + 1e-3)


_MISTAKES = mistakes(
    lambda values, output: output > values.amax(dim=0),
    "Only the largest value is checked. A mixture cannot be smaller than the smallest one either.",
    lambda values, output: output < values.amin(dim=0),
    "Only the smallest value is checked. A mixture cannot be larger than the largest one either.",
    lambda values, output: (output < 0) | (output > 1),
    "The range from 0 to 1 belongs to The, CAT and SAT. Take it from the values that you get.",
    lambda values, output: (output < values.min()) | (output > values.max()),
    "One range is used for all entries. Each column of the values has its own smallest and "
    "largest number.",
    lambda values, output: (output <= values.amin(dim=0)) | (output >= values.amax(dim=0)),
    "Entries on the edge are called impossible. An entry that equals the smallest or the largest "
    "value of its column counts as possible.",
    _with_slack,
    "Entries a little outside are accepted. There is nothing to round here: an entry is "
    "compared with the smallest and the largest value as they are.",
)


def _by_sorting(values: Tensor, output: Tensor) -> Tensor:
    ordered = values.sort(dim=0).values
    return ~((ordered[0] <= output) & (output <= ordered[-1]))


def _entry_by_entry(values: Tensor, output: Tensor) -> Tensor:
    columns = zip(values.T.tolist(), output.tolist(), strict=True)
    return torch.tensor([not min(column) <= entry <= max(column) for column, entry in columns])


def _draw(draw: Draw) -> Inputs:
    s, v = draw.size(), draw.size()
    values, output = draw.normal(s, v), draw.normal(v)
    return values, torch.where(draw.mask(v, probability=0.3), values[draw.size(0, s - 1)], output)


impossible_entries = Exercise(
    name="the_cat_sat.impossible_entries",
    reference=_impossible,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_sorting, _entry_by_entry),
    draw=_draw,
    hint_texts=(
        "An output is a mixture of the rows of values. Between which two numbers must its first "
        "entry lie?",
        "Find the smallest and the largest number of each column of values, and compare the "
        "output with both.",
        "values.amin(dim=0) and values.amax(dim=0) have one number for each column. An entry is "
        "impossible if it is below the first or above the second: combine the two with |.",
    ),
    starter='''\
def impossible_entries(values, output):
    """Which entries of output (V,) no mixture of values (S, V) can have."""
    ...  # -> booleans of shape (V,)
''',
)
