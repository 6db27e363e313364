"""Rules for every diagram of the book: labels in their boxes, nothing cut off, plain SVG."""

import re
from xml.etree import ElementTree

import pytest
from drawings import center, classes, functions, inside, points, rectangles, texts

from lessons.kit.diagrams import Diagram
from lessons.kit.diagrams.machine import PARTS, machine
from lessons.kit.diagrams.text import SIZE, SMALL, is_known

DRAWN = functions() | {f"machine {part}": (lambda part=part: machine([part])) for part in PARTS}


@pytest.fixture(scope="module", params=DRAWN, ids=str)
def diagram(request) -> Diagram:
    return DRAWN[request.param]()


@pytest.fixture(scope="module")
def root(diagram) -> ElementTree.Element:
    return ElementTree.fromstring(diagram.svg)


def test_there_are_diagrams_to_look_at():
    assert len(functions()) > 5
    assert "machine.machine" in functions()


def test_a_diagram_has_alternative_text(diagram, root):
    assert root.get("role") == "img"
    assert root.get("aria-label") == diagram.alt == repr(diagram)
    assert len(diagram.alt) >= 40


def test_nothing_is_outside_the_drawing(root):
    left, top, width, height = map(float, root.get("viewBox").split())
    page = (left, top, left + width, top + height)
    shapes = [corners for _, corners in rectangles(root)] + [corners for _, corners in texts(root)]
    outside = [c for c in shapes if not inside(c, page, slack=1)]
    assert outside == []
    loose = [(x, y) for x, y in points(root) if not inside((x, y, x, y), page, slack=1)]
    assert loose == []


def test_labels_stay_in_their_boxes(root):
    boxes = [(e, c) for e, c in rectangles(root) if classes(e) & {"tl-d-box", "tl-d-cell"}]
    for words, corners in texts(root):
        x, y = center(corners)
        around = [c for _, c in boxes if c[0] < x < c[2] and c[1] < y < c[3]]
        assert all(inside(corners, c, slack=0.5) for c in around), words


def test_texts_do_not_overlap(root):
    lines = list(texts(root))
    for i, (words, a) in enumerate(lines):
        for other, b in lines[i + 1 :]:
            across = min(a[2], b[2]) - max(a[0], b[0])
            down = min(a[3], b[3]) - max(a[1], b[1])
            assert across < 1 or down < 1.5, (words, other)


def test_the_svg_has_only_plain_shapes_without_colours_or_scripts(diagram, root):
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names <= {"svg", "g", "path", "rect", "circle", "text", "tspan"}
    assert not [e for e in root.iter() if e.get("id") or e.get("fill") or e.get("stroke")]
    assert re.search(r"#[0-9a-fA-F]{3,8}\b|rgb\(|<script|on\w+=", diagram.svg) is None


def test_every_character_has_a_known_width(root):
    assert [c for words, _ in texts(root) for c in words if not is_known(c)] == []


def test_letters_are_large_enough(root):
    least = min(SIZE, SMALL) * 0.76
    sizes = [float(e.get("font-size")) for e in root.iter() if e.get("font-size")]
    assert all(size >= least - 0.1 for size in sizes)
    width = float(root.get("viewBox").split()[2])
    shown = float(re.search(r"min-width:(\d+)px", root.get("style"))[1])
    assert shown / width >= 0.78  # a narrow page scrolls before letters get too small


@pytest.mark.parametrize("name", DRAWN, ids=str)
def test_drawing_twice_gives_the_same_svg(name):
    assert DRAWN[name]().svg == DRAWN[name]().svg
