"""One experiment: its declaration, the computation of one point, and its record."""

from __future__ import annotations

import ast
import hashlib
import json
import math
import platform
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from inspect import signature
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from lessons import lesson_files
from lessons.kit.experiments.record import Record
from transformer_lite.checks import check_choice, check_number, check_size
from transformer_lite.device import best_device, seed_everything
from transformer_lite.files import write_whole

#: Names that may change without a new run: the grid, and the tolerance of a repetition.
DECLARED = {"GRID", "TOLERANCE", "AGAIN"}
Settings = dict[str, Any]


def names() -> list[str]:
    """Return the names of all experiments.

    >>> "silent_heads" in names()
    True
    """
    return sorted(path.stem for path in lesson_files("experiments/[!_]*.py"))


def record(name: str) -> Record:
    """Return the record of a sweep.

    Args:
        name: an experiment, one of :func:`names`.

    Raises:
        ValueError: there is no such experiment, or it has not been run yet.

    >>> len(record("silent_heads").rows)
    6
    """
    experiment = find(name)
    if not experiment.points:
        command = f"python -m lessons.kit.experiments {name}"
        raise ValueError(f"{name} must have been run, got no record of it; {command} makes it")
    return experiment.record()


def run(name: str, /, *, device: str | None = None, **settings: Any) -> dict[str, Any]:
    """Compute one point of an experiment, in the grid or outside it, as the sweep would.

    Args:
        name: an experiment, one of :func:`names`.
        device: the device, if the experiment can choose; None takes the fastest available.
        settings: a value for each name of the grid.

    Returns:
        For each result its name, and a number or a list of numbers.

    Raises:
        TypeError: a setting is missing, unknown or of another type than those of the grid.
        ValueError: there is no such experiment; a word is none of the grid's.
    """
    experiment = find(name)
    experiment.check(settings)
    return experiment.compute(settings, device)


def find(name: str) -> Experiment:
    """Return an experiment by its name."""
    check_choice("name", name, names())
    (path,) = lesson_files(f"experiments/{name}.py")
    return Experiment(import_module(f"lessons.{path.parts[-3]}.experiments.{name}"))


class Experiment:
    """An experiment that a module declares.

    Args:
        module: has ``GRID``, a list of values for each setting, and ``point``, which takes one
            value of each and returns its results by name. A ``point`` that takes a ``device`` too
            gets the fastest at hand. ``TOLERANCE`` says by name how near to the record a result
            comes on another machine, where that is further than 0.0005.
    """

    def __init__(self, module: ModuleType) -> None:
        self.module, self.source = module, Path(str(module.__file__))
        self.grid: dict[str, list[Any]] = module.GRID
        self.file = self.source.with_suffix(".json")
        stored = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}
        self.stored_code: str = stored.get("code", "")
        self.points: list[dict[str, Any]] = stored.get("points", [])

    @cached_property
    def code(self) -> str:
        """A hash of its code. Reading the record does not need it."""
        drawn = _sample_sentences() if hasattr(self.module, "grammar_corpus") else []
        return _code(self.source, drawn)

    def record(self) -> Record:
        """Return what the sweep has found."""
        return Record(self.source.stem, self.grid, self.points)

    def all_settings(self) -> list[Settings]:
        """Return the settings of all points of the grid; the last setting varies fastest."""
        return [
            dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())
        ]

    def valid(self) -> list[dict[str, Any]]:
        """Return the recorded points that belong to the present code and grid."""
        wanted = self.all_settings() if self.stored_code == self.code else []
        return [point for point in self.points if point["settings"] in wanted]

    def state(self) -> str:
        """Return the state of the record: complete, stale, or how many points it has."""
        if len(self.valid()) < len(self.points):
            return "stale"
        if [point["settings"] for point in self.points] == self.all_settings():
            return "complete"
        return f"{len(self.points)} of {len(self.all_settings())} points"

    def check(self, settings: Settings) -> None:
        """Require a value for each name of the grid, of the same type as in the grid."""
        if settings.keys() != self.grid.keys():
            got = ", ".join(settings) or "none"
            raise TypeError(f"settings must be {', '.join(self.grid)}, got {got}")
        for name, value in settings.items():
            known = self.grid[name]
            kinds = {type(one) for one in known}
            if kinds == {int}:
                check_size(name, value, minimum=min(0, *known))
            elif kinds <= {int, float}:
                check_number(name, value, low=min(0, *known))
            elif value not in known:
                raise ValueError(f"{name} must be one of {known}, got {value!r}")

    def compute(self, settings: Settings, device: str | None = None) -> dict[str, Any]:
        """Compute the results of one point, to six digits; a value that is not finite is None."""
        with _isolated():
            results = self.module.point(**settings, **self.device_argument(device))
        return {name: _to_json(name, value) for name, value in results.items()}

    def measure(self, settings: Settings, device: str | None = None) -> dict[str, Any]:
        """Compute one point in the form of the record."""
        begun = time.process_time()
        results = self.compute(settings, device)
        where = self.device_argument(device).get("device", torch.device("cpu")).type
        torch_version = torch.__version__.partition("+")[0]
        return {
            "settings": settings,
            "results": results,
            "seconds": round(time.process_time() - begun, 1),
            "made with": f"Python {platform.python_version()}, torch {torch_version}, {where}",
        }

    def device_argument(self, device: str | None) -> dict[str, torch.device]:
        """Return the device as a keyword argument, if the function of a point takes one."""
        if "device" not in signature(self.module.point).parameters:
            return {}
        return {"device": torch.device(device) if device else best_device()}

    def write(self, points: list[dict[str, Any]]) -> None:
        """Write the record: these points, in the order of the grid, one on a line."""
        order = self.all_settings()
        self.points = sorted(points, key=lambda point: order.index(point["settings"]))
        self.stored_code = self.code
        lines = ",\n".join(
            json.dumps(one, ensure_ascii=False, allow_nan=False) for one in self.points
        )
        text = f'{{"code": "{self.stored_code}", "points": [\n{lines}\n]}}\n'
        write_whole(self.file, text.encode())


