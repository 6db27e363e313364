"""Copies are found even if renamed; answers that anyone would write are not reported."""

import ast
import inspect

import pytest
from graded_class import ANSWER, RENAMED
from mutants import can_be_changed

from classroom import similarity
from classroom.provenance import provenance
from classroom.reports import solutions
from lessons.kit import exercises

SOLUTIONS = solutions()
LONG = [
    name
    for name, source in SOLUTIONS.items()
    if not exercises.get_exercise(name).is_bug_hunt
    and len(similarity.pieces(source) - similarity.pieces(exercises.get_exercise(name).starter))
    >= 20
]


def test_the_book_has_a_solution_to_almost_every_exercise():
    assert len(SOLUTIONS) >= 90 and len(LONG) >= 40


def test_renamed_copy_is_found():
    (pair,) = similarity.find_groups({"a": ANSWER, "b": RENAMED, "c": "def attend(x, w): return x"})
    assert (pair.students, pair.similarity, pair.of) == (("a", "b"), 1.0, 3)


def own_way(number):
    """An answer that nobody else gives."""
    return "def attend(x, w):\n" + f"    x = x + {number} * w\n" * 9


@pytest.mark.parametrize("ring", [2, 3, 4, 5, 8, 59])
def test_large_group_of_copies_is_found(ring):
    """In a class of sixty in which all other answers differ."""
    others = {f"o{n}": own_way(n) for n in range(60 - ring)}
    copies = {f"r{n}": (ANSWER, RENAMED)[n % 2] for n in range(ring)}
    (found,) = [g for g in similarity.find_groups(others | copies) if "r0" in g.students]
    assert (found.students, found.similarity, found.of) == (tuple(sorted(copies)), 1.0, 60)
    assert found.own > similarity.MIN_PIECES


@pytest.mark.parametrize("name", LONG)
def test_only_the_books_solution_is_recognized(name):
    published, starter = SOLUTIONS[name], exercises.get_exercise(name).starter
    own = name.partition(".")[2]
    pasted = published.replace(f"{own}_solution", own)
    call = f"\n\nexercises.{name}.check({own})\n"
    told = provenance(f"import torch\n{pasted}{call}", published, starter)
    assert told == ["it is the book's solution, word for word"]
    (first, *_) = provenance(other_names(pasted), published, starter)
    assert "the book's solution" in first and "names" in first
    assert provenance(starter, published, starter) == []
    rights = filter(can_be_changed, exercises.get_exercise(name).right_answers)
    routes = [inspect.getsource(right) for right in rights]
    found = [str(provenance(route, published, starter)) for route in routes]
    same = [text for text in found if "word for word" in text]
    assert len(same) <= 1  # one may be the book's, word for word


def other_names(source):
    """The source with other names for all that its author has named, and a comment."""
    names = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name | ast.arg)]
    own = {n.arg for n in names if isinstance(n, ast.arg)}
    own |= {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    lines = source.splitlines()
    for node in sorted(names, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        if (node.arg if isinstance(node, ast.arg) else node.id) in own:
            line, place = lines[node.lineno - 1], node.col_offset
            lines[node.lineno - 1] = f"{line[:place]}my_{line[place:]}"
    return "\n".join(["# mine alone", *lines])


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("exec(__import__('base64').b64decode('eA'))", "by a text: __import__, b64decode, exec"),
        (
            "from transformer_lite.layers import (\n  attend as a,\n  heads)",
            "package: attend, heads",
        ),
        ("def f(x):\n    return tl.attend(x)", "it calls the package: attend"),
        ("import transformer_lite as t\nf = t.masks.causal", "it calls the package: masks.causal"),
        ("import transformer_lite\nf = transformer_lite.attend", "it calls the package: attend"),
        ("f = find('transformer_lite.layers')", "package: 'transformer_lite.layers'"),
        ("f = getattr(sys.modules['x'], 'y')", "by a text: modules"),
    ],
)
def test_code_in_strings_and_package_calls_are_reported(answer, told):
    assert told in provenance(answer, "def f(x):\n    return x\n")[0]


@pytest.mark.parametrize(
    "answer",
    [
        "def f(x):\n    'As exec does in transformer_lite.'  # tl.attend\n    return x",
        "import transformer_lite as tl\nfrom transformer_lite import exercises\nf = tl.causal",
        "def f(x):\n    return x.softmax(-1) @ self.tl.other",
    ],
)
def test_comments_and_published_calls_are_not_reported(answer):
    assert provenance(answer, "f = tl.causal") == []
