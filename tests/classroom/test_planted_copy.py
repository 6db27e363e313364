"""Canaries planted where students must not look never reach a release."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from classroom.source import ROOT

pytestmark = pytest.mark.xdist_group("releases")

CANARY = "canary{}of{}the{}mine"
# Of a cell. Records hold numbers of six digits.
EXECUTED = 9_876_543_210
COPIED = [
    *("transformer_lite", "classroom", "notebooks", "book", "pyproject.toml", "LICENSE"),
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
    count = plant_in_exercise(root / "book/lessons/attention/exercises/soft_lookup.py", count)
    (root / "classroom/plan.json").write_text(canary(count := count + 1))
    package = root / "transformer_lite"
    for name in (".env", "notes.txt", "layers/.x.py.swp"):
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
    command = [sys.executable, "-m", "classroom", "release", "--out", str(out)]
    places = os.pathsep.join([str(root), str(root / "book")])
    environment = os.environ | {"PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [*command, "--chapters", "05"], cwd=root, env=environment, capture_output=True, text=True
    )


def test_release_contains_no_planted_secret(planted_copy, tmp_path):
    done = released_from(planted_copy, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    zipped_up = (tmp_path / "out/students.zip").read_bytes()
    inside = [*bytes_inside(tmp_path / "out/students"), *opened("students.zip", zipped_up)]
    assert any(name == b"05_attention.ipynb" for name in inside)
    assert any(b"exercises.json" in name for name in inside)
    secret = json.loads((tmp_path / "out/teacher/class.json").read_text("utf-8"))["secret"]
    planted = b"canary", str(EXECUTED).encode(), secret.encode()
    assert [content for content in inside if any(mark in content for mark in planted)] == []
