"""A release has the right files, is reproducible, and keeps the teacher's own files."""

import json
import subprocess
import zipfile
from html.parser import HTMLParser

import pytest

from classroom.__main__ import main
from classroom.plan import ClassPlan
from classroom.release import chosen
from classroom.source import book
from lessons.kit.archives import folder_contents

pytestmark = pytest.mark.xdist_group("releases")
ONE = ["--exercises", "attention.soft_lookup"]
ATTENTION = [f"attention.{name}" for name in ("soft_lookup", "contextual", "roles", "attend")]


def write(out, *options):
    return main(["release", "--out", str(out), *options])


def contents_of(out):
    return {name: c for name, c in folder_contents(out).items() if "class.json" not in name}


def test_the_zip_has_the_same_files_as_the_folder(whole_release):
    files = folder_contents(whole_release / "students")
    with zipfile.ZipFile(whole_release / "students.zip") as archive:
        packed = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
        assert {name.partition("/")[0] for name in archive.namelist()} == {
            "the_transformer_number_by_number"
        }
    assert packed == files
    kinds = sorted(name.rpartition(".")[2] for name in files)
    assert kinds == ["html", *["ipynb"] * 31, "md", "txt", "whl"]


def test_the_checksums_are_right_and_cover_every_file(whole_release):
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=whole_release
    )
    assert done.returncode == 0
    listed = {
        line.split("  ")[1] for line in (whole_release / "SHA256SUMS").read_text().split("\n")[:-1]
    }
    assert listed == {n for n in contents_of(whole_release) if n != "SHA256SUMS"}


def test_the_same_options_give_the_same_bytes(tmp_path):
    for name, seed in (("a", ["--seed", "one"]), ("b", ["--seed", "one"]), ("c", [])):
        assert write(tmp_path / name, *ONE, *seed) == 0
    a, b, c = (tmp_path / name for name in "abc")
    assert folder_contents(a) == folder_contents(b)
    assert contents_of(a) == contents_of(c)  # nothing of the secret is in what students get
    secrets = {ClassPlan.load(out / "teacher/class.json").secret for out in (a, c)}
    assert len(secrets) == 2


def test_a_new_release_keeps_the_secret_the_points_and_other_files(tmp_path):
    out = tmp_path / "class"
    assert write(out, *ONE, "--late", "10,1,50", "--partial") == 0
    path = out / "teacher/class.json"
    first = json.loads(path.read_text())
    first["points"]["attention.soft_lookup"] = 2.5
    path.write_text(json.dumps(first))
    (out / "grades.csv").write_text("theirs")
    both = ["--exercises", "attention.soft_lookup", "attention.attend"]
    assert write(out, *both, "--replace", "--points", "attention.attend=3", "--late", "5.5") == 0
    plan = ClassPlan.load(path)
    assert plan.secret == first["secret"]
    assert plan.points == {"attention.soft_lookup": 2.5, "attention.attend": 3}
    rule = (plan.late_percent, plan.late_grace, plan.late_most, plan.partial)
    assert rule == (5.5, 1, 50, True)
    assert (out / "grades.csv").read_text() == "theirs"
    assert {p.name for p in out.iterdir()} == {
        *("students", "students.zip", "SHA256SUMS", "teacher", "grades.csv")
    }
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--chapters", "05,99"], "chapters must be as in 05,06 or attention, got '99'"),
        (["--exercises", "attention.nope"], "got 'attention.nope'"),
        (["--exercises", "soft_lookup"], "names such as attention.attend, got 'soft_lookup'"),
        (["--date", "31.3.2027"], "date must be a day written as 2027-03-31, got '31.3.2027'"),
        (["--date", "20270331"], "got '20270331'"),
        (["--date", "2027-02-30"], "got '2027-02-30'"),
        (["--hints", "4"], "hints must be 0, 1, 2 or 3, got 4"),
        (["--title", " "], "title must be a line of 1 to 200 characters, got ' '"),
        (["--title", "a\nb"], "title must be a line"),
        (["--seed", ""], "seed must not be empty"),
        ([*ONE, "--points", "attention.attend=3"], "points must be as in attention.soft_lookup=3"),
        ([*ONE, "--points", "attention.soft_lookup=-1"], "got 'attention.soft_lookup=-1'"),
        ([*ONE, "--late", "10,1,50,2"], "late must be as in 10 or 10,1,50, got '10,1,50,2'"),
        ([*ONE, "--late", "ten"], "late must be as in 10 or 10,1,50, got 'ten'"),
        ([*ONE, "--late", "10,1.5"], "late_grace must be a number of days, got 1.5"),
        ([*ONE, "--late", "101"], "late_percent must be a number from 0 to 100, got 101"),
    ],
)
def test_wrong_options_are_reported_and_nothing_is_written(tmp_path, capsys, options, told):
    assert write(tmp_path / "out", *options) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("numbers", "names", "expected"),
    [
        ("05", [], ATTENTION),
        ("attention", [], ATTENTION),
        ("05_attention", ["attention.attend"], ATTENTION),
        ("", ["tokens.cut", "attention.attend"], ["tokens.cut", "attention.attend"]),
        ("", ["attention.attend", "tokens.cut"], ["tokens.cut", "attention.attend"]),
    ],
)  # fmt: skip
def test_chapters_and_exercises_are_chosen_in_the_order_of_the_book(numbers, names, expected):
    assert list(chosen(book(), numbers, names)) == expected


class Links(HTMLParser):
    """The targets of a page's links, its headings and what opens and never closes."""

    def __init__(self):
        super().__init__()
        self.links, self.open = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_lists_the_contents(chapter_release):
    files = folder_contents(chapter_release / "students")
    text = files["start_here.html"].decode()
    page = Links()
    page.feed(text)
    assert not page.open
    assert page.links == [name for name in files if name.endswith(".ipynb")]
    wheel = next(name for name in files if name.endswith(".whl"))
    assert f"<code>%pip install --quiet ./{wheel}</code>" in text
    assert "You write 3 functions." in text and "Hand in by" not in text
    assert "<li>06 Attention by hand: Write attention</li>" in text
    assert files["requirements.txt"].decode().endswith(f"\n./{wheel}\n")
    assert "A file may have\n20 MiB; if yours has more, clear its outputs." in text
    assert "and torch, numpy, jaxtyping, safetensors, tokenizers," in text
    assert "ipywidgets and anywidget; any other import fails." in text
    pinned = files["requirements.txt"].decode()
    assert "torch==" in pinned and "jupyterlab==" in pinned and "scikit-learn" not in pinned
