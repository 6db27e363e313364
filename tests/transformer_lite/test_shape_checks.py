"""The shapes in signatures are checked wherever the tests call the package."""

import importlib
import inspect
import itertools
import pkgutil
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import get_type_hints

import jaxtyping
import pytest
import torch

import transformer_lite as tl
from transformer_lite.layers.norms.affine import scale_and_shift

NUMBERS = itertools.count()
HEADER = """
from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
"""


@pytest.fixture
def written(tmp_path, monkeypatch) -> Callable[[str], ModuleType]:
    """A function that imports source code as the tests import the package."""
    monkeypatch.syspath_prepend(tmp_path)

    def load(source: str) -> ModuleType:
        name = f"transformer_lite_sample_{next(NUMBERS)}"
        (tmp_path / f"{name}.py").write_text(HEADER + source, encoding="utf-8")
        with jaxtyping.install_import_hook(name, "shape_checks.after_own_errors"):
            return importlib.import_module(name)

    return load


def refused(call: Callable, *words: str) -> None:
    """Require that a call breaks an annotation, and that the error shows these words."""
    with pytest.raises(jaxtyping.TypeCheckError) as caught:
        call()
    for word in words:
        assert word in f"{caught.value} {caught.value.__cause__}"


def test_the_fields_of_a_named_tuple_fit_the_arguments(written, monkeypatch):
    sample = written(
        """
class Steps(NamedTuple):
    mean: Float[Tensor, "*B 1"]
    output: Float[Tensor, "*B D"]

def steps(x: Float[Tensor, "*B D"], keep: bool) -> Steps:
    return Steps(x.mean(-1, keepdim=keep), x)
"""
    )
    monkeypatch.setattr(sample.Steps, "__module__", "transformer_lite.sample")
    monkeypatch.setitem(sys.modules, "transformer_lite.sample", sample)
    sample.steps(torch.ones(2, 3), True)
    refused(lambda: sample.steps(torch.ones(2, 3), False), "mean of Steps")


def test_the_functions_own_errors_precede_those_of_annotations(written):
    sample = written(
        """
def scaled(x: Float[Tensor, "T D"], by: float) -> Float[Tensor, "T D"]:
    if x.ndim != 2:
        raise ValueError(f"x must have 2 axes, got {x.ndim}")
    return x * by
"""
    )
    with pytest.raises(ValueError, match="x must have 2 axes, got 1"):
        sample.scaled(torch.ones(3), 2)
    refused(lambda: sample.scaled(torch.ones(2, 3), True * torch.tensor(2)), "parameter by")


def test_a_size_that_was_asked_for_is_checked_at_every_call(written):
    sample = written(
        """
def three(size: int) -> Float[Tensor, " {size}"]:
    return torch.zeros(3)
"""
    )
    assert sample.three(3).shape == sample.three(3).shape
    refused(lambda: sample.three(4), "three")


def test_the_package_is_checked_itself():
    refused(lambda: scale_and_shift(torch.ones(2, 3), torch.ones(1), None), "parameter weight")
    refused(lambda: scale_and_shift(torch.ones(2, 3), None, torch.ones(1, 3)), "parameter bias")


def functions() -> Iterator[Callable]:
    """Every function and method that the package defines."""
    for info in pkgutil.walk_packages(tl.__path__, "transformer_lite."):
        module = importlib.import_module(info.name)
        owners = [module, *(kind for kind in vars(module).values() if inspect.isclass(kind))]
        for member in itertools.chain(*(vars(owner).values() for owner in owners)):
            bare = getattr(member, "fget", getattr(member, "__func__", member))
            bare = inspect.unwrap(bare) if callable(bare) else bare
            if inspect.isfunction(bare) and bare.__module__ == info.name:
                yield bare


def test_every_annotation_can_be_read_and_every_shape_is_checked():
    # What cannot be read counts as Any, and without an annotated result nothing is checked.
    seen = 0
    for function in functions():
        if "Tensor" in str(function.__annotations__):
            seen += 1
            hints = get_type_hints(function)
            assert "return" in hints, f"{function.__qualname__} does not say what it returns"
    assert seen > 100
