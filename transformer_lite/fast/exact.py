"""When a fast form may replace a part: only if the results are the same.

:func:`fast_form_of` registers the fast form of a class. A subclass does not inherit it, because it
may compute something else. A part runs as the plain module that it is

- if it is in training mode or has hooks,
- if its `forward` was replaced, on the part or on its class,
- if its weights are of a class of their own.

This holds too for a part that is changed in one of these ways, or replaced by another module,
during decoding. Two changes are not noticed: replacing weights during decoding, and replacing a
method other than `forward` on a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from torch import Tensor, nn

from transformer_lite.layers.unmodified import FORWARDS, HOOKS_OF_ALL, is_unmodified

_disabled = False
#: The fast form of each class that has one.
FORMS: dict[type, Callable[..., Any]] = {}
_Form = TypeVar("_Form", bound=Callable[..., Any])


def fast_form_of(*kinds: type[nn.Module]) -> Callable[[_Form], _Form]:
    """Register the decorated function as the fast form of these classes.

    Args:
        kinds: classes of modules. The form replaces the `forward` that they have now.

    Returns:
        A decorator. The function gets a part and the arguments of :func:`fast_step`. It returns a
        function that does what the part does, or None if only the part itself can.
    """

    def register(form: _Form) -> _Form:
        for kind in kinds:
            FORMS[kind], FORWARDS[kind] = form, kind.forward
        return form

    return register


def fast_step(part: nn.Module, *args: Any) -> Callable[..., Any] | None:
    """Return the fast form of a part for these arguments, or None.

    Args:
        part: any module.
        args: the arguments of its form, such as caches.

    Returns:
        A function that does the same as the part, for one new token per row. None if there is no
        such form for this part and these arguments, if the part has hooks, is in training mode or
        has weights that are not plain, or within :func:`fast_steps_disabled`.
    """
    form = FORMS.get(type(part))
    if _disabled or form is None or part.training or not is_unmodified(part):
        return None
    return form(part, *args)


def step_of(part: nn.Module) -> Callable[..., Tensor]:
    """Return the fast form of a part, or the part itself if it has none."""
    return fast_step(part) or part


@contextmanager
def fast_steps_disabled() -> Iterator[None]:
    """Run every part in its plain form, to compare the two forms or to look inside a part."""
    global _disabled
    before, _disabled = _disabled, True
    try:
        yield
    finally:
        _disabled = before


class PreparedStep:
    """The fast step of a model, prepared again whenever the model has changed.

    Args:
        model: a module that may have a fast form.
        modules_of: returns the modules of the model that a step may run.
    """

    def __init__(
        self, model: nn.Module, modules_of: Callable[[nn.Module], list[nn.Module]]
    ) -> None:
        self.model, self.modules_of = model, modules_of
        self._modules = modules_of(model)
        self._state: list[object] = []
        self._step: Callable[..., Tensor] | None = None

    def __call__(self, *args: Any) -> Callable[..., Tensor] | None:
        """Return the step, prepared with these arguments if there is none yet."""
        if self._state != _state_of(self._modules):
            self._step, self._modules = None, self.modules_of(self.model)
            self._state = _state_of(self._modules)
        if self._step is None:
            self._step = fast_step(self.model, *args)
        return self._step

    def reset(self) -> None:
        """Prepare the step again in the next call, because its arguments have changed."""
        self._step = None


def _state_of(modules: Iterable[Any]) -> list[object]:
    """Return everything that decides whether modules may use their fast steps.

    This runs at every step of decoding, so it compares counts and identities, nothing more.
    """
    of_all = map(len, HOOKS_OF_ALL)
    state: list[object] = [_disabled, *of_all, *[kind.forward for kind in FORWARDS]]
    for module in modules:
        own = module.__dict__
        hooks = len(own["_forward_hooks"]), len(own["_forward_pre_hooks"])
        state += (type(module), own["training"], len(own), *hooks, *own["_modules"].values())
    return state
