"""Who may import whom, and what `import transformer_lite` leaves alone."""

import ast
import subprocess
import sys
from importlib.util import resolve_name
from pathlib import Path

import pytest

import transformer_lite

ROOT = Path(transformer_lite.__file__).parent

# A part may import only from the lines above its own.
ORDER = """
    _checks
    device progress_bar
    masks
    norms
    positions
    dropout linear
    feedforward output
    attention complexity
    multi_head
    residual embedding
    encoder decoder
    config
    transformer
    inspection interop saving
    tokenizers
    ngrams word2vec recurrent
    data
    decoding_step
    decoding
    training beam pretrained
    worked_examples
    exercises
    plots
    figures
"""
LINE = {part: i for i, line in enumerate(ORDER.strip().splitlines()) for part in line.split()}


def imported_names(source: str, package: str) -> set[str]:
    """Every dotted name that `source`, a module inside `package`, imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def parts_of(name: str) -> set[str]:
    """The parts of the package behind one imported name."""
    top, _, rest = name.partition(".")
    if top != "transformer_lite":
        return set()
    part = rest.partition(".")[0]
    if part in LINE:
        return {part}
    # `from transformer_lite import layer_norm` stands for the module that defines layer_norm.
    source = getattr(getattr(transformer_lite, part, None), "__module__", None)
    return {source.split(".")[1]} if source else {"transformer_lite"}


def too_early(part: str, source: str, package: str = "transformer_lite") -> list[str]:
    """The parts that `source`, a file of `part`, imports although they stand no line above."""
    found = set().union(*map(parts_of, imported_names(source, package))) - {part}
    return sorted(other for other in found if LINE.get(other, len(LINE)) >= LINE[part])


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_part_imports_only_from_above(path):
    part = part_of(path)
    assert part in LINE, f"{part} has no place in the order yet; see the list in this file"
    package = ".".join(["transformer_lite", *path.relative_to(ROOT).parts[:-1]])
    assert too_early(part, path.read_text(encoding="utf-8"), package) == []


@pytest.mark.parametrize(
    ("part", "source", "found"),
    [
        ("masks", "from transformer_lite.attention import split_heads", ["attention"]),
        ("masks", "import transformer_lite.attention as attention", ["attention"]),
        ("masks", "from .attention import split_heads", ["attention"]),
        ("masks", "from transformer_lite import attention", ["attention"]),
        ("masks", "from transformer_lite import split_heads", ["multi_head"]),
        ("masks", "from transformer_lite import Rotary", ["positions"]),
        ("positions", "from transformer_lite import FeedForward", ["feedforward"]),
        ("feedforward", "from transformer_lite.attention import split_heads", ["attention"]),
        ("attention", "from transformer_lite.residual import PreNorm", ["residual"]),
        ("masks", "import transformer_lite", ["transformer_lite"]),
        ("masks", "def late():\n    from transformer_lite import norms", ["norms"]),
        ("encoder", "from transformer_lite import decoder", ["decoder"]),
        ("plots", "from transformer_lite import nowhere", ["transformer_lite"]),
        ("attention", "from transformer_lite.masks import padding_mask", []),
        ("attention", "from transformer_lite import padding_mask", []),
        ("attention", "from transformer_lite import Rotary", []),
        ("residual", "from transformer_lite import FeedForward, MultiHeadAttention", []),
        ("masks", "import torch, attention", []),
    ],
)
def test_a_reversed_import_is_found(part, source, found):
    assert too_early(part, source) == found


def test_a_relative_import_is_resolved_inside_its_folder():
    source = "from ._base import LiveFigure\nfrom ..figures import kit"
    assert too_early("figures", source, "transformer_lite.figures") == []
    assert too_early("data", source, "transformer_lite.data") == ["figures"]


def test_every_public_name_is_listed_once_and_in_order():
    public = {
        name
        for name, value in vars(transformer_lite).items()
        if getattr(value, "__module__", "").startswith("transformer_lite.")
    }
    assert public == set(transformer_lite.__all__)
    assert transformer_lite.__all__ == sorted(transformer_lite.__all__)


@pytest.mark.parametrize("folder", ["norms", "positions"])
def test_the_package_offers_all_that_its_folders_offer(folder):
    folder = getattr(transformer_lite, folder)
    for name in folder.__all__:
        assert getattr(transformer_lite, name) is getattr(folder, name)
    assert folder.__all__ == sorted(folder.__all__)


def test_importing_the_package_leaves_heavy_libraries_alone():
    heavy = {"matplotlib", "anywidget", "ipywidgets", "IPython"}
    heavy |= {f"transformer_lite.{part}" for part in ("figures", "exercises", "worked_examples")}
    script = f"import sys, transformer_lite; print({heavy} & sys.modules.keys())"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert result.stdout.strip() == b"set()"
