"""The guide's story of two weeks is run as printed and gives the printed numbers.

Six students of a made-up class; what they hand in is below, all else is read from the page: its
commands, the table of decisions, the points, and what one sees. It takes a minute or two of
sandboxes and releases, so it runs at night.
"""

import csv
import html
import json
import re
import shlex
import shutil
import zipfile
from pathlib import Path

import pytest
from class_work import notebook, solutions

from classroom.__main__ import main

PAGE = Path(__file__).parents[2] / "book/teaching/two_weeks.md"
NAMES = ("Ada Lind", "Ben Ortiz", "Chen Wu", "Dina Haddad", "Emil Berg", "Fay Okoro")
NUMBERS = range(101, 107)
LATE = {"Ben Ortiz": " - 1 day 4 hours late", "Dina Haddad": " - 2 days 20 hours late"}
WEEKS = {"week1": "05_attention", "week2": "08_masks"}
CHANGED = {
    "week1": {
        "Ada Lind": {
            "attention.contextual": "def contextual(x):\n    return (x @ x.mT).softmax(-1) @ x",
        },
        "Ben Ortiz": {
            "attention.contextual": "def contextual(x):\n    return (x @ x.mT).softmax(dim=1) @ x",
        },
        "Chen Wu": {
            "attention.contextual": (
                "def contextual(x):\n    powers = (x @ x.mT).exp()\n"
                "    return powers / powers.sum(dim=-1, keepdim=True) @ x"
            ),
        },
        "Dina Haddad": {},
        "Fay Okoro": {
            "attention.contextual": "def context(x):\n    return (x @ x.mT).softmax(-1) @ x",
        },
    },
    "week2": {
        "Ada Lind": {},
        "Ben Ortiz": {"masks.decoder_mask": ""},
        "Chen Wu": {
            "masks.masked_weights": (
                "def masked_weights(scores, mask):\n"
                "    return scores.masked_fill(~mask, float('-inf')).softmax(dim=-1)"
            ),
        },
        "Dina Haddad": {
            "masks.batch_mask": (
                "def batch_mask(token_ids, pad_id):\n"
                "    real = token_ids != pad_id\n"
                "    return real[:, None, :].expand(-1, token_ids.shape[1], -1)"
            ),
        },
        "Emil Berg": {"masks.masked_weights": ""},
        "Fay Okoro": {
            "masks.batch_mask": (
                "def batch_mask(token_ids, pad_id):\n    size = token_ids.shape[1]\n"
                "    look_ahead = torch.ones(size, size, dtype=torch.bool).tril()\n"
                "    return (token_ids != 0)[:, None, :] & look_ahead"
            ),
        },
    },
}


def packed(week, mended=()):
    """Moodle's zip of a week; students in `mended` hand in the book's answers."""
    path, chapter = Path(f"{week}.zip"), WEEKS[week]
    with zipfile.ZipFile(path.with_stem(path.stem + "-again" * bool(mended)), "w") as archive:
        for name, number in zip(NAMES, NUMBERS, strict=True):
            if name in CHANGED[week]:
                own = {} if name in mended else CHANGED[week][name]
                answers = {n: text for n, text in (solutions(chapter) | own).items() if text}
                folder = f"{name}_{number}_assignsubmission_file_"
                made = notebook(chapter, answers, (f"# {name}\nmine = {number}",))
                archive.writestr(f"{folder}/{chapter}.ipynb", json.dumps(made))


def worksheet():
    """Moodle's worksheet of the first week."""
    head = "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    head += "Last modified (submission),Last modified (grade),Feedback comments"
    rows = [
        f"Participant {number},{name},,Submitted for grading{LATE.get(name, '')},,10.00,Yes,-,-,"
        for name, number in zip(NAMES, NUMBERS, strict=True)
    ]
    Path("worksheet1.csv").write_text("\n".join([head, *rows, ""]))


def run(command):
    """Run a command of the page; `make class` is replaced by the Makefile's command."""
    words = shlex.split(command)
    if words[:2] == ["make", "class"]:
        told = dict(word.split("=", 1) for word in words[2:])
        words = ["release", "--out", told["OUT"], *shlex.split(told["OPTIONS"])]
    else:
        assert words[:3] == ["python", "-m", "classroom"]
        words = words[3:]
    assert main(words) == 0
    return words[words.index("--out") + 1]


def text_of(page):
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", page)).split())


def seen(out):
    """All that one reads on the pages of a grading."""
    pages = [out / "teacher.html", *sorted((out / "feedback").iterdir())]
    return [text_of(page.read_text(encoding="utf-8").partition("</style>")[2]) for page in pages]


def table_of(block):
    rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in block.splitlines()]
    return rows[0], rows[2:]


class Story:
    """Goes through the page, block by block."""

    def __init__(self, capsys):
        self.capsys, self.out, self.told = capsys, Path(), ""

    def shell(self, block):
        for command in block.replace("\\\n", " ").splitlines():
            self.capsys.readouterr()
            self.out = Path(run(command))
            self.told = "\n".join(self.capsys.readouterr())

    def console(self, block):
        assert all(line in self.told for line in block.splitlines()), self.told

    def json(self, block):
        """Mend the points; Moodle's sheet comes back as it was uploaded."""
        shutil.copy("grades1/moodle.csv", "worksheet1.csv")
        path = Path("week1/teacher/class.json")
        plan = json.loads(path.read_text())
        plan["points"] |= json.loads(f"{{{block}}}")
        path.write_text(json.dumps(plan))

    def text(self, block):
        """A table of decisions, or what one reads."""
        if block.startswith("student,"):
            (self.out / "decisions.csv").write_text(block, encoding="utf-8")
            return
        pages = seen(self.out)
        for line in block.splitlines():
            assert any(" ".join(line.split()) in page for page in pages), (line, pages)

    def table(self, block):
        head, rows = table_of(block)
        if "email" in head:
            lines = [",".join(row) for row in (head, *rows)]
            Path("roster.csv").write_text("\n".join([*lines, ""]))
            return
        with (self.out / "grades.csv").open(encoding="utf-8") as file:
            found = [[row[name] for name in head] for row in csv.DictReader(file)]
        assert rows == found


BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$|^((?:\|[^\n]*\n)+)", re.MULTILINE | re.DOTALL)


@pytest.mark.nightly
@pytest.mark.sandbox
def test_the_commands_on_the_page_give_the_printed_results(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    worksheet()
    packed("week1")
    packed("week2")
    packed("week2", mended=("Ben Ortiz",))
    story = Story(capsys)
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert [kind for kind, *_ in blocks].count("shell") > 4
    for kind, block, table in blocks:
        story.table(table) if table else getattr(story, kind)(block)
    assert re.search("RDEY2,Dina", (tmp_path / "grades2/key.csv").read_text())
    assert "dina@example.org" in (tmp_path / "grades2/mail.csv").read_text()
    rows = list(csv.DictReader((tmp_path / "grades1/moodle.csv").read_text().splitlines()))
    assert [row["Grade"] for row in rows] == ["10", "4", "9.29", "10", "", "7.5"]
