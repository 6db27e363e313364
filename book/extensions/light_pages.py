"""Make the pages light: one small stylesheet, deferred scripts and lazily loaded pictures.

The theme and its extensions bring nine stylesheets, and most of their rules are for parts that this
book does not have. Once all pages are written, `pages.css` is made from the rules that they use.
KaTeX's fonts are cut to the characters of the book's formulas. The two fonts that most formulas
need are embedded in the stylesheet, so that no line moves when a font arrives.
"""

import base64
import hashlib
import html
import io
import logging
import posixpath
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fontTools import subset
from formulas import KATEX
from PIL import Image
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging as sphinx_logging
from stylesheet import (
    drop_unread,
    drop_unused,
    faces,
    names_in_page,
    names_in_script,
    purge,
    rebase,
)

logging.getLogger("fontTools").setLevel(logging.ERROR)  # no warnings about dates in fonts
logger = sphinx_logging.getLogger(__name__)

SHEET = "pages.css"
THEME = ["styles/theme.css", "styles/pydata-sphinx-theme.css"]
IMAGE = re.compile(r'<img\b(?=[^>]*\bsrc="([^"]+)")(?![^>]*\bloading=)[^>]*?(?=\s*/?>)')
# From a formula to the end of its block. A few extra words do no harm.
FORMULA = re.compile(
    r'<span class="katex-html".*?(?=</(?:p|div|li|h\d|t[dh]|d[dt])>|\Z)', re.DOTALL
)
# Code whose colour is that of plain text: half of all elements of a chapter.
PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>|<span></span>')
LINK = re.compile(rf'_static/{re.escape(SHEET)}(\?v=\w+)?"')
HANDLER = re.compile(r'(<button\b) onclick="[^"]*"')  # shell.js listens instead
IMPORT = re.compile(r"""@import\s+(?:url\()?["']([^"']+)["']\)?\s*;""")
LOOK = re.compile(
    r',"complete"===document\.readyState\?(\w)\(\):window\.addEventListener\("load",\1\)'
)
REPLACEMENT = "/* shell.js looks */"
# Each script, a text that identifies the known version, the costly code and its replacement.
SLOW_CODE = [("pydata-sphinx-theme.js", "tabIndex=e.scrollWidth", LOOK, REPLACEMENT)]
# Scripts that no page loads; they name many classes.
UNUSED = ("bootstrap.js", "fontawesome.js")
INLINE = {"KaTeX_Main-Regular", "KaTeX_Math-Italic"}
LETTERS = {"KaTeX_Math-Italic"}  # formulas set nothing else in it
FACE_FILE = re.compile(r"fonts/(KaTeX_[\w-]+)\.woff\b")


def reduce_page(app: Sphinx, pagename: str, templatename: str, context: dict, *_: object) -> None:
    """Defer the scripts of a page, and make its pictures and its code light."""
    context["stylesheet"] = f"_static/{SHEET}"
    context["script_files"] = [
        script for script in context["script_files"] if not is_option(script)
    ]
    if pagename != "search":  # its own scripts do not wait for others
        context["script_files"] = [deferred(script) for script in context["script_files"]]
    if "body" in context:
        sources = {
            Path(name).name: Path(app.srcdir, uri) for uri, name in app.builder.images.items()
        }
        body = IMAGE.sub(lambda image: sized(image, sources), context["body"])
        context["body"] = PLAIN.sub(r"\1", body)


def is_option(script: Any) -> bool:
    """Return whether an inline script sets options that only the theme's version menu reads."""
    return script.attributes.get("body", "").strip().startswith("DOCUMENTATION_OPTIONS.")


def deferred(script: Any) -> Any:
    """Return the script with `defer`: it runs once the page is parsed, in order."""
    later = {"defer": "defer"} if script.filename else {"type": "module"}
    return type(script)(script.filename, priority=script.priority, **script.attributes | later)


def stylesheets(builder: StandaloneHTMLBuilder) -> list[str]:
    """Return the stylesheets of a page, in loading order."""
    ordered = sorted(builder._css_files, key=lambda sheet: sheet.priority)
    return [*THEME, *(str(sheet.filename) for sheet in ordered)]


def sized(image: re.Match, sources: dict[str, Path]) -> str:
    """Return the start of an `<img>` with its size, which loads when it comes near the screen."""
    size = size_of(sources.get(Path(image[1]).name))
    start = f'{image[0]} loading="lazy" decoding="async"'
    if size is None or " width=" in image[0]:
        return start
    return f'{start} width="{size[0]}" height="{size[1]}"'


def size_of(path: Path | None) -> tuple[int, int] | None:
    """Return the width and height of a PNG; None for anything else."""
    if path is None or path.suffix != ".png":
        return None
    with Image.open(path) as picture:
        return picture.size


