"""What the build does to pictures and fonts."""

import io
from pathlib import Path

import pydata_sphinx_theme
import pytest
from fontTools.ttLib import TTFont
from formulas import KATEX, render
from light_pages import IMAGE, LOOK, QUIETED, cut, formula_text, quiet, sized
from matplotlib.figure import Figure


@pytest.fixture
def picture(tmp_path) -> Path:
    path = tmp_path / "plot.png"
    Figure(figsize=(3, 2), dpi=50).savefig(path)
    return path


def after(tag: str, sources: dict[str, Path]) -> str:
    return IMAGE.sub(lambda image: sized(image, sources), tag)


def test_a_picture_waits_and_holds_its_place(picture):
    tag = '<img alt="a < b" src="../_images/plot.png" />'
    wanted = ' loading="lazy" decoding="async" width="150" height="100" />'
    assert after(tag, {"plot.png": picture}) == tag.removesuffix(" />") + wanted
    assert after(after(tag, {"plot.png": picture}), {}) == after(tag, {"plot.png": picture})


def test_a_size_that_is_given_stays(picture):
    tag = '<img src="plot.png" width="30">'
    assert after(tag, {"plot.png": picture}).count("width=") == 1
    assert "height" not in after('<img src="other.svg">', {"other.svg": Path("other.svg")})


def test_a_font_keeps_the_characters_of_the_formulas():
    pages = [render(tex, display) for tex, display in (("x + 1", False), (r"\sqrt{y}", True))]
    text = formula_text(pages)
    assert set("x+1y") <= set(text)
    assert not set("<>z") & set(text)  # markup is no text
    font = KATEX / "fonts/KaTeX_Main-Regular.woff"
    small = TTFont(io.BytesIO(cut(font, text))).getBestCmap()
    assert set("x+1y") <= {chr(code) for code in small} <= set(text)


def test_a_cut_font_is_the_same_every_time():
    font = KATEX / "fonts/KaTeX_Math-Italic.woff"
    assert cut(font, "QKV") == cut(font, "QKV")
    assert len(cut(font, "QKV")) < font.stat().st_size / 4


def test_the_themes_script_is_the_one_that_is_known(tmp_path):
    name = "scripts/pydata-sphinx-theme.js"
    folder = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
    code = (folder / name).read_text(encoding="utf-8")
    assert len(LOOK.findall(code)) == 1
    (tmp_path / "scripts").mkdir()
    (tmp_path / name).write_text(code, encoding="utf-8")
    quiet(tmp_path)
    less = (tmp_path / name).read_text(encoding="utf-8")
    assert LOOK.search(less) is None
    assert len(code) - len(less) == len(LOOK.search(code)[0]) - len(QUIETED)


def test_a_second_build_finds_the_script_as_the_first_left_it(tmp_path, caplog):
    path = tmp_path / "scripts/pydata-sphinx-theme.js"
    path.parent.mkdir()
    path.write_text(',"complete"===document.readyState?t():window.addEventListener("load",t)')
    quiet(tmp_path)
    assert "the theme's script has changed" in caplog.text, "this one lays nothing out"
    first = path.read_text()
    caplog.clear()
    quiet(tmp_path)
    assert path.read_text() == first and not caplog.text
