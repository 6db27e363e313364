"""Return feedback to students: zips for Moodle and Canvas, and a table for a mail merge.

Moodle's "Upload multiple feedback files in a zip" finds a student by the folder's name, which is
that of the submissions' own zip (`mod/assign/feedback/file/importziplib.php`). Canvas' upload of
submissions finds one by the file's name, which is that of the file that was handed in, and attaches
what it holds as a comment under that name (`infer_comment_context_from_filename` and
`generate_comments_from_files` in its `assignment.rb`): so what goes back is a notebook.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from classroom.gradebooks import comments, single_line, written
from classroom.marks import FAILED, Graded, number
from classroom.markup import visible
from classroom.owners import owner
from lessons.kit.archives import zipped

Key = tuple[str, str]


def moodle_zip(graded: Iterable[Graded], pages: Mapping[Key, str]) -> bytes:
    """Return a zip for Moodle with the pages of all students who have a number there."""
    return zipped(
        {
            f"{_folder(g)}/feedback.html": pages[g.student.key].encode(errors="replace")
            for g in graded
            if g.problem != FAILED
            and g.student.platform in ("moodle", "")
            and g.student.id.isdecimal()
        }
    )


def _folder(graded: Graded) -> str:
    """Return a folder name for Moodle, in which an underscore would end the student's name."""
    name = "".join(c if c.isalnum() or c in "-' " else " " for c in graded.student.name)
    plain = " ".join(name.split()) or "student"
    return f"{plain}_{graded.student.id}_assignsubmission_file_"


def canvas_zip(graded: Iterable[Graded]) -> bytes:
    """Return a zip for Canvas of notebooks with comments, named like the submitted files."""
    files = {}
    for g in graded:
        names = [name.rpartition("/")[2] for name in g.source.split(", ")]
        ours = [n for n in names if n.endswith(".ipynb") and owner(n).student.platform == "canvas"]
        if ours and g.problem != FAILED:
            files[ours[-1]] = _notebook(g).encode()
    return zipped(files)


def _notebook(graded: Graded) -> str:
    """Return a notebook with the comments in one raw cell, which is shown unchanged."""
    text = visible("\n\n".join([graded.student.name, *comments(graded)]))
    cell = {"cell_type": "raw", "id": "feedback", "metadata": {}, "source": text}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def mail_table(graded: Sequence[Graded], files: Mapping[Key, str]) -> str:
    """Return a table with a row for each student: name, email, points, page and comments."""
    rows = [["name", "email", "points", "of", "page", "comments"]]
    for g in graded:
        if g.problem != FAILED:
            who = (single_line(g.student.name), single_line(g.student.email))
            remark = single_line("  ".join(comments(g)))
            rows.append([*who, number(g.points), number(g.of), files[g.student.key], remark])
    return written(rows)
