"""The search through a release finds what is planted; what is planted in the book never arrives."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from transformer_lite.classroom.archives import zipped
from transformer_lite.classroom.leaks import leaks
from transformer_lite.classroom.plan import known_exercises
from transformer_lite.classroom.source import ROOT, book
from transformer_lite.classroom.withheld import is_solution

pytestmark = pytest.mark.xdist_group("releases")
SOLUTION = "    weights = (keys @ query).softmax(dim=-1)\n    return weights @ values"
MISTAKE = "        lambda q, k, v: _exponentials(k @ q) @ v,"
REFERENCE = "return attention_steps(query[None], keys, values, scale=1.0).output[0]"
RIGHT = "    scores = torch.stack([(query * key).sum() for key in keys])"
DRAW = "def draw_contextual(draw: Draw) -> Inputs:"


def cell(source, **more):
    return {"cell_type": "code", "id": "x", "metadata": {}, "outputs": [], "source": source, **more}


def notebook(*cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, **more}).encode()


HINT = (
    "scores is keys @ query, of shape (S,). Take scores.softmax(dim=0) and multiply it, from "
    "the left, with values."
)
PLANTED = {
    "a solution": ("a.ipynb", notebook(cell(f"def f(query, keys, values):\n{SOLUTION}"))),
    "a solution, line by line": (
        "a.ipynb",
        notebook(cell([f"{line}\n" for line in f"def f():\n{SOLUTION}".split("\n")])),
    ),
    "the name of a solution": ("a.ipynb", notebook(cell("soft_lookup_solution(1)"))),
    "an output": (
        "a.ipynb",
        notebook(cell("", outputs=[{"output_type": "stream", "text": [SOLUTION]}])),
    ),
    "the metadata of a cell": ("a.ipynb", notebook(cell("", metadata={"was": SOLUTION}))),
    "the metadata of a notebook": ("a.ipynb", notebook(metadata={SOLUTION: True})),
    "a mistake": ("transformer_lite/x.py", f"wrong = (\n{MISTAKE}\n)\n".encode()),
    "a mistake with other spaces": ("x.js", b"  lambda q,k,v: _exponentials( k@q )@v,"),
    "a reference in a comment": ("x.py", f"# {REFERENCE}\n".encode()),
    "a right answer in a text of JSON": ("sealed.json", json.dumps([{"x": f"{RIGHT}\n"}]).encode()),
    "a helper's name": ("x.txt", b"call _lookup_with_a_loop here"),
    "a draw of the grader": ("x.py", DRAW.encode() + b"\n    pass"),
    "the third hint": ("x.json", json.dumps({"hints": [HINT]}).encode()),
    "the secret": ("x.css", b"/* " + b"5e" * 32 + b" */"),
    "compiled code": ("transformer_lite/__pycache__/x.pyc", b"\xa7\r\r\n"),
    "a file name": ("soft_lookup_solution.txt", b""),
    "an archive in an archive": ("a.whl", zipped({"b.zip": zipped({"x.py": RIGHT.encode()})})),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_is_found(planted, what_is_withheld):
    name, content = PLANTED[planted]
    found = leaks({name: content}, what_is_withheld)
    assert found
    assert all(line.startswith(name) for line in found)
    packed = leaks({"students.zip": zipped({name: content})}, what_is_withheld)
    assert len(packed) >= len(found)


def test_a_line_says_where_a_leak_comes_from(what_is_withheld):
    found = leaks({"x.py": RIGHT.encode()}, what_is_withheld)
    assert found == ["x.py: line from transformer_lite/exercises/attention/soft_lookup.py"]


def test_nothing_is_found_in_a_release(whole_release, what_is_withheld):
    files = {"students.zip": (whole_release / "students.zip").read_bytes()}
    assert leaks(files, what_is_withheld) == []


def test_the_search_looks_for_every_solution_and_every_exercise(what_is_withheld):
    marks = (what_is_withheld.lines, what_is_withheld.names, what_is_withheld.texts)
    places = [place for some in marks for place in some.values()]
    for name in known_exercises():
        home = f"transformer_lite/exercises/{name.replace('.', '/')}.py"
        assert places.count(home) >= 10, home
        assert f"hint 3 of {name}" in places
    solutions = [
        f"the solution {chapter} {cell['id']}"
        for chapter, found in book().items()
        for cell in filter(is_solution, found["cells"])
    ]
    assert len(solutions) == len(known_exercises())
    assert [place for place in solutions if places.count(place) < 2] == []
    assert any("classroom/hidden/attention.py" in place for place in places)


CANARY = "canary{}of{}the{}mine"
# Of a cell. Records hold numbers of six digits.
EXECUTED = 9_876_543_210
COPIED = [
    *("transformer_lite", "notebooks", "book", "pyproject.toml", "LICENSE"),
    *("requirements.txt", "requirements-minilm.txt"),
]


@pytest.fixture(scope="module")
def planted_copy(tmp_path_factory):
    """A copy of the book in which a canary sits wherever students must not look."""
    root = tmp_path_factory.mktemp("copy")
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=unwanted)
        else:
            shutil.copy(ROOT / name, root / name)
    count = plant_in_notebook(root / "notebooks/05_attention.ipynb")
    count = plant_in_exercise(root / "transformer_lite/exercises/attention/soft_lookup.py", count)
    package = root / "transformer_lite"
    for name in (".env", "notes.txt", "layers/.x.py.swp", "classroom/hidden/plan.json"):
        (package / name).write_text(canary(count := count + 1))
    (package / "layers/__pycache__").mkdir()
    (package / "layers/__pycache__/x.cpython-311.pyc").write_text(canary(count := count + 1))
    (package / "layers/__pycache__/y.py").write_text(canary(count := count + 1))
    assert count > 20
    return root


def canary(number):
    return CANARY.format(number, number, number)


def plant_in_notebook(path):
    """Plant canaries in a chapter, and return their number."""
    told, count = json.loads(path.read_text("utf-8")), 0
    told["metadata"]["author"] = canary(count := count + 1)
    told["metadata"]["kernelspec"]["display_name"] = canary(count := count + 1)
    for cell in told["cells"]:
        cell["metadata"]["notes"] = canary(count := count + 1)
        cell["metadata"]["tags"] = [*cell["metadata"].get("tags", []), canary(count := count + 1)]
        if cell["cell_type"] == "markdown":
            cell["attachments"] = {"a.png": {"image/png": canary(count := count + 1)}}
        else:
            output = {"output_type": "stream", "name": "stdout", "text": canary(count := count + 1)}
            cell |= {"execution_count": EXECUTED, "outputs": [output]}
        if "solution" in cell["metadata"]["tags"]:
            source = "".join(cell["source"])
            cell["source"] = f"# {canary(count := count + 1)}\n{source}"
    told["cells"].append(
        {"cell_type": "raw", "id": "raw", "metadata": {}, "source": canary(count := count + 1)}
    )
    path.write_text(json.dumps(told), encoding="utf-8")
    return count


def plant_in_exercise(path, count):
    """Plant canaries in the functions of an exercise, in comments, docstrings and names."""
    source = path.read_text("utf-8")
    for line in (
        "    mixed = torch.zeros_like(values[0])\n",
        "    powers = (scores - scores.max",
    ):
        assert line in source
        source = source.replace(line, f'    note = "{canary(count := count + 1)}"\n{line}')
    place = "-> Tensor:\n    return attention_steps"
    assert place in source
    told = f'-> Tensor:\n    """{canary(count := count + 1)}"""\n    return attention_steps'
    source = source.replace(place, told)
    source = source.replace("_exponentials", canary(count := count + 1))
    third = "the left, with values."
    assert third in source
    source = source.replace(third, f"{third} {canary(count := count + 1)}")
    path.write_text(f"# {canary(count := count + 1)}\n{source}", encoding="utf-8")
    return count


def bytes_inside(path):
    """Yield all that a folder holds, archives unpacked, with the names."""
    for file in sorted(p for p in Path(path).rglob("*") if p.is_file()):
        yield from opened(file.name, file.read_bytes())


def opened(name, content):
    yield name.encode()
    yield content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for inner in archive.namelist():
                yield from opened(inner, archive.read(inner))


def released_from(root, out):
    command = [sys.executable, "-m", "transformer_lite.classroom", "release", "--out", str(out)]
    environment = os.environ | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [*command, "--chapters", "05"], cwd=root, env=environment, capture_output=True, text=True
    )


def test_no_canary_comes_through(planted_copy, tmp_path):
    done = released_from(planted_copy, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    zipped_up = (tmp_path / "out/students.zip").read_bytes()
    inside = [*bytes_inside(tmp_path / "out/students"), *opened("students.zip", zipped_up)]
    assert any(name == b"05_attention.ipynb" for name in inside)
    assert any(b"sealed.json" in name for name in inside)
    planted = b"canary", str(EXECUTED).encode()
    assert [content for content in inside if any(mark in content for mark in planted)] == []


def test_a_release_with_an_answer_in_it_is_not_written(planted_copy, tmp_path):
    page = planted_copy / "transformer_lite/classroom/student_page.html"
    before = page.read_text("utf-8")
    page.write_text(before.replace("</main>", f"<pre>{SOLUTION}</pre></main>"), "utf-8")
    done = released_from(planted_copy, tmp_path / "out")
    page.write_text(before, "utf-8")
    assert done.returncode == 2
    assert "students must get no answers, and these would be:" in done.stderr
    assert "start_here.html: line from the solution 05_attention 05-121" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []
