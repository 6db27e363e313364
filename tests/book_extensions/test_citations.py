"""Links of a chapter to the references become citations, and a wrong one is told."""

import json
from pathlib import Path

import pytest
from citations import as_roles
from pybtex.database import parse_file
from sphinx_here import build

ROOT = Path(__file__).parents[2]
WORKS = parse_file(str(ROOT / "book/references.bib")).entries
BIB = "../book/references.bib#"
VASWANI = f"[Vaswani et al., 2017]({BIB}vaswani2017attention)"
NOTES = f"[Handwritten notes]({BIB}notesintro)"
CONF = """
extensions = ["myst_nb", "sphinxcontrib.bibtex", "citations"]
bibtex_bibfiles = ["book/references.bib"]
bibtex_reference_style = "author_year"
nb_execution_mode = "off"
"""


@pytest.mark.parametrize(
    ("text", "role"),
    [
        (f"as ({VASWANI}) say", "as {cite}`vaswani2017attention` say"),
        (f"({VASWANI}; {NOTES})", "{cite}`vaswani2017attention,notesintro`"),
        (
            f"[Press et al. (2022)]({BIB}press2022alibi) measured",
            "{cite:t}`press2022alibi` measured",
        ),
        (f"{NOTES}, line 8", "{cite:t}`notesintro`, line 8"),
        ("[a chapter](08_masks.ipynb) (and text)", "[a chapter](08_masks.ipynb) (and text)"),
    ],
)
def test_a_link_becomes_a_role(text, role):
    said = []
    assert (as_roles(text, WORKS, said.append), said) == (role, [])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"([Vaswani, 2016]({BIB}vaswani2017attention))", f"as in ({VASWANI}), got ([Vaswani,"),
        (f"([Vaswani et\nal., 2017]({BIB}vaswani2017attention))", "must be a link on one line"),
    ],
)
def test_a_wrong_citation_is_told(text, complaint):
    said = []
    as_roles(text, WORKS, said.append)
    assert complaint in "".join(said)


def test_the_page_links_to_the_bibliography(tmp_path):
    for name in ("book", "notebooks"):
        (tmp_path / name).mkdir()
    (tmp_path / "conf.py").write_text(CONF, "utf-8")
    (tmp_path / "book/references.bib").write_bytes((ROOT / "book/references.bib").read_bytes())
    (tmp_path / "index.md").write_text(
        "# Works\n\n```{toctree}\nnotebooks/a\n```\n\n```{bibliography}\n```\n", "utf-8"
    )
    text = f"# A chapter\n\nIt is attention ({VASWANI}).\n"
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}}
    cells = [{"cell_type": "markdown", "metadata": {}, "source": text.splitlines(True)}]
    (tmp_path / "notebooks/a.ipynb").write_text(json.dumps(notebook | {"cells": cells}), "utf-8")
    assert build(tmp_path, "-W", "-n") == ""
    page = (tmp_path / "_build/html/notebooks/a.html").read_text("utf-8")
    assert '[<a class="reference internal" href="../index.html#id' in page
    assert ">Vaswani <em>et al.</em>, 2017</a>]" in page
