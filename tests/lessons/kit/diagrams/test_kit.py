"""The kit: labels, placement, arrows, grids of numbers, and what it refuses."""

import itertools
from xml.etree import ElementTree

import pytest
import torch
from drawings import rectangles, texts

from lessons.kit.diagrams import (
    Diagram,
    around,
    arrow,
    box,
    brace,
    circle,
    draw,
    grid,
    group,
    matrix,
    row,
    space,
    text,
)
from lessons.kit.diagrams.matrix import DEEPEST
from lessons.kit.diagrams.text import parts

ALT = "A drawing for a test, told in more than forty characters."
HOSTILE = """<script>alert("x")</script> & 'y'"""


def drawn(*arguments, **named) -> ElementTree.Element:
    return ElementTree.fromstring(draw(*arguments, alt=ALT, **named).svg)


@pytest.mark.parametrize(
    ("label", "pieces"),
    [
        ("W^Q", [("W", 0), ("Q", 1)]),
        ("d_model", [("d", 0), ("model", -1)]),
        ("x_{t+1} + 1", [("x", 0), ("t+1", -1), (" + 1", 0)]),
        (r"feed\_forward", [("feed_forward", 0)]),
        ("10^-4", [("10", 0), ("-", 1), ("4", 0)]),
        ("a^", [("a^", 0)]),
        ("W^Q_1", [("W", 0), ("Q", 1), ("1", -1)]),
    ],
)
def test_marks_raise_and_lower(label, pieces):
    assert parts(label) == pieces


def test_words_are_never_markup():
    root = drawn(row(box(HOSTILE, note=HOSTILE), text(HOSTILE), gap=4))
    assert [words for words, _ in texts(root)] == [HOSTILE] * 3
    diagram = draw(box("X"), alt=HOSTILE * 2, caption=HOSTILE)
    assert "<script" not in diagram.html
    assert ElementTree.fromstring(diagram.svg).get("aria-label") == HOSTILE * 2


def test_rows_columns_and_grids_place():
    a, b, c, d = (box(name) for name in "abcd")
    draw(grid([[a, b], [c, None], [None, d]], gap=(10, 20)), alt=ALT)
    assert (a.x, a.y, b.x, b.y) == (0, 0, a.width + 10, 0)
    assert (c.x, c.y) == (0, a.height + 20)
    assert (d.x, d.y) == (b.x, 2 * (a.height + 20))


@pytest.mark.parametrize("bend", ["elbow", "curve", "straight", ""])
def test_an_arrow_begins_and_ends_at_its_nodes(bend):
    nodes = [box("a"), box("b"), box("c"), box("d")]
    for start, end in itertools.permutations(nodes, 2):
        link = arrow(start, end, bend=bend)
        draw(grid([nodes[:2], nodes[2:]], gap=60), link, alt=ALT)
        for point, node in ((link.points()[0], start), (link.points()[-1], end)):
            left, top, right, bottom = node.corners
            assert left <= point[0] <= right and top <= point[1] <= bottom
            assert point[0] in (left, right) or point[1] in (top, bottom)


def test_a_matrix_shows_numbers_names_and_shape():
    values = torch.tensor([[1.0, -0.256], [float("-inf"), 0.0]])
    grid_ = matrix(values, "weight", "A", ["x", "y"], ["p", "q"], "(T, S)", off=[[0, 1], [1, 0]])
    root = drawn(row(grid_))
    assert sorted(words for words, _ in texts(root)) == sorted(
        ["A", "x", "y", "p", "q", "(T, S)", "1", "−0.26", "−∞", "0"]
    )
    shades = [e.get("fill-opacity") for e, _ in rectangles(root) if e.get("fill-opacity")]
    assert shades == [f"{DEEPEST:.2f}"]  # 0 has no shade, and what is off is hatched
    hatched = [e for e in root.iter() if e.get("class") == "tl-d-hatch"]
    assert len(hatched) == 2


def test_a_notebook_stores_the_alternative_text_and_the_widget_view():
    diagram = draw(box("X"), alt=ALT)
    data, _ = diagram._repr_mimebundle_()
    assert data["text/plain"] == ALT
    assert set(data) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    assert diagram.html == diagram.to_html()


