"""How jaxtyping's import hook checks the package in the tests; pyproject.toml names it."""

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, get_type_hints

import jaxtyping
from beartype import BeartypeConf, beartype
from beartype.door import is_bearable
from torch import Tensor

# jaxtyping asks for two checks of a function: of its parameters, which it calls first, and of its
# parameters and its result, which it calls last. The second one takes the result by this name.
RESULT = "ret0"
AS_MYPY = BeartypeConf(is_pep484_tower=True)  # an int is a float
check = beartype(conf=AS_MYPY)


def after_own_errors(signature: Callable) -> Callable:
    """Check a call when it has succeeded: wrong input meets the package's own errors first.

    The fields of a NamedTuple that comes back are checked too, by the same letters.
    """
    if RESULT not in inspect.signature(signature).parameters:
        return signature
    checked, seen = check(signature), set()

    def call(*args: Any, **kwargs: Any) -> Any:
        outline = (*map(_outline, args), *map(_outline, kwargs.values()), *kwargs)
        if outline in seen:
            return kwargs[RESULT]
        result = checked(*args, **kwargs)
        for name, hint in _fields(type(result)).items():
            if not is_bearable(getattr(result, name), hint, conf=AS_MYPY):
                raise TypeError(f"{name} of {type(result).__name__} does not fit {hint}")
        seen.add(outline)
        return result

    return call


def _outline(value: Any) -> Any:
    """What annotations see of a value, all but the content of lists and dictionaries.

    A call like an earlier one is not checked again: models repeat themselves a lot.
    """
    kind = type(value)
    if issubclass(kind, Tensor):
        return kind, value.shape, value.dtype
    if issubclass(kind, tuple):
        return kind, *map(_outline, value)
    return (kind, value) if kind in (int, bool) else kind


@functools.cache
def _fields(kind: type) -> dict[str, Any]:
    """The annotated fields of a NamedTuple of the package; of any other type none."""
    named = kind.__module__.startswith("transformer_lite.") and hasattr(kind, "_fields")
    return get_type_hints(kind) if named else {}


@contextmanager
def off() -> Iterator[None]:
    """Check nothing meanwhile."""
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
