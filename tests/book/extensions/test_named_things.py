"""Named formulas, pictures, exercises, drills, terms and worked examples can be linked to."""

import json
import re
from pathlib import Path

import pytest
from chapter_facts import read_chapter
from chapter_pictures import pictures_in
from docutils import nodes
from docutils.utils import new_document
from named_formulas import Formula, place, read_formulas, without_spaces
from named_things import figures_in

from lessons.kit.diagrams import attention

ROOT = Path(__file__).parents[3]
FORMULAS = read_formulas()
MATH = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$]+?)\$", re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")


def formulas_of(chapter: str) -> list[str]:
    """Return the formulas in a chapter's notebook, without white space."""
    notebook = json.loads((ROOT / f"notebooks/{chapter}.ipynb").read_text(encoding="utf-8"))
    texts = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "markdown"]
    found = (match for text in texts for match in MATH.findall(CODE.sub("", text)))
    return [without_spaces(block or line) for block, line in found]


def test_at_least_40_formulas_in_20_chapters_have_a_name():
    assert len(FORMULAS) >= 40
    assert len({formula.chapter for formula in FORMULAS}) >= 20


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.anchor)
def test_named_formula_occurs_in_its_chapter(formula):
    wanted = without_spaces(formula.tex)
    assert any(wanted in written for written in formulas_of(formula.chapter))
    assert formula.says.endswith(".")


def page(*children: nodes.Node) -> nodes.document:
    document = new_document("page")
    document += list(children)
    return document


def test_a_named_formula_missing_from_its_chapter_is_refused():
    formula = Formula("Softmax", "05_attention", r"\frac{1}{2}", "Half.")
    with pytest.raises(
        ValueError, match=r"'Softmax' must stand in 05_attention, which has no .*frac"
    ):
        place([formula], page(nodes.math_block("", "x")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {name: A, chapter: x, tex: x}", "A: .*'says'"),
        ("- {name: A, chapter: x, tex: x, says: x, page: y}", "A: .*'page'"),
        ("- &one {name: A b, chapter: x, tex: x, says: x}\n- *one", "of its own, got {'form.*a-b'"),
    ],
)
def test_a_list_with_a_fault_is_refused(tmp_path, text, message):
    path = tmp_path / "formulas.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_formulas(path)


def output(cell: int, *children: nodes.Node) -> nodes.container:
    """Return a cell and its output."""
    box = nodes.container("", *children, nb_element="cell_code_output")
    return nodes.container("", box, nb_element="cell_code", cell_index=cell)


def test_pictures_are_found_with_their_kind_title_and_alternative_text():
    chapter = read_chapter(ROOT / "notebooks/08_masks.ipynb")
    live = nodes.raw("", '<div class="tl-host" data-figure="mask_lab"></div>', format="html")
    diagram = nodes.raw("", attention.lookup().to_html(), format="html")
    plot = nodes.image("", uri="a.png", alt="A line at 0.5. Dots above it.")
    silent = nodes.image("", uri="b.png")
    cells = [output(2, live), output(3, diagram), output(4, plot), output(5, silent)]
    found = list(pictures_in(chapter, page(*cells)))
    assert [(one.kind, one.name) for one in found] == [
        ("live", "mask_lab"),
        ("diagram", ""),
        ("plot", ""),
    ]
    assert found[1].title == "The attention of “bank”: one query, eleven keys, one mixture."
    assert found[1].words == attention.lookup().alt
    assert (found[2].title, found[2].words) == ("A line at 0.5.", "A line at 0.5. Dots above it.")
    ids = [f"figure-{chapter.cells[cell]['id']}" for cell in (2, 3, 4)]
    assert [one.anchor for one in found] == ids
    assert [cell[0]["ids"] for cell in cells] == [*([name] for name in ids), []]
    things = list(figures_in(chapter, page(*cells)))
    assert things[0].also == "live figure, mask lab, MaskLab"
    assert [cell[0]["ids"] for cell in cells] == [*([name] for name in ids), []]
