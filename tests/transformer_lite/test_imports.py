"""What the top offers, and what `import transformer_lite` leaves alone."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import transformer_lite
from transformer_lite.floors import FLOORS

ROOT = Path(transformer_lite.__file__).parent
NEVER_LOADED = {"matplotlib", "anywidget", "ipywidgets", "IPython", "jinja2", "traitlets"}
NEVER_LOADED |= {"tokenizers", "sacrebleu"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def floor_of(module: str) -> str:
    return f"{module}.".split(".")[1]


def imported_names(source: str, package: str, at_run_time: bool = False) -> set[str]:
    """Every dotted name that `source`, a module inside `package`, imports.

    Args:
        source: the text of the module.
        package: the package that relative imports start from.
        at_run_time: leave out what stands under `if TYPE_CHECKING`.
    """
    names = set()
    tree = ast.parse(source)
    typing = [node for node in ast.walk(tree) if isinstance(node, ast.If) and is_typing(node)]
    skipped = {id(inner) for node in typing for inner in ast.walk(node)} if at_run_time else set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def is_typing(node: ast.If) -> bool:
    return ast.unparse(node.test).removeprefix("typing.") == "TYPE_CHECKING"


def modules_behind(names: set[str]) -> set[str]:
    """The modules of the package that imported names stand in: the longest that exist."""
    own = {name for name in names if name.partition(".")[0] in ("transformer_lite", "lessons")}
    assert not [name for name in own if name.startswith("lessons")], "the machine knows no book"
    return {next(module for module in prefixes(name) if module in FILES) for name in own}


def prefixes(name: str) -> list[str]:
    words = name.split(".")
    return [".".join(words[:end]) for end in range(len(words), 0, -1)]


def too_high(module: str, source: str, package: str = "") -> list[str]:
    """The modules that `source` imports although they stand on a higher floor than `module`."""
    height = HEIGHT[floor_of(module)]
    found = modules_behind(imported_names(source, package or module.rpartition(".")[0]))
    return sorted(m for m in found if HEIGHT.get(floor_of(m), len(HEIGHT)) > height)


def package_of(module: str) -> str:
    is_folder = FILES[module].name == "__init__.py"
    return module if is_folder else module.rpartition(".")[0]


def circle(needs: dict[str, set[str]]) -> list[str]:
    """Modules that import each other, in turn; empty when there are none."""
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_every_module_stands_on_a_floor():
    assert {floor_of(module) for module in FILES} == set(FLOORS) | OUTSIDE


@pytest.mark.parametrize("module", [m for m in FILES if floor_of(m) not in OUTSIDE])
def test_a_module_imports_from_its_own_floor_and_those_below(module):
    source = FILES[module].read_text(encoding="utf-8")
    assert too_high(module, source, package_of(module)) == []


def test_no_modules_import_each_other():
    needs = {
        module: modules_behind(
            imported_names(path.read_text(encoding="utf-8"), package_of(module), at_run_time=True)
        )
        for module, path in FILES.items()
    }
    assert f"{LAYERS}.attention" in needs[LAYERS]
    assert circle(needs) == []


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("layers.masks", "from transformer_lite.models.encoder import Encoder", ["models.encoder"]),
        ("layers.masks", "import transformer_lite.models.encoder as encoder", ["models.encoder"]),
        ("layers.masks", "from ..models.encoder import Encoder", ["models.encoder"]),
        ("layers.masks", "from transformer_lite.models import Encoder", ["models"]),
        ("layers.masks", "from transformer_lite import decoding", ["decoding"]),
        ("layers.masks", "from transformer_lite import layer_norm", [""]),
        ("layers.masks", "import transformer_lite", [""]),
        ("layers.masks", "def late():\n    from transformer_lite import models", ["models"]),
        ("fast.linear", "from transformer_lite.layers.linear import Linear", ["layers.linear"]),
        ("device", "from transformer_lite import training", ["training"]),
        ("models.encoder", "from transformer_lite.decoding.beam import x", ["decoding.beam"]),
        ("models.encoder", "from transformer_lite import nowhere", [""]),
        ("layers.masks", "from transformer_lite.layers.norms.batch import batch_norm", []),
        ("layers.masks", "from .attention import masked_softmax", []),
        ("models.encoder", "from transformer_lite.layers import FeedForward", []),
        ("models.encoder", "from transformer_lite import layers, fast", []),
        ("layers.masks", "import torch, models", []),
    ],
)
def test_an_import_from_above_is_found(module, source, found):
    names = [".".join(filter(None, ("transformer_lite", name))) for name in found]
    assert too_high(f"transformer_lite.{module}", source) == names


def test_the_top_offers_what_chapters_use_and_not_much_more():
    names = transformer_lite.__all__
    assert names == sorted(names)
    assert len(names) == len(set(names))
    assert [name for name in names if not hasattr(transformer_lite, name)] == []
    files = ROOT.parent.glob("notebooks/*.ipynb")
    cells = [cell for path in files for cell in json.loads(path.read_bytes())["cells"]]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    # No chapter names what it builds, and none keeps it.
    assert set(names) - set(re.findall(r"\btl\.(\w+)", code)) == {"Transformer", "load", "save"}


def test_the_top_hides_nothing_that_it_offers():
    """What a reader finds by Tab is what the list says, folders aside."""
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


def test_importing_the_package_loads_nothing_heavy_and_no_upper_floor():
    upper = {"transformer_lite.text", "transformer_lite.training", "lessons"}
    loaded = loaded_by("transformer_lite")
    assert {"torch", "transformer_lite.layers"} <= loaded
    assert loaded & (NEVER_LOADED | upper | {"lessons.kit.plots"}) == set()


def test_importing_the_tokenizers_loads_no_other_library():
    loaded = loaded_by("transformer_lite.text")
    assert "transformer_lite.text.subwords" in loaded
    assert not loaded & NEVER_LOADED


def test_importing_the_figures_loads_nothing_that_only_many_workers_need():
    """Every chapter shows figures: what they load, 27 kernels load."""
    loaded = loaded_by("lessons.kit.figures.registry")
    assert "lessons.at_scale.training_job.training_job" in loaded
    assert not loaded & {"sympy", "torch.distributed.checkpoint", "torch.distributed.tensor"}
