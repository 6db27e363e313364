"""Every diagram of the book, and the shapes of a drawing as a browser would see them."""

import inspect
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from lessons.kit import diagrams
from lessons.kit.diagrams.text import SIZE, SMALL, advance

SVG = "{http://www.w3.org/2000/svg}"
Corners = tuple[float, float, float, float]


def functions() -> dict[str, object]:
    """Return the public functions of the chapters' modules that need no argument."""
    found = {}
    for name in diagrams.MODULES:
        module = getattr(diagrams, name)
        for key, value in vars(module).items():
            own = inspect.isfunction(value) and value.__module__ == module.__name__
            if own and not key.startswith("_") and returns_diagram(value):
                found[f"{name}.{key}"] = value
    return found


def returns_diagram(function) -> bool:
    signature = inspect.signature(function)
    required = [p for p in signature.parameters.values() if p.default is p.empty]
    return signature.return_annotation in (diagrams.Diagram, "Diagram") and not required


def classes(element: ElementTree.Element) -> set[str]:
    return set(element.get("class", "").split())


def rectangles(root: ElementTree.Element) -> Iterator[tuple[ElementTree.Element, Corners]]:
    for rect in root.iter(f"{SVG}rect"):
        x, y, width, height = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
        yield rect, (x, y, x + width, y + height)
    for circle in root.iter(f"{SVG}circle"):
        x, y, radius = (float(circle.get(key)) for key in ("cx", "cy", "r"))
        yield circle, (x - radius, y - radius, x + radius, y + radius)


def texts(root: ElementTree.Element) -> Iterator[tuple[str, Corners]]:
    """Yield each line of text with its corners, measured by the table of widths."""
    for text in root.iter(f"{SVG}text"):
        size = SMALL if "tl-d-small" in classes(text) else SIZE
        bold = "tl-d-bold" in classes(text)
        pieces = [(text.text or "", float(size))]
        for part in text:
            pieces += [
                (part.text or "", float(part.get("font-size", size))),
                (part.tail or "", size),
            ]
        width = sum(advance(c, bold) * s / 1000 for piece, s in pieces for c in piece)
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "middle")]
        left, base = float(text.get("x")) - share * width, float(text.get("y"))
        yield "".join(text.itertext()), (left, base - 0.8 * size, left + width, base + 0.25 * size)


def points(root: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """Return the points of every path with absolute commands."""
    for path in root.iter(f"{SVG}path"):
        x = y = 0.0
        for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path.get("d")):
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", rest)]
            if command not in "MLCQHVz":
                break
            if command == "H":
                x = numbers[0]
            elif command == "V":
                y = numbers[0]
            for x, y in zip(numbers[::2], numbers[1::2], strict=False):
                yield x, y
            yield x, y


def inside(inner: Corners, outer: Corners, slack: float = 0.1) -> bool:
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def center(corners: Corners) -> tuple[float, float]:
    return (corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2
