"""The accessibility statement describes the tests as they are."""

import ast
import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
STATEMENT = (ROOT / "book/accessibility.md").read_text(encoding="utf-8")


def constant(file: str, name: str) -> object:
    """Return the value of a constant of a test file, which is not run."""
    tree = ast.parse((ROOT / "tests/book/pages" / file).read_text(encoding="utf-8"))
    values = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    return ast.literal_eval(values[name])


def test_every_file_named_in_the_statement_contains_tests():
    files = set(re.findall(r"`(tests/[\w/]+\.py)`", STATEMENT))
    assert len(files) >= 6
    assert [file for file in files if "def test_" not in (ROOT / file).read_text("utf-8")] == []


def test_the_stated_version_of_axe_is_the_installed_one():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    version = lock["packages"]["node_modules/axe-core"]["version"]
    assert f"axe-core {version.rpartition('.')[0]} " in STATEMENT


def test_stated_zooms_sample_and_width_match_the_tests():
    zooms = constant("test_reading_aids.py", "ZOOMS")
    assert isinstance(zooms, dict)
    assert all(zoom * width == 100 * 1280 for zoom, width in zooms.items())
    said = " and ".join(f"{zoom} %" for zoom in zooms)
    assert f"{said} of a screen of 1280 pixels" in STATEMENT
    sample = constant("test_reading_aids.py", "SAMPLE")
    assert isinstance(sample, list)
    assert f"sample of {len(sample)} pages" in STATEMENT
    frame = (ROOT / "tests/book/pages/conftest.py").read_text(encoding="utf-8")
    assert '"width": 360' in frame
    assert "dark phone of 360 pixels" in STATEMENT
