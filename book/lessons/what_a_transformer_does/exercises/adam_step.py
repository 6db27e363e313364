"""One step of Adam, written by hand."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("what_a_transformer_does.adam_step")

_BETA_1, _BETA_2, _EPS = 0.9, 0.999, 1e-8
_State = tuple[Tensor, Tensor, Tensor]


def _moments(gradient: Tensor, m: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    m = _BETA_1 * m + (1 - _BETA_1) * gradient
    v = _BETA_2 * v + (1 - _BETA_2) * gradient**2
    return m, v


def _corrected(m: Tensor, v: Tensor, step: int) -> tuple[Tensor, Tensor]:
    return m / (1 - _BETA_1**step), v / (1 - _BETA_2**step)


def _dividing_by(divisor: Callable[[Tensor], Tensor]) -> Callable[..., _State]:
    """Return a step of Adam that divides by this function of v̂."""

    def step_of(
        w: Tensor, gradient: Tensor, m: Tensor, v: Tensor, step: int, rate: float
    ) -> _State:
        m, v = _moments(gradient, m, v)
        m_hat, v_hat = _corrected(m, v, step)
        return w - rate * m_hat / divisor(v_hat), m, v

    return step_of


_adam = _dividing_by(lambda v_hat: v_hat.sqrt() + _EPS)


def _cases() -> tuple[Case, ...]:
    def draw(n: int, step: int, rate: float, dtype: torch.dtype = torch.float32) -> dict[str, Any]:
        numbers = {name: _normal(n, dtype=dtype) for name in ("w", "gradient", "m", "v")}
        return numbers | {"v": numbers["v"].square(), "step": step, "rate": rate}

    zeros = torch.zeros(3)
    first = {
        "w": torch.tensor([1.0, 1, 1]),
        "gradient": torch.tensor([4.0, -0.5, 0]),
        "m": zeros,
        "v": zeros.clone(),
        "step": 1,
        "rate": 0.1,
    }
    tiny = first | {"gradient": torch.tensor([1e-6, -3e-6, 2e-5])}
    return (
        Case("the first step, gradients 4, −0.5 and 0", first),
        Case("the second step, n=4", draw(4, 2, 0.01)),
        Case("step 50 in float64, n=3", draw(3, 50, 0.3, torch.float64)),
        Case("step 5 for one weight, n=1", draw(1, 5, 0.1)),
        Case("the first step, gradients of some millionths", tiny),
    )


def _without_correction(
    w: Tensor, gradient: Tensor, m: Tensor, v: Tensor, step: int, rate: float
) -> _State:
    m, v = _moments(gradient, m, v)
    return w - rate * m / (v.sqrt() + _EPS), m, v


def _with_corrected_moments(
    w: Tensor, gradient: Tensor, m: Tensor, v: Tensor, step: int, rate: float
) -> _State:
    new, m, v = _adam(w, gradient, m, v, step, rate)
    return new, *_corrected(m, v, step)


def _without_square(
    w: Tensor, gradient: Tensor, m: Tensor, v: Tensor, step: int, rate: float
) -> _State:
    m, v = _BETA_1 * m + (1 - _BETA_1) * gradient, _BETA_2 * v + (1 - _BETA_2) * gradient.abs()
    m_hat, v_hat = _corrected(m, v, step)
    return w - rate * m_hat / (v_hat.sqrt() + _EPS), m, v


_MISTAKES = mistakes(
    _without_correction,
    "The bias correction is missing: divide m by 1 − β₁ᵗ and v by 1 − β₂ᵗ for the step.",
    _with_corrected_moments,
    "You returned m̂ and v̂. They are used in this step only: return m and v for the next one.",
    _dividing_by(lambda v_hat: v_hat + _EPS),
    "The root is missing: the step is divided by √v̂.",
    _dividing_by(torch.sqrt),
    "ε is not used: a gradient that was always 0 makes 0 divided by 0, which is nan.",
    _dividing_by(lambda v_hat: (v_hat + _EPS).sqrt()),
    "ε is inside the root, where it slows down a weight with tiny gradients. Add it to √v̂.",
    lambda w, gradient, m, v, step, rate: _adam(w, gradient, m, v, step + 1, rate),
    "The correction uses step + 1. Steps are counted from 1, and `step` is that count.",
    _without_square,
    "v is the running average of the squared gradients. Square them.",
)


def _by_lerp(w: Tensor, gradient: Tensor, m: Tensor, v: Tensor, step: int, rate: float) -> _State:
    m, v = m.lerp(gradient, 0.1), v.lerp(gradient.square(), 0.001)
    size = (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
    return w - rate * size * m / (v.sqrt() + 1e-8 * (1 - 0.999**step) ** 0.5), m, v


def _by_torch(w: Tensor, gradient: Tensor, m: Tensor, v: Tensor, step: int, rate: float) -> _State:
    w = w.clone().requires_grad_()
    optimizer = torch.optim.Adam([w], lr=rate)
    w.grad = gradient.clone()
    count = torch.tensor(float(step - 1), dtype=torch.float32)
    state = {"step": count, "exp_avg": m.clone(), "exp_avg_sq": v.clone()}
    optimizer.state[w] = state
    optimizer.step()
    return w.detach(), state["exp_avg"], state["exp_avg_sq"]


def _draw(draw: Draw) -> Inputs:
    n = draw.size()
    w, gradient, m = (draw.normal(n) for _ in range(3))
    return w, gradient, m, draw.normal(n).square(), draw.size(1, 20), draw.choice(0.1, 0.01)


adam_step = Exercise(
    name="what_a_transformer_does.adam_step",
    reference=_adam,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_lerp, _by_torch),
    draw=_draw,
    hint_texts=(
        "Which two running averages does Adam keep, and what does it do to them in the first "
        "steps, before they have seen much?",
        "m and v each add a small part of the new value. The hats divide them by 1 − β to the "
        "power of the step. The step is m̂ over √v̂ + ε, times the rate.",
        "m = 0.9 * m + 0.1 * gradient, v = 0.999 * v + 0.001 * gradient**2, m_hat = m / (1 - "
        "0.9**step), v_hat = v / (1 - 0.999**step).",
    ),
    starter='''\
def adam_step(w, gradient, m, v, step, rate):
    """One step of Adam; steps count from 1. Return the new w, m and v."""
    ...
''',
)
