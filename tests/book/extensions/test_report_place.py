"""A page links to the issue forms of the repository that it is built from."""

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from docutils import nodes
from report_place import FORMS, UNKNOWN, ReportPlace, add_reports

PLACE = Path(__file__).parents[3] / ".github/ISSUE_TEMPLATE"
SETTINGS = ("GITHUB_REPOSITORY", "CI_PROJECT_URL", "BOOK_REPOSITORY", "BOOK_RELEASE")
TAGS = ("GITHUB_REF_TYPE", "GITHUB_REF_NAME", "CI_COMMIT_TAG")
ON_GITHUB = "https://github.com/ana/book"
ELSEWHERE = "https://git.example.org/ana/book"


@pytest.fixture(autouse=True)
def no_repository(monkeypatch):
    for name in SETTINGS + TAGS:
        monkeypatch.delenv(name, raising=False)


def form(name: str) -> dict:
    return yaml.safe_load((PLACE / name).read_text(encoding="utf-8"))


def reports(page: str = "notebooks/08_masks") -> list[tuple[str, str]]:
    """Return the links that a page gets."""
    context: dict = {}
    add_reports(SimpleNamespace(), page, "page.html", context, object())
    return context.get("reports", [])


def test_every_form_has_a_link_and_every_link_a_form():
    files = {path.name for path in PLACE.glob("*.yml")}
    assert files == {"config.yml", *(f"{name}.yml" for name in FORMS)}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_has_the_shape_that_github_reads(name):
    parsed = form(f"{name}.yml")
    assert parsed.keys() == {"name", "description", "title", "labels", "body"}
    assert parsed["name"] == FORMS[name]
    ids = [field["id"] for field in parsed["body"]]
    assert len(ids) == len(set(ids)) and ids[0] == "page"
    assert all(field["type"] in {"input", "textarea", "dropdown"} for field in parsed["body"])
    assert all(field["attributes"]["label"] for field in parsed["body"])


def test_a_page_fills_in_its_own_name(monkeypatch):
    monkeypatch.setenv("BOOK_REPOSITORY", ON_GITHUB)
    found = reports()
    assert [text for text, _ in found] == list(FORMS.values())
    for (_, address), name in zip(found, FORMS, strict=True):
        parts = urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{ON_GITHUB}/issues/new"
        fields = parse_qs(parts.query)
        assert fields == {"template": [f"{name}.yml"], "page": ["notebooks/08_masks"]}


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("", None),
        (ELSEWHERE, ELSEWHERE),
        (ON_GITHUB, f"{ON_GITHUB}/issues/new?template=broken-figure.yml"),
    ],
)
def test_the_accessibility_statement_names_where_to_report(monkeypatch, address, link):
    monkeypatch.setenv("BOOK_REPOSITORY", address)
    [paragraph] = ReportPlace.run(None)  # it reads the environment alone
    links = [node["refuri"] for node in paragraph.findall(nodes.reference)]
    assert links == ([link] if link else [])
    assert (paragraph.astext() == UNKNOWN) is (link is None)
