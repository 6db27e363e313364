"""Lay out nodes and links and write them as one SVG, or refuse what does not fit."""

import html

from lessons.kit.diagrams.diagram import Diagram, check_alt
from lessons.kit.diagrams.links import Brace, Label, Link
from lessons.kit.diagrams.nodes import Around, Group, Node, overlap
from lessons.kit.diagrams.text import px

WIDEST = 760  # pixels; a page's column
SMALLEST = 0.85  # of the full size; a narrower page scrolls
EDGE = 6


def draw(content: Node, *links: Link, alt: str, caption: str = "") -> Diagram:
    """Lay out a diagram and draw it.

    Args:
        content: a row, column, grid or group with all nodes inside.
        links: arrows and braces between them.
        alt: what the picture shows, in at least 40 characters.
        caption: a line below it.

    Raises:
        ValueError: `alt` is too short, a node stands twice or not at all, the drawing is wider than
            a page, or the words of an arrow lie on something else.
        TypeError: an argument is of another type.
    """
    check_alt(alt)
    nodes = _placed(content, links)
    solid = [node for node in nodes if node.solid]
    for link in links:
        link.passed = tuple(solid)
    labels = [label for label in (link.label() for link in links) if label]
    left, top, right, bottom = _bounds([content], links, labels)
    if right - left > WIDEST:
        raise ValueError(
            f"a diagram must be at most {WIDEST} wide, got {right - left:.0f}: "
            "put nodes below each other or make gaps smaller"
        )
    for label in labels:
        _check_free(label, solid, labels)
    for group in (node for node in nodes if isinstance(node, Group)):
        _check_group(group, labels)
    nodes.sort(
        key=lambda node: getattr(node, "lit", False)
    )  # a thick frame lies over its neighbours
    body = "".join(node.svg() for node in nodes) + "".join(link.svg() for link in links)
    return Diagram(svg(body, left, top, right - left, bottom - top, alt), alt, caption)


def svg(body: str, left: float, top: float, width: float, height: float, alt: str) -> str:
    """Write the outer element: as wide as its column, but never too small to read."""
    width, height = round(width), round(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tl-d" role="img" '
        f'aria-label="{html.escape(alt)}" viewBox="{px(left)} {px(top)} {width} {height}" '
        f'width="{width}" height="{height}" '
        f'style="max-width:{width}px;min-width:{round(width * SMALLEST)}px">{body}</svg>'
    )


def _placed(content: Node, links: tuple[Link, ...]) -> list[Node]:
    if not isinstance(content, Node):
        raise TypeError(f"content must be a node, got {type(content).__name__}: {content!r:.60}")
    content.place(0, 0)
    nodes = list(content.all())
    known = {id(node) for node in nodes}
    if len(known) < len(nodes):
        twice = next(node for i, node in enumerate(nodes) if node in nodes[:i])
        raise ValueError(f"a node must stand in a diagram once, got {_name(twice)} twice")
    for link in links:
        if not isinstance(link, Link):
            raise TypeError(f"links must be arrows and braces, got {type(link).__name__}")
        for node in link.nodes:
            for inner in node.nodes if isinstance(node, Around) else (node,):
                _settle(inner)
                if not isinstance(inner, Around) and id(inner) not in known:
                    raise ValueError(f"a link must join nodes of the diagram, got {_name(inner)}")
            _settle(node)
    return nodes


def _settle(node: Node) -> None:
    if isinstance(node, Around):
        for inner in node.nodes:
            _settle(inner)
        node.settle()


def _bounds(
    nodes: list[Node], links: tuple[Link, ...], labels: list[Label]
) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of everything, with a margin."""
    corners = [node.corners for node in nodes]
    corners += [(x, y, x, y) for link in links for x, y in link.points()]
    corners += [label.corners for label in labels]
    left, top, right, bottom = zip(*corners, strict=True)
    return min(left) - EDGE, min(top) - EDGE, max(right) + EDGE, max(bottom) + EDGE


def _check_free(label: Label, solid: list[Node], labels: list[Label]) -> None:
    """Refuse a label of a link that overlaps a node or another label."""
    for node in solid:
        if overlap(label.corners, node.corners):
            raise ValueError(
                f"the label of a link must stand free, got {label.text!r} on {_name(node)}: it "
                f"needs {label.width:.0f} x {label.height:.0f}, so make the gap larger"
            )
    for other in labels:
        if other is not label and overlap(label.corners, other.corners):
            raise ValueError(
                f"the label of a link must stand free, got {label.text!r} on {other.text!r}"
            )


def _check_group(group: Group, labels: list[Label]) -> None:
    """Refuse a label of a link that overlaps the title or the frame of a group."""
    left, top, right, bottom = group.corners
    title = (left + 6, top, right - 6, group.content.y - group.EDGE)
    for label in labels:
        a, b, c, d = label.corners
        inside = a > left and b > top and c < right and d < bottom
        if overlap(label.corners, title) or (overlap(label.corners, group.corners) and not inside):
            raise ValueError(
                f"the label of a link must stand free, got {label.text!r} on the frame of "
                f"{group.title!r}: make the group's edge larger"
            )


def _name(node: Node) -> str:
    kind = type(node).__name__.lower()
    label = getattr(node, "label", None) or getattr(node, "name", None)
    return f"{kind} {label!r}" if label else f"a {kind}"


def brace(*nodes: Node, label: str, side: str = "bottom") -> Brace:
    """Return a brace along one side of nodes, with words at its middle.

    >>> brace(Node(10, 10), label="all heads").side
    'bottom'
    """
    return Brace(nodes, label, side)
