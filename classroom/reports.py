"""The reports of a grading run, for people and platforms."""

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from classroom import anonymous, gradebooks, pages, returns, similarity
from classroom.marks import Graded
from classroom.plan import ClassPlan
from classroom.provenance import provenance
from classroom.source import book
from lessons.kit import exercises
from lessons.kit.cells import solutions_in, source
from transformer_lite.files import write_whole

#: The pages that this program has written, with digests of their contents.
_PAGES = "results/pages.json"
_CALL = re.compile(r"^(?:check = )?exercises\.", re.MULTILINE)


def write_reports(
    out: Path,
    graded: Sequence[Graded],
    plan: ClassPlan,
    moodle_sheet: str = "",
    canvas_sheet: str = "",
    moodle_columns: tuple[str, str] = (gradebooks.GRADE, gradebooks.COMMENTS),
    codes: anonymous.Codes | None = None,
) -> list[str]:
    """Write the tables, a feedback page for each student and the teacher's page.

    Pages of an earlier run that this run does not write are removed, unless somebody else wrote or
    changed them. Return a sentence about those.

    Args:
        out: the folder, in which `teacher.html` is the page to start with.
        graded: the grades of each student.
        plan: the plan of the class.
        moodle_sheet: the worksheet downloaded from Moodle, to be filled in.
        canvas_sheet: the grade book exported from Canvas, to be filled in.
        moodle_columns: the worksheet's names for its columns of grades and of comments.
        codes: for anonymous marking, the code that replaces each student's name on all pages.
    """
    shown = anonymous.without_names(graded, codes) if codes is not None else graded
    keys, names = [g.student.key for g in graded], feedback_names(shown)
    written = dict(zip(keys, (pages.feedback_page(g, plan) for g in shown), strict=True))
    files = dict(zip(keys, names, strict=True))
    tables = {
        "grades.csv": gradebooks.plain_table(graded, plan),
        "moodle.csv": gradebooks.moodle_table(graded, moodle_sheet, *moodle_columns),
        "canvas.csv": gradebooks.canvas_table(graded, plan, canvas_sheet),
        "nbgrader.csv": gradebooks.nbgrader_table(graded, plan),
        "mail.csv": returns.mail_table(graded, files),
    }
    if codes is not None:
        tables[anonymous.FILE] = anonymous.key_table(graded, codes)
    for folder in ("feedback", "results"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    links = {g.student.key: name for g, name in zip(shown, names, strict=True)}
    shown = sorted(shown, key=lambda g: g.student.name) if codes is not None else shown
    notes = (groups_of(shown, plan), provenance_of(shown, plan))
    tables["teacher.html"] = pages.teachers_page(shown, plan, links, *notes)
    remarks = _renew_pages(out, {files[key]: page for key, page in written.items()})
    for name, text in tables.items():
        _write(out / name, text)
    for name, packed in {
        "moodle_feedback.zip": returns.moodle_zip(graded, written),
        "canvas_feedback.zip": returns.canvas_zip(graded),
    }.items():
        (out / name).write_bytes(packed)
    return remarks


def _renew_pages(out: Path, pages: Mapping[str, str]) -> list[str]:
    """Write the pages, and remove those that an earlier run wrote and nobody has changed since."""
    noted = out / _PAGES
    known = json.loads(noted.read_text(encoding="utf-8")) if noted.exists() else {}
    digests = {name: _digest(_bytes(text)) for name, text in pages.items()}
    _note(out, known | digests)  # before writing, in case of an interruption
    for name, text in pages.items():
        _write(out / name, text)
    kept = []
    for path in sorted((out / "feedback").glob("*.html")):
        name = f"feedback/{path.name}"
        if name not in pages and known.get(name) == _digest(path.read_bytes()):
            path.unlink()
        elif name not in pages:
            kept.append(name)
    _note(out, digests | {name: known[name] for name in kept if name in known})
    shown = ", ".join(kept[:5]) + (" …" if len(kept) > 5 else "")
    problem = (
        f"{out} has pages that this run did not write, nor an earlier one as they are: {shown}"
    )
    return [f"{problem}. They stay: remove what is old."] if kept else []


def _note(out: Path, digests: Mapping[str, str]) -> None:
    write_whole(out / _PAGES, json.dumps(digests, indent=1).encode())


def feedback_names(graded: Iterable[Graded]) -> list[str]:
    """Return a unique file name of plain letters for each student."""
    names: list[str] = []
    for g in graded:
        plain = unicodedata.normalize("NFKD", f"{g.student.name} {g.student.id}")
        slug = re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode().lower())
        base = f"feedback/{slug.strip('-')[:60] or 'student'}"
        same = sum(re.fullmatch(rf"{base}(~\d+)?\.html", name) is not None for name in names)
        names.append(f"{base}~{same + 1}.html" if same else f"{base}.html")
    return names


def groups_of(graded: Sequence[Graded], plan: ClassPlan) -> list[similarity.Group]:
    """Find similar answers, except for right answers to bug hunts, which are always similar."""
    found: list[similarity.Group] = []
    for name in plan.exercises:
        exercise = exercises.get_exercise(name)
        if not exercise.is_bug_hunt:
            answers = {
                f"{index:06}": g.marks[name].answer
                for index, g in enumerate(graded)
                if name in g.marks and g.marks[name].answer
            }
            found += similarity.find_groups(answers, [exercise.starter], name)
    return found


def provenance_of(graded: Sequence[Graded], plan: ClassPlan) -> dict[str, dict[str, list[str]]]:
    """Return notes about the possible sources of answers, by student and exercise."""
    published, found = solutions(), defaultdict[str, dict[str, list[str]]](dict)
    for name in plan.exercises:
        exercise = exercises.get_exercise(name)
        # Right answers to a bug hunt always equal the book's.
        theirs = "" if exercise.is_bug_hunt else published.get(name, "")
        for index, g in enumerate(graded):
            answer = g.marks[name].answer if name in g.marks else ""
            if answer and (notes := provenance(answer, theirs, exercise.starter)):
                found[f"{index:06}"][name] = notes
    return found


def solutions() -> dict[str, str]:
    """Return the solutions in the book, without their checks, by exercise."""
    return {
        name: _CALL.split(source(cell))[0]
        for chapter in book().values()
        for name, cell in solutions_in(chapter).items()
    }


def _write(path: Path, text: str) -> None:
    path.write_bytes(_bytes(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
