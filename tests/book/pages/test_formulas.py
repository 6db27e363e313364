"""Formulas on the built pages: drawn without a script, spoken, and the same in light and dark."""

import pytest
from conftest import BOOK, CHAPTER, CHAPTERS, PAGES
from live import in_theme
from lxml import html

SHAPES = """() => [...document.querySelectorAll("article .katex-html")]
  .filter((formula) => formula.checkVisibility())
  .map((formula) => formula.getBoundingClientRect())
  .map(({ width, height }) => [Math.round(width), Math.round(height)])"""


def classed(name: str) -> str:
    """Return an XPath condition: the element has a class of this name."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


@pytest.mark.parametrize("name", PAGES)
def test_every_formula_is_drawn_and_can_be_spoken(name):
    main = html.parse(BOOK / name).getroot().find(".//main")
    formulas = main.xpath(f".//*[{classed('math')}]")
    for formula in formulas:
        katex = formula.xpath(f"*[{classed('katex')} or {classed('katex-display')}]")
        assert katex, f"not drawn: {formula.text_content()}"
    for drawn in main.xpath(f".//*[{classed('katex')}]"):
        spoken = drawn.xpath(
            f"*[{classed('katex-mathml')}]/math/semantics/annotation"
            "[@encoding='application/x-tex' and normalize-space()]"
        )
        assert spoken and drawn.xpath(".//*[@aria-hidden='true']"), drawn.text_content()
    assert not main.xpath(f".//*[{classed('katex-error')}]")
    text = main.text_content()
    assert "\\(" not in text and "\\[" not in text


@pytest.mark.parametrize("name", CHAPTERS)
def test_formulas_are_the_same_in_light_and_dark(touched, name):
    page = touched(name, "desk")
    light = page.evaluate(SHAPES)
    with in_theme(page, "dark"):
        assert page.evaluate(SHAPES) == light
    written = (BOOK / name).read_text(encoding="utf-8")
    assert bool(light) == ('class="katex' in written)
    assert all(width > 0 and height > 0 for width, height in light)


@pytest.mark.parametrize("name", [CHAPTER])
def test_q_k_and_v_have_the_figures_colours(desk):
    drawn, wanted = desk.evaluate("""() => ["q", "k", "v"].map((letter) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = `var(--tl-${letter})`;
      const wanted = getComputedStyle(probe).color;
      probe.remove();
      return [getComputedStyle(document.querySelector(`.katex .letter-${letter}`)).color, wanted];
    }).reduce(([a, b], [c, d]) => [[...a, c], [...b, d]], [[], []])""")
    assert drawn == wanted
    assert len(set(wanted)) == 3
