"""Judge each vector by a probe that has not seen it."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("looking_inside.leave_one_out")


def _means(x: Tensor, labels: Tensor, known: Tensor) -> Tensor:
    """Return the means of the known vectors of kind 0 and kind 1: (2, D)."""
    return torch.stack([x[known & (labels == kind)].mean(dim=0) for kind in (0, 1)])


def _judged(x: Tensor, means: Tensor) -> Tensor:
    return (x - means).square().sum(dim=-1).argmin()


def _each(
    judge: Callable[[Tensor, Tensor], Tensor] = _judged,
    known: Callable[[Tensor, int, Tensor], Tensor] = lambda places, i, labels: places != i,
) -> Callable[[Tensor, Tensor], Tensor]:
    """Return a test in which known(places, i, labels) says who fits the probe that judges i."""

    def test(x: Tensor, labels: Tensor) -> Tensor:
        places = torch.arange(len(x))
        rows = [
            judge(x[i], _means(x, labels, known(places, i, labels))) == labels[i]
            for i in range(len(x))
        ]
        return torch.stack(rows)

    return test


_reference = _each()


def _case(
    name: str, marks: str, width: int, apart: float, dtype: torch.dtype = torch.float32
) -> Case:
    """Marks such as "0110" are the labels; the means of the kinds lie this far apart."""
    labels = torch.tensor([int(mark) for mark in marks])
    x = _normal(len(marks), width, dtype=dtype)
    x[:, 0] += apart * labels
    return Case(name, {"x": x, "labels": labels})


_CASES = (
    Case(
        "four numbers, by hand: the probe fitted on all four is right about each",
        {"x": torch.tensor([[0.0], [5.0], [8.0], [9.0]]), "labels": torch.tensor([0, 0, 1, 1])},
    ),
    _case("ten vectors, more features than vectors", "0110100101", 30, 0.0),
    _case("nine vectors of two features, float64", "001011010", 2, 2.0, torch.float64),
    _case("two of one kind, six of the other", "00010011", 4, 1.0),
    _case("kinds far apart, float64", "1100101", 3, 9.0, torch.float64),
    Case(
        "one kind far from zero",
        {
            "x": torch.tensor([[9.0, 9], [10, 8], [8, 11], [1, 1.5], [2, 1], [5, 5.2]]),
            "labels": torch.tensor([1, 1, 1, 0, 0, 0]),
        },
    ),
    _case("twelve vectors, no difference", "011001101001", 5, 0.0),
)


def _nearest_vector(x: Tensor, labels: Tensor) -> Tensor:
    away = torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist")
    return labels[away.fill_diagonal_(torch.inf).argmin(dim=1)] == labels


def _still_counted(x: Tensor, labels: Tensor) -> Tensor:
    """Take the vector out of the sum, but not out of the count."""
    rows = []
    for i in range(len(x)):
        rest = x.clone()
        rest[i] = 0
        rows.append(_judged(x[i], _means(rest, labels, labels >= 0)) == labels[i])
    return torch.stack(rows)


_MISTAKES = mistakes(
    _each(known=lambda places, i, labels: places >= 0),
    "The means include the vector that is tested, which pulls the mean of its own kind towards "
    "itself. With more features than vectors, such a probe can be right about every vector even if "
    "the kinds do not differ. Fit the probe on the other vectors.",
    _each(lambda x, means: 1 - _judged(x, means)),
    "The answer is reversed: it is True where the probe is wrong, or the farther mean is chosen.",
    _each(lambda x, means: (means @ x).argmax()),
    "You choose the mean with the largest dot product. That can be a longer mean that is farther "
    "away. Compare distances.",
    _still_counted,
    "The vector is set to 0 but still counted, so the mean of its kind moves towards 0. Leave it "
    "out of the sum and out of the count.",
    _nearest_vector,
    "The nearest single vector decides here. Choose the nearer of the two means.",
    _each(known=lambda places, i, labels: (places != i) & (places != (i + 1) % len(places))),
    "The next vector is left out as well. Leave out only vector i.",
    lambda x, labels: _reference(x, labels).to(x.dtype).mean(),
    "This is the accuracy. Return one True or False for each vector.",
    lambda x, labels: torch.where(_reference(x, labels), labels, 1 - labels),
    "These are the kinds that the probe predicts. Return whether each prediction is right.",
)


def _from_sums(x: Tensor, labels: Tensor) -> Tensor:
    """Compute each mean without the vector, in the vector's own kind only."""
    hot = torch.nn.functional.one_hot(labels, 2).to(x.dtype)
    sums = hot.mT @ x - hot[:, :, None] * x[:, None]
    means = sums / (hot.sum(dim=0) - hot)[:, :, None]
    away = (x[:, None] - means).square().sum(dim=-1)
    return away.argmin(dim=1) == labels


def _by_cutting(x: Tensor, labels: Tensor) -> Tensor:
    right = []
    for i in range(len(x)):
        others, kinds = torch.cat([x[:i], x[i + 1 :]]), torch.cat([labels[:i], labels[i + 1 :]])
        zero, one = others[kinds == 0].mean(dim=0), others[kinds == 1].mean(dim=0)
        right.append(((x[i] - one).norm() < (x[i] - zero).norm()) == (labels[i] == 1))
    return torch.tensor(right)


def _draw(draw: Draw) -> Inputs:
    labels = torch.tensor([0, 0, 1, 1, *(draw.size(0, 1) for _ in range(draw.size(0, 8)))])
    labels = labels[torch.randperm(len(labels), generator=draw.random)]
    x = draw.normal(len(labels), draw.size(1, 20), shift=draw.choice(0, 0, 3))
    x[:, 0] += draw.choice(0, 1, 4) * labels
    return x, labels


leave_one_out = Exercise(
    name="looking_inside.leave_one_out",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_from_sums, _by_cutting),
    draw=_draw,
    hint_texts=(
        "In the first case the means of all vectors are 2.5 and 8.5. What are the two means "
        "without the vector 5, and which of them is nearer to 5?",
        "Go through the vectors. For each one, which rows may be used for the two means? Select "
        "them with a mask that is False at one position.",
        "others = torch.arange(len(x)) != i. The means are x[others & (labels == 0)].mean(dim=0) "
        "and the same for 1. Compare the distances of x[i] from both with labels[i].",
    ),
    starter='''\
def leave_one_out(x, labels):
    """Is the probe right about each vector? x (N, D), labels (N,) 0 or 1.

    The two means of all other vectors predict its kind: it belongs to
    the nearer one. At least two of each kind, no ties. Returns (N,), bool.
    """
    raise NotImplementedError
''',
)
