"""The names that the package exports, and the modules that importing it loads."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import transformer_lite
from transformer_lite.subpackages import SUBPACKAGES

ROOT = Path(transformer_lite.__file__).parent
NEVER_LOADED = {"matplotlib", "anywidget", "ipywidgets", "IPython", "jinja2", "traitlets"}
NEVER_LOADED |= {"tokenizers", "sacrebleu"}


def test_import_linter_checks_the_order_of_the_subpackages():
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (contract,) = [one for one in contracts if one.get("containers") == ["transformer_lite"]]
    assert contract["layers"] == [*SUBPACKAGES][::-1]


def test_the_package_exports_the_names_used_in_chapters_and_three_more():
    names = transformer_lite.__all__
    assert names == sorted(names)
    assert len(names) == len(set(names))
    assert [name for name in names if not hasattr(transformer_lite, name)] == []
    files = ROOT.parent.glob("notebooks/*.ipynb")
    cells = [cell for path in files for cell in json.loads(path.read_bytes())["cells"]]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    # No chapter names what it builds, and none keeps it.
    assert set(names) - set(re.findall(r"\btl\.(\w+)", code)) == {"Transformer", "load", "save"}


def test_all_lists_every_public_name_of_the_package():
    """Tab completion shows exactly the names in `__all__`, apart from subpackages."""
    public = {
        name
        for name, value in vars(transformer_lite).items()
        if getattr(value, "__module__", "").startswith("transformer_lite.")
    }
    top = vars(transformer_lite)
    folders = {name for name in transformer_lite.__all__ if isinstance(top[name], ModuleType)}
    assert public == set(transformer_lite.__all__) - folders


def loaded_by(name: str) -> set[str]:
    """The modules that an import loads, in a process of its own."""
    script = f"import sys, {name}; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


def test_importing_the_package_loads_nothing_heavy_and_no_later_subpackage():
    upper = {"transformer_lite.text", "transformer_lite.training", "lessons"}
    loaded = loaded_by("transformer_lite")
    assert {"torch", "transformer_lite.layers"} <= loaded
    assert loaded & (NEVER_LOADED | upper | {"lessons.kit.plots"}) == set()


def test_importing_the_tokenizers_loads_no_other_library():
    loaded = loaded_by("transformer_lite.text")
    assert "transformer_lite.text.subwords" in loaded
    assert not loaded & NEVER_LOADED


def test_importing_the_figures_loads_no_module_for_distributed_training():
    """Every chapter shows figures, so every kernel loads what they import."""
    loaded = loaded_by("lessons.kit.figures.registry")
    assert "lessons.at_scale.training_job.training_job" in loaded
    assert not loaded & {"sympy", "torch.distributed.checkpoint", "torch.distributed.tensor"}
