"""The tour of a figure on paper: its sentences, with pictures of the figure at some moments.

A built page lists the sentences below the numbers of one state of the figure. Printed forms have
pictures instead of these numbers.
"""

from __future__ import annotations

import io
import posixpath
from pathlib import Path

from lxml.builder import ElementMaker
from pages import XHTML, Element, Page, drop, select, tag_of, text_of
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Locator
from stage import opened, show, stage

from lessons.kit.figures import shared

H = ElementMaker(namespace=XHTML, nsmap={None: XHTML})
WIDTH = 440  # of the screen in CSS pixels: letters stay readable in half a column
PICTURES = 4
COLORS = 64
EDGE = 8  # the margin around the drawing, in pixels


def moments_to_show(count: int, chosen: list[int] | None = None) -> list[int]:
    """Return the moments that get a picture: the chosen ones, or first, last and some in between.

    >>> moments_to_show(6), moments_to_show(3), moments_to_show(8, [1, 5, 8])
    ([1, 3, 4, 6], [1, 2, 3], [1, 5, 8])
    """
    number = min(count, PICTURES)
    return chosen or [1 + round(place * (count - 1) / (number - 1)) for place in range(number)]


def chosen_for(name: str) -> list[int] | None:
    """Return the moments that a figure's JSON lists under "strip", or None."""
    return shared(name).get("strip")


def trimmed(shots: list[bytes]) -> list[Image.Image]:
    """Return the pictures without empty space on the right and below, all at the same scale.

    Raises:
        ValueError: a picture is empty.
    """
    pictures = [Image.open(io.BytesIO(shot)).convert("RGB") for shot in shots]
    ends = []
    for picture in pictures:
        paper = Image.new("RGB", picture.size, picture.getpixel((0, 0)))
        drawn = ImageChops.difference(picture, paper).getbbox()
        if drawn is None:
            raise ValueError("a moment of a tour must show something, got an empty picture")
        ends.append((drawn[2] + EDGE, drawn[3] + EDGE))
    right = max(right for right, _ in ends)
    return [
        picture.crop((0, 0, min(right, picture.width), min(below, picture.height)))
        for picture, (_, below) in zip(pictures, ends, strict=True)
    ]


def packed(picture: Image.Image) -> bytes:
    """Return a picture as a small PNG."""
    out = io.BytesIO()
    few = picture.quantize(COLORS, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def add_strips(browser: Browser, html: Path, pages: list[Page]) -> None:
    """Put pictures into the tours of the pages, and store them with each page.

    Args:
        browser: the browser of the press, in which scripts run here.
        html: the folder of the built book.
        pages: the pages as read from it; they are changed.

    Raises:
        ValueError: a figure does not start, or draws nothing.
    """
    with opened(browser, WIDTH) as tab:
        for page in pages:
            for host in select(page.article, "div.tl-host"):
                for sentences in select(host, "ol.tl-moments"):
                    name = host.get("data-figure")
                    moments = moments_to_show(len(sentences), chosen_for(name))
                    live = stage(tab, html / f"{page.name}.html", name)
                    shots = [screenshot_at(live, moment) for moment in moments]
                    strip(page, sentences, name, dict(zip(moments, trimmed(shots), strict=True)))


def screenshot_at(live: Locator, moment: int) -> bytes:
    """Return a PNG of a figure at a moment."""
    show(live, moment)
    return live.screenshot()


def strip(page: Page, sentences: Element, name: str, pictures: dict[int, Image.Image]) -> None:
    """Turn the list of a tour's sentences into a strip, and drop the numbers above it.

    The question of the figure, which is its first paragraph, is kept.
    """
    for element in list(sentences.itersiblings(preceding=True)):
        if tag_of(element) != "p" or element.getprevious() is not None:
            drop(element)
    sentences.set("class", "press-strip")
    for moment, picture in pictures.items():
        file, item = f"_strips/{name}-{moment}.png", sentences[moment - 1]
        page.pictures[file] = packed(picture)
        item.text, text = None, text_of(item)
        source = posixpath.relpath(file, posixpath.dirname(page.name))
        size = {"width": str(picture.width // 2), "height": str(picture.height // 2)}
        item.append(H.img(src=source, alt=text, **size))
        item.append(H.span(text))
