"""Render every formula at build time, so that a page needs KaTeX's stylesheet but no script.

KaTeX runs in a JavaScript engine inside this process, so only packages from pip are needed. Each
formula is written twice: as MathML for screen readers, and as HTML boxes for display.
"""

import functools
import os
import re
from pathlib import Path

from docutils import nodes
from py_mini_racer import MiniRacer
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.locale import get_translation
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

KATEX = Path(__file__).parent / "katex"
RENDER = """
function render(tex, displayMode) {
  try {
    return { html: katex.renderToString(tex, { displayMode, strict: "error" }) };
  } catch (error) {
    return { refusal: error.message };
  }
}
"""
# A single letter, plain or bold. The class gives it the same colour as in the figures.
QKV = re.compile(r'<span class="(mord (?:mathnormal|mathbf)[^"]*)"([^>]*)>([QKV])</span>')
CLASSES = "math notranslate nohighlight"
# Punctuation that follows a formula without a space must not start the next line.
STOP = re.compile(r"[.,;:!?)\]’”]+|-\w+")
ONE_LINE = 40  # the longest formula, in characters, that is kept on one line with its punctuation
ALIGNED = r"\begin{aligned}%s\end{aligned}"


def engine() -> MiniRacer:
    """Return the engine that all pages of this process share, with KaTeX loaded.

    Sphinx writes pages in forked processes. There the engine of the parent would never answer,
    because its thread is not copied.
    """
    return _engine(os.getpid())


@functools.cache
def _engine(process: int) -> MiniRacer:
    context = MiniRacer()
    context.eval((KATEX / "katex.min.js").read_text("utf-8"))
    context.eval(RENDER)
    return context


@functools.cache
def render(tex: str, display: bool) -> str:
    """Return a formula as HTML, with MathML inside.

    Raises:
        ValueError: KaTeX rejects the formula; the message says where and why.
    """
    answer = engine().call("render", tex, display)
    if "refusal" in answer:
        raise ValueError(f"{answer['refusal']}, in the formula {tex!r}")
    return QKV.sub(colored, answer["html"])


def colored(letter: re.Match) -> str:
    """Return the span of a Q, K or V with the class that colours it."""
    classes, rest, name = letter.groups()
    return f'<span class="{classes} letter-{name.lower()}"{rest}>{name}</span>'


def lines_of(tex: str) -> str:
    """Wrap a formula of several lines in an environment in which KaTeX aligns them.

    A blank line starts a new line, as in Sphinx. A formula with `\\` already has its lines.
    """
    parts = [part.strip() for part in tex.split("\n\n") if part.strip()]
    if len(parts) > 1:
        return ALIGNED % r"\\".join(parts)
    return ALIGNED % tex if needs_lines(tex) else tex


def needs_lines(tex: str) -> bool:
    """Return whether a formula breaks lines outside of any environment."""
    return r"\\" in re.sub(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", "", tex, flags=re.DOTALL)


def put(translator: HTML5Translator, tex: str, display: bool) -> None:
    """Write a rendered formula, or stop the build with an error that names page and formula."""
    try:
        translator.body.append(render(tex, display))
    except ValueError as refusal:
        page = translator.builder.current_docname
        raise ExtensionError(f"{page}: {refusal}") from None


def keep_stops(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Wrap each short formula and the punctuation after it, so that no line break divides them."""
    for formula in list(doctree.findall(nodes.math)):
        line, place = formula.parent, formula.parent.index(formula)
        after = line[place + 1] if place + 1 < len(line) else None
        if not isinstance(after, nodes.Text) or len(formula.astext()) > ONE_LINE:
            continue
        if stop := STOP.match(after):
            whole = nodes.inline("", "", formula, nodes.Text(stop[0]), classes=["tl-whole"])
            line[place : place + 2] = [whole, nodes.Text(after[stop.end() :])]


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(translator.starttag(node, "span", "", CLASS=CLASSES))
    put(translator, node.astext(), display=False)
    translator.body.append("</span>")
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula, with its number if it has one."""
    translator.body.append(translator.starttag(node, "div", CLASS=CLASSES))
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, get_translation("sphinx")("Link to this equation"))
        translator.body.append("</span>")
    put(translator, node.astext() if node["nowrap"] else lines_of(node.astext()), display=True)
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def close(app: Sphinx, exception: Exception | None) -> None:
    """Close the engine when the build is over."""
    if _engine.cache_info().currsize:
        engine().close()
        _engine.cache_clear()


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.connect("doctree-resolved", keep_stops)
    app.connect("build-finished", close)
