"""Forged output of a sandbox earns no points and neither hangs nor crashes the grader."""

import copy

import pytest
from class_work import plan_for

from classroom import marking
from classroom.answers import Answers
from classroom.marking import Marker
from classroom.released import released_chapters
from lessons.kit.exercises import attention, outcomes_from_json, outcomes_to_json

CHAPTER = "05_attention"
NAME = "attention.soft_lookup"
SAME_HASH = 2**61 - 1  # Python's hash of all its multiples is 0


@pytest.fixture(scope="module")
def marker():
    return Marker(plan_for(CHAPTER))


@pytest.fixture
def right(marker):
    """What the sandbox says of a right answer."""
    exercise = marker._exercises[NAME]
    return outcomes_to_json(exercise.record(attention.soft_lookup.reference))


def marked(marker, outcomes):
    (chapter,) = released_chapters(plan_for(CHAPTER))
    found = {name: {"missing": True} for name in chapter.exercises} | {NAME: {"outcomes": outcomes}}
    return marker.marks(chapter, ["x = 1"], Answers(found=found))[NAME]


def slightly_off(outcomes):
    """As numbers of float64 are that have passed through float32: praised, with a remark."""
    for one in outcomes:
        shape, dtype, values = one["answer"][1]
        if dtype == "torch.float64":
            one["answer"][1] = [shape, dtype, [value + 1e-8 for value in values]]
    return outcomes


@pytest.mark.parametrize("count", range(1, 9))
def test_stopping_after_visible_cases_earns_nothing(marker, right, count):
    few = slightly_off(copy.deepcopy(right[:count]))
    few[-1]["out_of_time"] = True
    mark = marked(marker, few)
    assert (mark.points, mark.status) == (0, "stopped")


# The clock may ring while memory is collected, where what it raises is lost; it rings again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("wrap", [lambda item: item, lambda item: ["frozenset", [item]]])
def test_endless_comparison_is_stopped(marker, right, wrap, monkeypatch):
    monkeypatch.setattr(marking, "COMPARING", 0.3)
    right[0]["answer"] = ["set", [wrap(["int", hex(n * SAME_HASH)]) for n in range(6000)]]
    assert marked(marker, right).status == "stopped"


@pytest.mark.parametrize(
    ("shape", "rule"), [([7] * 100_000, "64 sizes"), ([10**4000] * 64, "torch can hold")]
)
def test_a_shape_whose_product_takes_minutes_is_refused(shape, rule, right):
    right[0]["answer"] = ["torch.Tensor", [shape, "torch.float32", []]]
    with pytest.raises(ValueError, match=rule):
        outcomes_from_json(right)


@pytest.mark.parametrize("place", ["error", "line", "name", "edited"])
def test_feedback_truncates_submitted_text(marker, right, place):
    words = "all hidden inputs, as it were " * 1000
    if place == "name":
        right[0]["answer"] = ["mine", None, words]
    else:
        right[0][place] = [words] if place == "edited" else words
    right[0]["error"] = right[0]["error"] or "raised Mine" * (place == "line")
    if right[0]["error"]:
        for one in right:
            one["measured"] = {}
    mark = marked(marker, right)
    assert mark.status == "wrong"
    assert len(mark.message) < 1000
