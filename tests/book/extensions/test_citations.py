"""Links of a chapter to the references become citations, and a wrong one is reported."""

import re
from pathlib import Path

import pytest
from citations import as_roles
from pybtex.database import parse_file, parse_string
from sphinx_app import build, notebook, pages, write

ROOT = Path(__file__).parents[3]
WORKS = parse_file(str(ROOT / "book/references.bib")).entries
BIB = "../book/references.bib#"
VASWANI = f"[Vaswani et al., 2017]({BIB}vaswani2017attention)"
# A work's one address, which the bibliography prints as a link: of arXiv the number alone.
ADDRESS = {
    "eprint": r"\d{4}\.\d{4,5}",
    "doi": r"10\.\d{4,}/\S+",
    "url": r"https://(?!arxiv\.org|doi\.org)\S+",
}
NOTES = f"[Handwritten notes]({BIB}notesintro)"


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
def test_wrong_citation_is_reported(text, complaint):
    said = []
    as_roles(text, WORKS, said.append)
    assert complaint in "".join(said)


def unreachable(works):
    """Return the works, except lecture documents, without exactly one well-formed address."""
    lost = []
    for key, work in works.items():
        ways = [name for name in ADDRESS if name in work.fields]
        reached = len(ways) == 1 and re.fullmatch(ADDRESS[ways[0]], work.fields[ways[0]])
        if not reached and work.fields.get("keywords") != "document":
            lost.append(key)
    return lost


def test_every_work_has_an_address():
    assert unreachable(WORKS) == []


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ("eprint={1706.03762}", []),
        ("doi={10.1162/neco.1997.9.8.1735}", []),
        ("url={https://example.org/paper.pdf}", []),
        ("keywords={document}", []),
        ("note={arXiv:1706.03762}", ["work"]),
        ("eprint={arXiv:1706.03762}", ["work"]),
        ("url={https://arxiv.org/abs/1706.03762}", ["work"]),
        ("doi={10.1162/neco.1997.9.8.1735}, url={https://example.org/paper.pdf}", ["work"]),
    ],
)
def test_a_work_without_an_address_is_found(fields, lost):
    assert unreachable(parse_string(f"@misc{{work, {fields}}}", "bibtex").entries) == lost


def test_the_page_links_to_the_bibliography(tmp_path):
    files = {
        "book/references.bib": (ROOT / "book/references.bib").read_text("utf-8"),
        "index.md": "# Works\n\n```{toctree}\nnotebooks/a\n```\n\n```{bibliography}\n```\n",
        "notebooks/a.ipynb": notebook({"a": f"# A chapter\n\nIt is attention ({VASWANI}).\n"}),
    }
    settings = {
        "bibtex_bibfiles": ["book/references.bib"],
        "bibtex_reference_style": "author_year",
    }
    book = write(tmp_path, ["sphinxcontrib.bibtex", "citations"], files, **settings)
    assert build(book, "-W", "-n") == ""
    page, works = pages(book)["a"], pages(book)["index"]
    assert '[<a class="reference internal" href="../index.html#id' in page
    assert ">Vaswani <em>et al.</em>, 2017</a>]" in page
    assert 'href="https://arxiv.org/abs/1706.03762">arXiv:1706.03762</a>' in works