@contextmanager
def _isolated() -> Iterator[None]:
    """Compute on one thread and with fixed seeds, and restore the state afterwards."""
    before = torch.get_num_threads(), torch.get_rng_state(), random.getstate()
    torch.set_num_threads(1)
    seed_everything(0)
    random.seed(0)
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        torch.set_rng_state(before[1])
        random.setstate(before[2])


def _to_json(name: str, value: Any) -> Any:
    """Convert a result to JSON data."""
    value = getattr(value, "tolist", lambda: value)()
    if isinstance(value, list | tuple):
        return [_to_json(name, item) for item in value]
    if not isinstance(value, int | float):
        raise TypeError(
            f"{name} must be a number or a list, got {type(value).__name__}: {value!r:.60}"
        )
    if isinstance(value, int):
        return value
    return float(f"{value:.6g}") if math.isfinite(value) else None


def _code(source: Path, drawn: list[tuple[str, str]]) -> str:
    """Hash what a file and those in `shared` next to it do, and what they draw.

    Layout and comments do not count.
    """
    files = [*sorted(source.parent.glob("shared/*.py")), source]
    trees = [_structure(ast.parse(path.read_text(encoding="utf-8"))) for path in files]
    return hashlib.sha256(repr(trees + drawn).encode()).hexdigest()[:16]


def _sample_sentences() -> list[tuple[str, str]]:
    """Return some sentences of the corpus, to hash them instead of the grammar's code."""
    from lessons.trained.grammar import grammar_corpus  # reading a record does not need it

    splits = grammar_corpus(size=1_000, held_out=100)
    return [(pair.source, pair.target) for split in splits for pair in split]


def _structure(node: Any) -> Any:
    """Return a syntax tree as lists, without docstrings and the names in `DECLARED`."""
    if isinstance(node, list):
        return [_structure(item) for item in node if not _is_free(item)]
    if isinstance(node, ast.AST):
        fields = [value for _, value in ast.iter_fields(node) if value not in (None, [])]
        return [type(node).__name__, *map(_structure, fields)]
    return repr(node)


def _is_free(node: Any) -> bool:
    """Return whether a statement is a docstring, or declares what may change without a new run."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(one, ast.Name) and one.id in DECLARED for one in targets)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
