"""The pages about a class show submissions as text and run nothing of them."""

from html.parser import HTMLParser

import pytest
from graded_class import ANSWER, MARKUP, NO_KEY, PLAN, RENAMED, graded, mark, whole_class

from classroom import pages
from classroom.markup import Markup, element
from classroom.reports import (
    feedback_names,
    groups_of,
    write_reports,
)


class Read(HTMLParser):
    """Collects the elements and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


def text_of(page):
    return " ".join(" ".join(Read(page).texts).split())


def with_answers(*answers):
    """A class in which some answers are the same."""
    names = ("Ada", "Bea", "Cleo", "Dora")
    return [
        graded(name, str(number), marks={"attention.contextual": mark(2.0, 2.0, answer)})
        for number, (name, answer) in enumerate(zip(names, answers, strict=False))
    ]


def test_text_is_escaped():
    assert element("p", MARKUP, title='"><b>') == (
        '<p title="&quot;&gt;&lt;b&gt;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</p>'
    )
    assert element("p", [element("b", "<"), " & "], class_="x", id="") == (
        '<p class="x"><b>&lt;</b> &amp; </p>'
    )
    assert isinstance(element("p"), Markup)


@pytest.mark.parametrize("letter", "\u202e\u2066\x1b\u200b\ufeff\x07\ud800\u2028")
def test_invisible_characters_are_made_visible(letter, tmp_path):
    code = f"[U+{ord(letter):04X}]"
    hostile = graded(
        f"A{letter}da",
        f"1{letter}",
        notes=(f"x{letter}",),
        marks={"attention.contextual": mark(0.0, 2.0, f"x = '{letter}'\n" + ANSWER)},
    )
    write_reports(tmp_path, [hostile, hostile], PLAN)
    for path in tmp_path.rglob("*.*"):
        assert letter.encode(errors="replace") == b"?" or letter not in path.read_text()
    told = (tmp_path / "teacher.html").read_text()
    assert f"A{code}da" in told and f"x{code}" in told and f"x = &#x27;{code}&#x27;" in told
    kept = "Zoë\u200c\u200d 李明\u00a0x\n\t"
    assert element("p", kept) == f"<p>{kept}</p>"


def test_feedback_page_shows_messages_and_runs_no_script():
    one, other = whole_class()[2], whole_class()[0]
    page = pages.feedback_page(one, PLAN)
    tags = [tag for tag, _ in Read(page).elements]
    assert "script" not in tags and tags.count("h2") == 2
    assert not [a for _, attributes in Read(page).elements for a in attributes if a[:2] == "on"]
    assert MARKUP in text_of(page) and "0 of 3 points" in text_of(page)
    assert "default-src 'none'" in page
    assert other.student.name not in page


def test_the_teachers_page_counts(tmp_path):
    write_reports(tmp_path, whole_class(), PLAN)
    page = (tmp_path / "teacher.html").read_text(encoding="utf-8")
    told = text_of(page)
    assert "6 submissions" in told
    # Zoë, the one with markup, and the late one lack points in the first; two in the second.
    soft, whole = "05 Attention: A soft look-up", "05 Attention: A whole batch of sentences"
    assert f"3 {soft} Lesson plan {NO_KEY} Zoë Ångström {MARKUP} =HYPERLINK" in told
    assert f"2 {whole} Lesson plan {NO_KEY} {MARKUP} Ada Lovelace" in told
    assert "attention.soft_lookup" not in told
    # Of 3, 2, 0, 2.5, 3 and 1 points.
    assert "Mean 1.92, median 2.25, spread 1.1." in told
    assert "a second file was left out" in told and "late" in told
    links = [a["href"] for tag, a in Read(page).elements if tag == "a"]
    pages_of = {link for link in links if "lesson" not in link and not link.startswith("file:")}
    assert len(pages_of) == 6
    assert all((tmp_path / link).is_file() for link in pages_of)
    assert "script" not in {tag for tag, _ in Read(page).elements}


def test_similar_answers_are_shown_side_by_side(tmp_path):
    found = with_answers(ANSWER, "def contextual(x): return x", RENAMED)
    (group,) = groups_of(found, PLAN)
    assert group.students == ("000000", "000002")
    write_reports(tmp_path, found, PLAN)
    told = text_of((tmp_path / "teacher.html").read_text(encoding="utf-8"))
    assert f"sentences: Ada, Cleo; the same; 2 of 3 answers; length {group.own}" in told
    assert "# mine alone" in told


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Zoë Ångström", "feedback/zoe-angstrom.html"),
        ("../../etc/passwd", "feedback/etc-passwd.html"),
        ("李明", "feedback/student.html"),
        ("a" * 300, f"feedback/{'a' * 60}.html"),
    ],
)
def test_feedback_files_have_plain_names(name, file):
    assert feedback_names([graded(name)]) == [file]
