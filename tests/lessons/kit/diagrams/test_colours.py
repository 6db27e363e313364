"""Contrast, computed from the stylesheet and the palette: words 4.5 to 1, shapes 3 to 1."""

import re

import pytest

from lessons.kit.diagrams.diagram import PALETTE, stylesheet
from lessons.kit.diagrams.matrix import DEEPEST
from lessons.kit.diagrams.nodes import KINDS

Colour = tuple[float, ...]
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
SHEET = re.sub(r"/\*.*?\*/", "", stylesheet(), flags=re.DOTALL)
PALETTES = dict(
    zip(
        ("light", "dark"),
        (
            dict(re.findall(r"(--tl-[\w-]+): (#\w{6});", body))
            for _, body in RULE.findall(PALETTE.read_text(encoding="utf-8"))[:2]
        ),
        strict=True,
    )
)


def look(*classes: str) -> dict[str, str]:
    """Return the properties of an element with these classes; what names more classes wins."""
    found: list[tuple[int, dict[str, str]]] = []
    for selectors, body in RULE.findall(SHEET):
        for selector in selectors.split(","):
            names = re.findall(r"\.([\w-]+)", selector)
            if re.fullmatch(r"(\.[\w-]+)+", selector.strip()) and set(names) <= set(classes):
                pairs = (line.split(":", 1) for line in body.split(";") if ":" in line)
                found.append((len(names), {key.strip(): value.strip() for key, value in pairs}))
    merged: dict[str, str] = {}
    for _, properties in sorted(found, key=lambda item: item[0]):
        merged |= properties
    return merged


def colour(value: str, properties: dict[str, str], palette: dict[str, str]) -> Colour:
    """Return the value of a colour of the stylesheet in a palette."""
    if mixed := re.fullmatch(r"color-mix\(in srgb, (.+) (\d+)%, (.+)\)", value):
        first, second = (colour(mixed[i], properties, palette) for i in (1, 3))
        return blend(first, second, int(mixed[2]) / 100)
    if named := re.fullmatch(r"var\((--[\w-]+)\)", value):
        return colour({**palette, **properties}[named[1]], properties, palette)
    return tuple(int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))


def blend(above: Colour, below: Colour, share: float) -> Colour:
    return tuple(a * share + b * (1 - share) for a, b in zip(above, below, strict=True))


def contrast(a: Colour, b: Colour) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(rgb: Colour) -> float:
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.fixture(params=PALETTES)
def palette(request) -> dict[str, str]:
    return PALETTES[request.param]


@pytest.mark.parametrize("kind", KINDS)
def test_words_and_outlines_of_a_box_can_be_seen(kind, palette):
    box = look("tl-d-box", f"tl-d-{kind}")
    fill = colour(box["fill"], box, palette)
    words = [look("tl-d-text"), look("tl-d-text", "tl-d-quiet")]
    for properties in words:
        assert contrast(colour(properties["fill"], properties, palette), fill) >= 4.5
    outline = colour(box["stroke"], box, palette)
    assert contrast(outline, colour("var(--tl-paper)", {}, palette)) >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_number_can_be_read_on_the_deepest_shade(kind, palette):
    heat = look("tl-d-heat", f"tl-d-{kind}")
    paper = colour("var(--tl-paper)", {}, palette)
    shade = blend(colour(heat["fill"], heat, palette), paper, DEEPEST)
    assert contrast(colour("var(--tl-ink)", {}, palette), shade) >= 4.5


@pytest.mark.parametrize("shape", ["tl-d-line", "tl-d-group", "tl-d-bracket tl-d-data"])
def test_lines_can_be_seen(shape, palette):
    line = look(*shape.split())
    paper = colour("var(--tl-paper)", {}, palette)
    assert contrast(colour(line["stroke"], line, palette), paper) >= 3


def test_lit_parts_are_visible(palette):
    paper = colour("var(--tl-paper)", {}, palette)
    lit = re.search(r"\.tl-m-lit \.tl-d-box \{\s*fill: ([^;]+);", SHEET)[1]
    fill = colour(lit, {}, palette)
    assert contrast(colour("var(--tl-ink)", {}, palette), fill) >= 4.5
    outline = re.search(r"\.tl-m-lit :is\([^)]+\) \{\s*stroke: ([^;]+);", SHEET)[1]
    assert contrast(colour(outline, {}, palette), paper) >= 3
    flag = re.search(r"\.tl-m-flag rect \{\s*fill: ([^;]+);", SHEET)[1]
    words = re.search(r"\.tl-m-flag \.tl-d-text \{\s*fill: ([^;]+);", SHEET)[1]
    assert contrast(colour(flag, {}, palette), colour(words, {}, palette)) >= 4.5
