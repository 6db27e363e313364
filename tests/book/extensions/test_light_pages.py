"""The build makes pictures load lazily, and cuts fonts and scripts."""

import io
import shutil
from pathlib import Path

import pydata_sphinx_theme
import pytest
from fontTools.ttLib import TTFont
from formulas import KATEX, render
from light_pages import IMAGE, PLAIN, SLOW_CODE, cut, formula_text, replace_slow_code, sized
from matplotlib.figure import Figure


@pytest.fixture
def picture(tmp_path) -> Path:
    path = tmp_path / "plot.png"
    Figure(figsize=(3, 2), dpi=50).savefig(path)
    return path


def after(tag: str, sources: dict[str, Path]) -> str:
    return IMAGE.sub(lambda image: sized(image, sources), tag)


def test_pictures_load_lazily_and_state_their_size(picture):
    tag = '<img alt="a < b" src="../_images/plot.png" />'
    wanted = ' loading="lazy" decoding="async" width="150" height="100" />'
    assert after(tag, {"plot.png": picture}) == tag.removesuffix(" />") + wanted
    assert after(after(tag, {"plot.png": picture}), {}) == after(tag, {"plot.png": picture})


def test_a_font_keeps_the_characters_of_the_formulas():
    pages = [render(tex, display) for tex, display in (("x + 1", False), (r"\sqrt{y}", True))]
    text = formula_text(pages)
    assert set("x+1y") <= set(text)
    assert not set("<>z") & set(text)  # markup is not text
    font = KATEX / "fonts/KaTeX_Main-Regular.woff"
    small = TTFont(io.BytesIO(cut(font, text))).getBestCmap()
    assert set("x+1y") <= {chr(code) for code in small} <= set(text)


def test_code_in_the_colour_of_the_text_needs_no_elements():
    code = '<pre><span></span><span class="n">x</span><span class="o">=</span><span>1</span>'
    light = '<pre>x<span class="o">=</span><span>1</span>'
    assert PLAIN.sub(r"\1", code) == PLAIN.sub(r"\1", light) == light


@pytest.fixture
def scripts(tmp_path):
    """Provide the theme's scripts by name, as a build begins with them."""
    folder = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static/scripts"
    (tmp_path / "scripts").mkdir()
    return [Path(shutil.copy(folder / name, tmp_path / "scripts")) for name, *_ in SLOW_CODE]


def test_only_the_costly_code_in_the_themes_scripts_is_replaced(tmp_path, scripts):
    before = [path.read_text(encoding="utf-8") for path in scripts]
    replace_slow_code(tmp_path)
    for code, path, (_, _, costly, better) in zip(before, scripts, SLOW_CODE, strict=True):
        [found] = costly.finditer(code)
        less = path.read_text(encoding="utf-8")
        assert less == code[: found.start()] + found.expand(better) + code[found.end() :]
        assert costly.search(less) is None
