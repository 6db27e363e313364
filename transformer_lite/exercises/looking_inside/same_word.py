"""How alike a word's vectors are, beyond what any two vectors are."""

import torch
import torch.nn.functional as F
from torch import Tensor

from transformer_lite.exercises._kit import GRADIENT, Case, Exercise, Mistake, normal_numbers

_normal = normal_numbers("looking_inside.same_word")


def _cosines(x: Tensor) -> Tensor:
    unit = F.normalize(x, dim=-1)
    return unit @ unit.mT


def _apart(x: Tensor) -> Tensor:
    return ~torch.eye(len(x), dtype=torch.bool)


def _within(same: Tensor) -> Tensor:
    return same[:, None] & same[None, :]


def _less_the_others(table: Tensor, same: Tensor) -> Tensor:
    within, apart = _within(same), _apart(table)
    return table[within & apart].mean() - table[~within & apart].mean()


def _reference(x: Tensor, same: Tensor) -> Tensor:
    return _less_the_others(_cosines(x), same)


def _case(
    name: str, marks: str, width: int, shift: float, dtype: torch.dtype = torch.float32
) -> Case:
    """Marks such as "x.x" say which vectors belong to the word; the others are far longer.

    The shift is common to all of them: it makes every cosine large.
    """
    same = torch.tensor([mark == "x" for mark in marks])
    x = _normal(len(marks), width, dtype=dtype) + shift
    return Case(name, {"x": torch.where(same[:, None], x, 6 * x), "same": same})


_CASES = (
    Case(
        "two of the word and one other vector, by hand",
        {
            "x": torch.tensor([[3.0, 4], [4, 3], [0, 5]]),
            "same": torch.tensor([True, True, False]),
        },
    ),
    _case("three of eight vectors, all shifted by 4", "x..x.x..", 5, 4.0),
    _case("four of seven, in float64", ".xx.x.x", 3, 0.5, torch.float64),
    _case("five of six, no shift", "xxx.xx", 4, 0.0),
    _case("two of six, one feature", "..x..x", 1, 0.0),
    _case("the same number of vectors and features", "x.x.x", 5, 1.0),
)


def _all_pairs(x: Tensor, same: Tensor) -> Tensor:
    table, apart = _cosines(x), _apart(x)
    return table[_within(same) & apart].mean() - table[apart].mean()


def _with_itself(x: Tensor, same: Tensor) -> Tensor:
    table, within = _cosines(x), _within(same)
    return table[within].mean() - table[~within & _apart(x)].mean()


def _others_with_themselves(x: Tensor, same: Tensor) -> Tensor:
    table, within = _cosines(x), _within(same)
    return table[within & _apart(x)].mean() - table[~within].mean()


def _among_the_others(x: Tensor, same: Tensor) -> Tensor:
    table, apart = _cosines(x), _apart(x)
    return table[_within(same) & apart].mean() - table[_within(~same) & apart].mean()


_MISTAKES = (
    Mistake(
        lambda x, same: _cosines(x)[_within(same) & _apart(x)].mean(),
        "This is the mean cosine of the word's own pairs, and nothing to hold it against. In a "
        "space where all vectors point one way it is large for any word. Subtract the mean of all "
        "other pairs.",
    ),
    Mistake(
        _with_itself,
        "The word's vectors are compared with themselves, too, and that cosine is always 1. A pair "
        "is two different vectors.",
    ),
    Mistake(
        _others_with_themselves,
        "In the baseline the other vectors are compared with themselves, and that cosine is always "
        "1. A pair is two different vectors.",
    ),
    Mistake(
        _all_pairs,
        "The baseline contains the word's own pairs, so it moves with what it is meant to judge. "
        "Take all other pairs.",
    ),
    Mistake(
        _among_the_others,
        "The baseline holds only the pairs in which the word does not occur. All other pairs are "
        "also those of the word with another vector.",
    ),
    Mistake(
        lambda x, same: _less_the_others(x @ x.mT, same),
        "These are dot products, which grow with the lengths of the vectors. Divide each vector by "
        "its length first.",
    ),
    Mistake(
        lambda x, same: _less_the_others(F.normalize(x, dim=0) @ F.normalize(x, dim=0).mT, same),
        "The lengths are taken down the columns. A vector is a row, and its length is that of its "
        "own numbers.",
    ),
)


def _from_sums(x: Tensor, same: Tensor) -> Tensor:
    """|Σu|² is the sum of all dot products, those of a vector with itself included."""
    unit = F.normalize(x, dim=-1)
    n, m = len(x), int(same.sum())
    own = unit[same].sum(dim=0).square().sum() - m
    everything = unit.sum(dim=0).square().sum() - n
    return own / (m * (m - 1)) - (everything - own) / (n * (n - 1) - m * (m - 1))


def _pair_by_pair(x: Tensor, same: Tensor) -> Tensor:
    found: dict[bool, list[Tensor]] = {True: [], False: []}
    for i in range(len(x)):
        for j in range(i):
            cosine = F.cosine_similarity(x[i], x[j], dim=0)
            found[bool(same[i] and same[j])].append(cosine)
    return torch.stack(found[True]).mean() - torch.stack(found[False]).mean()


same_word = Exercise(
    name="looking_inside.same_word",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_from_sums, _pair_by_pair),
    hint_texts=(
        "If any two vectors of this layer have a cosine of 0.9, what does 0.92 for two of the same "
        "word say?",
        "Make the table of all cosines, (N, N). Which entries are pairs of the word, which are all "
        "other pairs, and which are no pairs at all?",
        "within = same[:, None] & same and apart = ~torch.eye(len(x), dtype=torch.bool). Then "
        "table[within & apart].mean() - table[~within & apart].mean().",
    ),
    starter='''\
def same_word(x, same):
    """Mean cosine of a word's pairs, less that of all other pairs.

    x (N, D), same (N,) is True at the vectors of the word, two of them
    at least. Returns a number, a tensor of no axes.
    """
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
