"""Formulas on the built pages: drawn without a script, spoken, and the same in light and dark."""

import re

import pytest
from conftest import BOOK, CHAPTERS, PAGES

SHAPES = """() => [...document.querySelectorAll("article .katex-html")]
  .filter((formula) => formula.checkVisibility())
  .map((formula) => formula.getBoundingClientRect())
  .map(({ width, height }) => [Math.round(width), Math.round(height)])"""


def test_every_formula_is_drawn_and_can_be_spoken(plain):
    formulas = plain.locator("main .math")
    assert formulas.count() == plain.locator("main .math > :is(.katex, .katex-display)").count()
    silent = plain.locator("main .katex").evaluate_all("""(all) => all.filter((formula) => {
      const note = formula.querySelector(
        ":scope > .katex-mathml > math > semantics > annotation[encoding='application/x-tex']");
      return !note?.textContent || !formula.querySelector("[aria-hidden='true']");
    }).map((formula) => formula.textContent)""")
    assert silent == []
    text = plain.locator("main").inner_text()
    assert "\\(" not in text
    assert "\\[" not in text
    assert plain.locator(".katex-error").count() == 0


def test_no_page_knows_mathjax():
    assert len(CHAPTERS) > 1
    script = re.compile(r"""(?i:(src|href)=["'][^"']*mathjax)|window\.MathJax""")
    assert [name for name in PAGES if script.search((BOOK / name).read_text("utf-8"))] == []
    assert [path for path in BOOK.rglob("*") if "mathjax" in path.name.lower()] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_formulas_are_the_same_in_light_and_dark(open_page, name):
    light, dark = (open_page(name, theme=theme).evaluate(SHAPES) for theme in ("light", "dark"))
    assert light == dark
    assert light, "a chapter has formulas"
    assert all(width > 0 and height > 0 for width, height in light)


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("name", CHAPTERS[:2])
def test_the_fonts_of_formulas_come_with_the_stylesheet(open_page, name, scheme):
    fonts = open_page(name, scheme=scheme).evaluate("""() => [...document.fonts]
      .filter((font) => font.family.includes("KaTeX_") && font.status !== "unloaded")
      .map((font) => [font.family.replaceAll('"', ""), font.style, font.status])""")
    assert ["KaTeX_Main", "normal", "loaded"] in fonts
    assert ["KaTeX_Math", "italic", "loaded"] in fonts
    assert {status for _, _, status in fonts} <= {"loaded", "loading"}, "a font that failed"


@pytest.mark.parametrize("name", [name for name in CHAPTERS if "attention" in name])
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
