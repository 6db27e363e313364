"""The directive that shows the record of a benchmark, built by Sphinx in a small book."""

import json
import re

import measured
import pytest
from sphinx_app import build, pages, write

RECORD = {
    "title": "Speed",
    "machine": "a machine <b>",
    "note": "In milliseconds.",
    "rows": [
        {"what": "ours", "batch": 1, "ms": 2.5, "kind": "MB"},
        {"what": "theirs", "batch": 1, "ms": 30.0, "kind": "ms"},
    ],
}
PARTS = {"machine": "a card", "parts": [RECORD | {"title": "First"}, RECORD | {"title": "Second"}]}


def shown(tmp_path, monkeypatch, directive: str) -> tuple[str, str]:
    """Return the page with the directive, and what the build complained of."""
    results = tmp_path / "results"
    results.mkdir()
    for name, record in {"one": RECORD, "two": PARTS}.items():
        (results / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.setattr(measured, "RESULTS", results)
    book = tmp_path / "book"
    book.mkdir()
    write(book, ["measured"], {"index.md": f"# Book\n\n{directive}\n"})
    complaints = build(book)
    return pages(book)["index"], complaints


def cells(page: str) -> list[str]:
    found = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", page, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in found]


def test_a_record_is_a_table_with_its_machine_and_note(tmp_path, monkeypatch):
    page, complaints = shown(tmp_path, monkeypatch, "```{measured} one\n```")
    assert complaints == ""
    header, rows = ["what", "batch", "ms", "kind"], ["ours", "1", "2.5", "MB", "theirs", "1", "30"]
    assert cells(page) == [*header, *rows, "ms"]
    assert "In milliseconds." in page and "a machine &lt;b&gt;" in page


def test_options_choose_columns_and_rows(tmp_path, monkeypatch):
    directive = "```{measured} one\n:columns: what, ms\n:match: kind=MB\n```"
    page, complaints = shown(tmp_path, monkeypatch, directive)
    assert complaints == ""
    assert cells(page) == ["what", "ms", "ours", "2.5"]


def test_a_column_can_be_left_out(tmp_path, monkeypatch):
    directive = "```{measured} one\n:without: kind\n:match: kind=MB\n```"
    page, complaints = shown(tmp_path, monkeypatch, directive)
    assert complaints == ""
    assert cells(page) == ["what", "batch", "ms", "ours", "1", "2.5"]


def test_a_record_of_parts_is_one_table_each(tmp_path, monkeypatch):
    page, complaints = shown(tmp_path, monkeypatch, "```{measured} two\n```")
    assert complaints == ""
    assert page.count("<table") == 2 and "First" in page and "Second" in page


def test_without_a_record_the_page_shows_the_content_of_the_directive(tmp_path, monkeypatch):
    page, complaints = shown(tmp_path, monkeypatch, "```{measured} three\nNo record yet.\n```")
    assert complaints == ""
    assert "No record yet." in page and "<table" not in page


@pytest.mark.parametrize("option", [":columns: what, hours", ":match: kind=GB"])
def test_an_unknown_column_or_value_is_an_error(tmp_path, monkeypatch, option):
    _, complaints = shown(tmp_path, monkeypatch, f"```{{measured}} one\n{option}\n```")
    assert "one: " in complaints
