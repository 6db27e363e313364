"""The pages about a class hold what was handed in as text, and run nothing."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from graded_class import ANSWER, MARKUP, NO_KEY, PLAN, RENAMED, graded, mark, whole_class

from classroom import pages
from classroom._html import Markup, element
from classroom.reports import (
    feedback_names,
    groups_of,
    origins_of,
    solutions,
    write_reports,
)
from lessons.kit import exercises


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


def test_full_marks_are_full_marks_whatever_the_rounding_of_their_sum():
    points = {"attention.soft_lookup": 0.1, "attention.contextual": 0.37}
    full = graded("Ada", marks={name: mark(some, some) for name, some in points.items()})
    assert int(10 * full.points / full.of) == 9
    assert "90 to 99 % 0 all 1" in text_of(str(pages._distribution([full])))


def text_of(page):
    return " ".join(" ".join(Read(page).texts).split())


def with_answers(*answers):
    """A class in which some answers are the same."""
    names = ("Ada", "Bea", "Cleo", "Dora")
    return [
        graded(name, str(number), marks={"attention.contextual": mark(2.0, 2.0, answer)})
        for number, (name, answer) in enumerate(zip(names, answers, strict=False))
    ]


def test_a_text_is_never_markup():
    assert element("p", MARKUP, title='"><b>') == (
        '<p title="&quot;&gt;&lt;b&gt;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</p>'
    )
    assert element("p", [element("b", "<"), " & "], class_="x", id="") == (
        '<p class="x"><b>&lt;</b> &amp; </p>'
    )
    assert isinstance(element("p"), Markup)


@pytest.mark.parametrize("letter", "\u202e\u2066\x1b\u200b\ufeff\x07\ud800\u2028")
def test_what_no_page_shows_is_written_out(letter, tmp_path):
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


def test_a_page_of_feedback_says_what_a_check_says_and_runs_nothing():
    one, other = whole_class()[2], whole_class()[0]
    page = pages.feedback_page(one, PLAN)
    tags = [tag for tag, _ in Read(page).elements]
    assert "script" not in tags and tags.count("h2") == 2
    assert not [a for _, attributes in Read(page).elements for a in attributes if a[:2] == "on"]
    assert MARKUP in text_of(page) and "0 of 3 points" in text_of(page)
    assert "default-src 'none'" in page
    assert other.student.name not in page


def test_a_problem_is_told_first():
    page = text_of(pages.feedback_page(whole_class()[3], PLAN))
    assert page.index("The file is no notebook.") < page.index("05 Attention: A soft look-up")


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


def test_answers_that_are_alike_stand_side_by_side(tmp_path):
    found = with_answers(ANSWER, "def contextual(x): return x", RENAMED)
    (group,) = groups_of(found, PLAN)
    assert group.students == ("000000", "000002")
    write_reports(tmp_path, found, PLAN)
    told = text_of((tmp_path / "teacher.html").read_text(encoding="utf-8"))
    assert f"sentences: Ada, Cleo; the same; 2 of 3 answers; length {group.own}" in told
    assert "# mine alone" in told


def test_short_answers_that_are_the_same_are_folded(tmp_path):
    short = "def contextual(x): return x * 2 + 1"
    write_reports(tmp_path, with_answers(short, short), PLAN)
    told = text_of((tmp_path / "teacher.html").read_text(encoding="utf-8"))
    assert "Short answers that are the same: 1" in told


def test_a_solution_of_the_book_is_told_and_keeps_its_points(tmp_path):
    name = "decoding.nucleus"
    plan = replace(PLAN, exercises=(name,), points={name: 1.0})
    whole = [graded(who, marks={name: mark(1.0, 1.0, solutions()[name])}) for who in ("Ada", "Bea")]
    told, _ = origins_of(whole, plan).values()
    assert told == {name: ["it is the book's solution, word for word"]}
    write_reports(tmp_path, whole, plan)
    page = text_of((tmp_path / "teacher.html").read_text(encoding="utf-8"))
    assert "These answers keep their points" in page
    assert "2 of them as the book has it" in page


def test_a_bug_hunt_is_the_book_s_by_nature_and_hides_nothing_all_the_same():
    name = "decoding.greedy_batch"
    assert exercises.get_exercise(name).is_bug_hunt
    answers = (solutions()[name], "exec(found)")
    plan = replace(PLAN, exercises=(name,), points={name: 1.0})
    whole = [graded(text[:3], marks={name: mark(1.0, 1.0, text)}) for text in answers]
    assert origins_of(whole, plan) == {"000001": {name: ["it runs or finds code by a text: exec"]}}


def test_nobody_has_nobody_to_be_compared_with(tmp_path):
    write_reports(tmp_path, [], PLAN)
    told = text_of((tmp_path / "teacher.html").read_text(encoding="utf-8"))
    assert "0 submissions" in told and "No two answers are alike." in told


def test_writing_twice_gives_the_same_bytes(tmp_path):
    for folder in ("a", "b"):
        write_reports(tmp_path / folder, whole_class(), PLAN)
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    assert len(files) == 14
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Zoë Ångström", "feedback/zoe-angstrom.html"),
        ("../../etc/passwd", "feedback/etc-passwd.html"),
        ("李明", "feedback/student.html"),
        ("a" * 300, f"feedback/{'a' * 60}.html"),
    ],
)
def test_a_file_of_feedback_has_a_plain_name(name, file):
    assert feedback_names([graded(name)]) == [file]


def test_students_of_one_name_have_two_files():
    names = feedback_names([graded("李明"), graded("王伟"), graded("Ada"), graded("Ada")])
    assert names == [
        "feedback/student.html",
        "feedback/student~2.html",
        "feedback/ada.html",
        "feedback/ada~2.html",
    ]
