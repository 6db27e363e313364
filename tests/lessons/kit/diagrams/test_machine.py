"""The whole machine: its parts, what is lit, its links, and how much it adds to a page."""

import gzip
import re
from xml.etree import ElementTree

import pytest
from chapter_facts import Chapter, Facts
from drawings import classes
from machine_map import Machine, machine_map

from lessons.kit.diagrams.machine import FLAG, PARTS, machine, machine_svg

LINKS = {part: (f"{i:02}_{part}.html", f"chapter {i}") for i, part in enumerate(PARTS)}


def lit(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [element for element in root.iter() if "tl-m-lit" in classes(element)]


def links(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.tag.endswith("}a")]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_lit_and_has_the_flag(part):
    root = ElementTree.fromstring(machine_svg([part], LINKS))
    shown = lit(root)
    assert {element.get("href") for element in shown} == {LINKS[part][0]}
    assert "".join(root.itertext()).count(FLAG) == 1
    assert PARTS[part] in root.get("aria-label")


def test_every_part_is_one_tab_stop_with_a_name():
    root = ElementTree.fromstring(machine_svg(["norm"], LINKS))
    stops = [a for a in links(root) if a.get("tabindex") != "-1"]
    names = {a.get("aria-label") for a in stops}
    assert len(stops) == len(PARTS)
    assert names == {f"{words}, {LINKS[part][1]}" for part, words in PARTS.items()}
    assert [a.get("aria-label") for a in stops if a.get("aria-current")] == [
        f"Normalization, {LINKS['norm'][1]}"
    ]
    repeated = [a for a in links(root) if a.get("tabindex") == "-1"]
    assert repeated and all(a.get("aria-hidden") == "true" for a in repeated)


def test_addresses_are_escaped():
    hostile = '"><script>', "<b>chapter</b>"
    svg = machine_svg([], {"norm": hostile})
    assert "<script" not in svg and "<b>" not in svg
    assert links(ElementTree.fromstring(svg))[0].get("href") == hostile[0]


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match=r"lit must be one of tokens, .*got 'engine'"):
        machine(["engine"])


def chapter(name: str, *parts: str) -> Chapter:
    return Chapter(name, name, Facts(minutes=1, promise="p", difficulty=1, lit=parts), ())


CHAPTERS = {
    c.name: c
    for c in (
        chapter("00_all_of_it", "encoder", "attention", "mask"),
        chapter("05_attention", "attention", "scores"),
        chapter("06_the_cat_sat", "scores"),
        chapter("07_scaling", "scores"),
        chapter("08_masks", "mask", "norm"),
        chapter("10_cost_and_order"),
    )
}


class Builder:
    def get_relative_uri(self, source: str, target: str) -> str:
        return f"{target}.html"


@pytest.mark.parametrize("parts", [(), ("mask",), tuple(PARTS)])
def test_the_map_adds_less_than_6_kib_to_a_page(parts):
    everything = {c.name: c for c in (chapter(f"{i:02}_{p}", p) for i, p in enumerate(PARTS))}
    text = machine_map(Builder(), "notebooks/05_attention", everything, parts).astext()
    assert len(gzip.compress(text.encode())) < 6 * 1024


def test_the_summary_names_the_parts_of_the_readers_chapter():
    text = machine_map(Builder(), "notebooks/08_masks", CHAPTERS, ("mask", "norm")).astext()
    assert "<summary>Where you are in the machine: masks, normalization</summary>" in text
    assert 'aria-label="Masks, chapter 08" aria-current="true"' in text
    assert re.search(r'href="notebooks/06_the_cat_sat.html" aria-label="Scores', text)


def test_the_directive_shows_the_large_drawing():
    (node,) = Machine.run(None)
    root = ElementTree.fromstring(re.search(r"<svg.*</svg>", node.astext())[0])
    words = {text.text for text in root.iter() if text.tag.endswith("}text")}
    assert {"embedding", "cross-attention", "linear, softmax", "Inside attention"} <= words
    assert links(root) == []
