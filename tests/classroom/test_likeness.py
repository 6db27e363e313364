"""Who copied is found, whatever was renamed; who only wrote what anyone writes is not."""

import inspect

import pytest
from exercise_routes import routes_of
from graded_class import ANSWER, RENAMED

from transformer_lite import exercises
from transformer_lite.classroom import likeness
from transformer_lite.classroom.reports import solutions

SOLUTIONS = solutions()
LONG = [
    name
    for name, source in SOLUTIONS.items()
    if not exercises.named(name).is_bug_hunt
    and len(likeness.pieces(source) - likeness.pieces(exercises.named(name).starter)) >= 20
]


def test_the_book_has_a_solution_to_almost_every_exercise():
    assert len(SOLUTIONS) >= 90 and len(LONG) >= 40


def test_a_renamed_copy_is_alike():
    (pair,) = likeness.alike({"a": ANSWER, "b": RENAMED, "c": "def attend(x, w): return x"})
    assert (pair.students, pair.likeness) == (("a", "b"), 1.0)


def test_what_everybody_was_given_is_nobodys():
    assert likeness.alike({"a": ANSWER, "b": RENAMED}, given=[ANSWER]) == []


def test_what_many_write_says_nothing():
    many = {str(number): ANSWER for number in range(40)}
    assert likeness.alike(many) == []
    assert len(likeness.alike({**many, "y": DIFFERENT, "z": DIFFERENT})) == 1


DIFFERENT = """
def attend(x, w):
    rows = []
    for row in x:
        weights = [float((row @ w) @ other) for other in x]
        total = sum(map(math.exp, weights))
        rows.append(sum(math.exp(s) / total * other for s, other in zip(weights, x)))
    return torch.stack(rows)
"""


def test_two_ways_are_two_ways():
    assert likeness.alike({"a": ANSWER, "b": DIFFERENT}) == []


def test_one_changed_line_of_a_long_answer_is_still_alike():
    changed = DIFFERENT.replace("rows.append(sum(", "rows.append(1.0 * sum(")
    (pair,) = likeness.alike({"a": DIFFERENT, "b": changed})
    assert likeness.ALIKE <= pair.likeness < 1


def test_who_shares_two_thirds_with_another_is_not_named():
    last = "rows.append(sum(math.exp(s) / total * other for s, other in zip(weights, x)))"
    changed = DIFFERENT.replace(last, "rows.append(torch.tensor(weights).softmax(0) @ x)")
    assert changed != DIFFERENT
    assert likeness.alike({"a": DIFFERENT, "b": changed}) == []


def test_short_answers_are_never_alike():
    short = "def f(x):\n    return x.softmax(dim=-1)\n"
    assert likeness.alike({"a": short, "b": short}) == []


@pytest.mark.parametrize("name", LONG)
def test_the_books_solution_is_known_again_and_other_routes_are_not(name):
    published, starter = SOLUTIONS[name], exercises.named(name).starter
    own = name.partition(".")[2]
    pasted = published.replace(f"{own}_solution", own)
    call = f"\n\nexercises.{name}.check({own})\n"
    assert likeness.copied(f"import torch\n{pasted}{call}", [published], [starter])
    routes = [inspect.getsource(route) for route in routes_of(name).values()]
    same = [route for route in routes if likeness.copied(route, [published], [starter])]
    assert len(same) <= 1  # of at least three, one may be the book's, word for word


def test_another_name_is_another_answer():
    assert likeness.copied(ANSWER, [ANSWER])
    assert not likeness.copied(RENAMED, [ANSWER])
    assert not likeness.copied(ANSWER, [ANSWER], given=[ANSWER])


@pytest.mark.parametrize("source", ["", "def f(:\n", "'''never ends", "x = \x00", "🙂 = 1"])
def test_what_python_cannot_read_is_compared_as_far_as_it_goes(source):
    assert likeness.alike({"a": source, "b": source}) == []
    assert not likeness.copied(source, [ANSWER])