A, B = box("a"), box("b")
WRONG = [
    (lambda: draw(A, alt="short"), ValueError, "alt must say .* 40 characters, got 5: 'short'"),
    (lambda: draw(A, alt=None), TypeError, "alt must be a str, got NoneType"),
    (lambda: draw("a", alt=ALT), TypeError, "content must be a node, got str"),
    (lambda: draw(A, A, alt=ALT), TypeError, "links must be arrows and braces, got Box"),
    (lambda: draw(row(A, A), alt=ALT), ValueError, "stand in a diagram once, got box 'a' twice"),
    (lambda: draw(A, arrow(A, B), alt=ALT), ValueError, "join nodes of the diagram, got box 'b'"),
    (lambda: draw(row(A, space(800)), alt=ALT), ValueError, "at most 760 wide, got 88"),
    (
        lambda: draw(row(A, B, gap=20), arrow(A, B, "much too long"), alt=ALT),
        ValueError,
        "must stand free, got 'much too long' on box 'a'",
    ),
    (
        lambda: draw(
            group("G", row(A, B, gap=90)),
            arrow(A, B, "out here", bend="elbow", start_side="top", end_side="top"),
            alt=ALT,
        ),
        ValueError,
        "got 'out here' on the frame of 'G'",
    ),
    (lambda: box(3), TypeError, "label must be a str, got int: 3"),
    (lambda: box(" "), ValueError, "label must not be empty, got ' '"),
    (lambda: box("a", "loud"), ValueError, "kind must be one of plain, .*got 'loud'"),
    (lambda: box("a", width=-1), ValueError, "width must lie between 0 and 10000, got -1"),
    (lambda: box("a", height="9"), TypeError, "height must be a number, got str"),
    (lambda: circle(""), ValueError, "sign must not be empty"),
    (lambda: space(float("nan")), ValueError, "width must lie between 0 and 10000, got nan"),
    (lambda: row(), ValueError, "rows must hold at least one node, got none"),
    (lambda: row(A, "b"), TypeError, "must hold nodes, got str: 'b'"),
    (lambda: grid([[A], [B, None]]), ValueError, r"rows must be equally long, got \[1, 2\]"),
    (lambda: row(A, align="left"), ValueError, "align must be one of start, .*got 'left'"),
    (lambda: row(A, gap=-2), ValueError, "gap must lie between 0 and 10000, got -2"),
    (lambda: group("", A), ValueError, "title must not be empty"),
    (lambda: group("G", A, edge=-1), ValueError, "edge must lie between 0 and 10000, got -1"),
    (lambda: around(), ValueError, "around needs at least one node, got none"),
    (lambda: arrow(A, "b"), TypeError, "end must be a node, got str"),
    (lambda: arrow(A, B, bend="round"), ValueError, "bend must be one of .*got 'round'"),
    (lambda: arrow(A, B, start_side="up"), ValueError, "start_side must be one of .*got 'up'"),
    (lambda: brace(A, label=""), ValueError, "label must not be empty"),
    (lambda: brace(A, label="x", side="up"), ValueError, "side must be one of .*got 'up'"),
    (lambda: matrix([[1], [2, 3]]), ValueError, "values must be rows of equal length"),
    (lambda: matrix([]), ValueError, "values must be rows of equal length, at least one, got"),
    (lambda: matrix([[1, 2]], rows=["a", "b"]), ValueError, "rows must hold 1 names, got 2"),
    (lambda: matrix([[1, 2]], columns=["a"]), ValueError, "columns must hold 2 names, got 1"),
    (lambda: matrix([[1]], off=[[1, 0]]), ValueError, r"off must have shape \(1, 1\), got \(1, 2"),
    (lambda: matrix([[1]]).row(1), ValueError, "i must lie between 0 and 0, got 1"),
    (lambda: matrix([[1]]).cell(0, -1), ValueError, "j must lie between 0 and 0, got -1"),
    (lambda: Diagram("<p>", ALT), ValueError, "svg must be one svg element, got '<p>'"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG, ids=[m for _, _, m in WRONG])
def test_misuse_is_reported(call, error, message):
    with pytest.raises(error, match=message):
        call()
