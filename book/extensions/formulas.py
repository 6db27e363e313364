"""Render every formula while the book is built: a page needs KaTeX's stylesheet and no script.

KaTeX runs in a JavaScript engine inside this process, so nothing but pip's packages is needed.
Each formula is written twice: as MathML, which a screen reader speaks, and as boxes to look at.
"""

import functools
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
# A letter of its own, plain or bold. The class gives it the colour that it has in the figures.
QKV = re.compile(r'<span class="(mord (?:mathnormal|mathbf)[^"]*)"([^>]*)>([QKV])</span>')
CLASSES = "math notranslate nohighlight"
# What follows a formula without a space must not begin the next line.
STOP = re.compile(r"[.,;:!?)\]’”]+|-\w+")
ONE_LINE = 40  # characters of a formula that may stay on one line with its stop
ALIGNED = r"\begin{aligned}%s\end{aligned}"


@functools.cache
def engine() -> MiniRacer:
    """Return the one engine of the build, KaTeX loaded."""
    context = MiniRacer()
    context.eval((KATEX / "katex.min.js").read_text("utf-8"))
    context.eval(RENDER)
    return context


@functools.cache
def render(tex: str, display: bool) -> str:
    """Return a formula as HTML, with MathML inside.

    Raises:
        ValueError: KaTeX refuses the formula; the message says where and why.
    """
    answer = engine().call("render", tex, display)
    if "refusal" in answer:
        raise ValueError(f"{answer['refusal']}, in the formula {tex!r}")
    return QKV.sub(colored, answer["html"])


def colored(letter: re.Match) -> str:
    """Return the span of a Q, K or V with the class of its colour."""
    classes, rest, name = letter.groups()
    return f'<span class="{classes} letter-{name.lower()}"{rest}>{name}</span>'


def lines_of(tex: str) -> str:
    """Return a formula of several lines as one that KaTeX aligns.

    A blank line starts another line, as in Sphinx; a formula with `\\` has its lines already.
    """
    parts = [part.strip() for part in tex.split("\n\n") if part.strip()]
    if len(parts) > 1:
        return ALIGNED % r"\\".join(parts)
    return ALIGNED % tex if needs_lines(tex) else tex


def needs_lines(tex: str) -> bool:
    """Return whether a formula breaks its lines outside every environment."""
    return r"\\" in re.sub(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", "", tex, flags=re.DOTALL)


def put(translator: HTML5Translator, tex: str, display: bool) -> None:
    """Write a rendered formula, or end the build with page and formula named."""
    try:
        translator.body.append(render(tex, display))
    except ValueError as refusal:
        page = translator.builder.current_docname
        raise ExtensionError(f"{page}: {refusal}") from None


def keep_stops(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put each short formula and the stop behind it into one piece that no line breaks."""
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
    """Write a formula on a line of its own, with its number if it has one."""
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
    """Let the engine go when the build is over."""
    if engine.cache_info().currsize:
        engine().close()
        engine.cache_clear()


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.connect("doctree-resolved", keep_stops)
    app.connect("build-finished", close)
