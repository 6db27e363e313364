"""A book of three pages as the build leaves it, for the tests of the press."""

from pathlib import Path

FORMULA = (
    '<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML">'
    "<semantics><mrow><mi>x</mi></mrow>"
    '<annotation encoding="application/x-tex">x_1</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="mord">x</span></span></span>'
)
PREFACE = """<section id="a-book"><h1>A book<a class="headerlink" href="#a-book">#</a></h1>
<p>Go to <a href="../notebooks/01_first.html#second">the second part</a>, to
<a href="../notebooks/01_first.html">the chapter</a>, to <a href="../_sources/x.ipynb">a file</a> or
<a href="https://example.org/">elsewhere</a>.<br></p></section>"""
FIRST = f"""<section id="first"><h1>The first chapter: its long name &amp; more</h1>
<p>Here is {FORMULA}.</p>
<div class="tl-cover"><div class="tl-cover-bar" hidden>Covered</div>
<div class="tl-covered" id="answer-1"><script>hide()</script>
<p>The answer stands here.</p></div></div>
<div class="tl-host" data-figure="f"><div class="lf-static"><div class="tl-figure">
<svg viewBox="0 0 10 10" width="90" role="img" aria-label="a square">
<defs><marker id="tip"></marker></defs>
<path d="M0 0h9" marker-end="url(#tip)"></path></svg></div></div>
<script type="application/json">{{"a": "<b>"}}</script></div>
<section id="second"><span id="cell-2"></span><h2>The second part</h2>
<p>See <a href="../book/glossary.html#term-sum">the sum</a>.</p>
<img src="../_images/dot.png" alt="a dot" loading="lazy">
<div style="width: 900px">WIDE</div></section>
<section id="exercises"><h2>Exercises</h2>
<section id="exercise-1"><span id="cell-1"></span><h3>Exercise 1: add</h3>
<div class="cell tag_exercise"><div class="cell_input"><pre>add()</pre></div></div>
<div class="cell tag_hide-cell"><details><summary><p class="collapsed">Show a hint</p>
<p class="expanded">Hide it</p></summary><div class="cell_input"><pre>hints()</pre></div>
<p>Think.</p></details></div>
<div class="cell tag_hide-cell tag_solution"><details><summary><p class="collapsed">Show me</p>
<p class="expanded">Hide me</p></summary><div class="cell_input"><pre>solved()</pre></div>
<div class="cell_output">correct</div></details></div></section></section>
<div class="cell tag_hide-input"><details class="above-input"><summary>Show the code</summary>
<pre>draw()</pre></details><p>A drawing.</p></div><button>Press</button></section>"""
GLOSSARY = """<section id="glossary"><h1>Glossary</h1><dl><dt id="term-sum">sum</dt>
<dd>What addition gives. See <a href="#second">this page</a>.</dd></dl>
<section id="second"><h2>The same id</h2><p>Here too.</p></section></section>"""
PAGES = {"book/preface": PREFACE, "notebooks/01_first": FIRST, "book/glossary": GLOSSARY}
ORDER = [("", "book/preface"), ("Start", "notebooks/01_first"), ("Appendices", "book/glossary")]
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63f8ff"
    "ff3f0300080901018c2bf9870000000049454e44ae426082"
)


def write_pages(folder: Path) -> Path:
    """Write the built book into an empty folder, and return it."""
    for name, body in PAGES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        page = f'<html lang="en"><body><article class="bd-article">{body}</article></body></html>'
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    (folder / "_static").mkdir()
    (folder / "_static/pages.css").write_text("body { font-family: sans-serif }", encoding="utf-8")
    (folder / "_images").mkdir()
    (folder / "_images/dot.png").write_bytes(DOT)
    return folder