def write_sheet(app: Sphinx, exception: Exception | None) -> None:
    """Write the stylesheet from the finished pages, and write its version into each page."""
    builder = app.builder
    if exception or not isinstance(builder, StandaloneHTMLBuilder):
        return
    static = Path(app.outdir, "_static")
    pages = {path: path.read_text("utf-8") for path in Path(app.outdir).rglob("*.html")}
    replace_slow_code(static)
    shrink_pictures(Path(app.outdir, "_images"))
    names = names_of(pages.values(), static)
    texts = [read(static, name) for name in stylesheets(builder)]
    texts.append((KATEX / "katex.min.css").read_text("utf-8"))
    css = drop_unread(drop_unused(purge("\n".join(texts), names)), names)
    css = with_fonts(css, formula_text(pages.values()), static)
    (static / SHEET).write_text(css, "utf-8")
    version = hashlib.sha256(css.encode()).hexdigest()[:8]
    for path, page in pages.items():
        page = HANDLER.sub(r"\1", LINK.sub(f'_static/{SHEET}?v={version}"', page))
        path.write_text(page, "utf-8")


def shrink_pictures(folder: Path) -> None:
    """Store each plot with a palette of 256 colours, which takes a third of the bytes."""
    for path in folder.glob("*.png"):
        with Image.open(path) as picture:
            if picture.mode != "P":
                picture.convert("RGBA").quantize(256, Image.Quantize.FASTOCTREE).save(
                    path, optimize=True
                )


def replace_slow_code(static: Path) -> None:
    """Replace code in the theme's script that scans the whole page whenever a figure changes.

    It lays out the page again for each box, which `shell.js` does better. A second build finds the
    script already changed.
    """
    for name, sign, costly, better in SLOW_CODE:
        path = static / "scripts" / name
        code = path.read_text("utf-8")
        if REPLACEMENT in code:
            continue
        if sign not in code or not costly.search(code):
            logger.warning("%s has changed: light_pages.py knows another one", name)
        path.write_text(costly.sub(better, code), "utf-8")


def names_of(pages: Iterable[str], static: Path) -> set[str]:
    """Return every name that occurs in a page or that a script may add."""
    names: set[str] = set()
    for page in pages:
        names |= names_in_page(page)
    for path in static.rglob("*.js"):
        if path.name not in UNUSED and "assets" not in path.parts:
            names |= names_in_script(path.read_text("utf-8"))
    return names


def read(static: Path, name: str) -> str:
    """Return a stylesheet with its imports inlined and its files named relative to `_static`.

    The theme's icon font is left out, because `icons.css` replaces it.
    """
    css = (static / name.removeprefix("_static/")).read_text("utf-8")
    folder = posixpath.dirname(name)
    css = rebase(re.sub(r"@font-face\s*\{[^}]*Awesome[^}]*\}", "", css), folder)
    return IMPORT.sub(lambda sheet: read(static, posixpath.normpath(f"{folder}/{sheet[1]}")), css)


def formula_text(pages: Iterable[str]) -> str:
    """Return all characters that occur in formulas, and perhaps a few more."""
    shown = (match[0] for page in pages for match in FORMULA.finditer(page))
    return "".join(sorted(set(html.unescape(re.sub(r"<[^>]*>", "", "".join(shown))))))


def with_fonts(css: str, text: str, static: Path) -> str:
    """Return the stylesheet with KaTeX's fonts cut to the text, embedded or as separate files."""
    (static / "fonts").mkdir(exist_ok=True)
    for face, family in faces(css):
        if family.startswith("KaTeX_"):
            name = FACE_FILE.search(face)[1]
            shown = "".join(filter(str.isalpha, text)) if name in LETTERS else text
            font = cut(KATEX / f"fonts/{name}.woff", shown)
            url = f"fonts/{name}.woff?v={hashlib.sha256(font).hexdigest()[:8]}"
            if name in INLINE:
                url = f"data:font/woff;base64,{base64.b64encode(font).decode()}"
            else:
                (static / f"fonts/{name}.woff").write_bytes(font)
            css = css.replace(face, re.sub(r"src:.*?(?=[;}])", f'src:url("{url}")', face))
    return css


def cut(path: Path, text: str) -> bytes:
    """Return a font with only the characters of a text."""
    options = subset.Options(flavor="woff", hinting=False, desubroutinize=True)
    font = subset.load_font(str(path), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(font)
    file = io.BytesIO()
    subset.save_font(font, file, options)
    font.close()
    return file.getvalue()


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", reduce_page, priority=900)
    # The theme has written its own stylesheet by then.
    app.connect("build-finished", write_sheet, priority=900)
