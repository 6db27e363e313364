"""Write one token of speculative decoding: keep the drafted one, or draw from the residual."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.fast_generation.exercises._shared import first_above
from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("fast_generation.accept_or_resample")
_Rule = Callable[[Tensor, Tensor, float, int, float, float], int]
_Pair = Callable[[Tensor, Tensor], Tensor]
_NAMES = ("logits", "draft_logits", "temperature", "token", "u", "v")


def _residual(p: Tensor, q: Tensor) -> Tensor:
    left = (p - q).clamp(min=0)
    return left / left.sum()


def _ratio(p: Tensor, q: Tensor) -> Tensor:
    return p / q


def _with(
    ratio: _Pair = _ratio,
    rest: _Pair = _residual,
    choose: Callable[[Tensor, float], int] = first_above,
    heat: Callable[[float], float] = lambda t: t,
    draft_heat: Callable[[float], float] = lambda t: t,
    other_rejects: bool = False,
) -> _Rule:
    """Return a rule in which one of the steps may be another."""

    def accept_or_resample(
        logits: Tensor, draft_logits: Tensor, temperature: float, token: int, u: float, v: float
    ) -> int:
        p = (logits / heat(temperature)).softmax(dim=0)
        q = (draft_logits / draft_heat(temperature)).softmax(dim=0)
        accepted = u < float(ratio(p, q)[token])
        if accepted != other_rejects:
            return token
        return choose(rest(p, q), v)

    return accept_or_resample


def _first_above_or_0(rest: Tensor, v: float) -> int:
    return int((rest.cumsum(dim=0) > v).int().argmax())


def _without(token: int, p: Tensor) -> Tensor:
    left = p.clone()
    left[token] = 0
    return left / left.sum()


def _logs(*probabilities: float) -> Tensor:
    return torch.tensor(probabilities, dtype=torch.float64).log()


def _case(name: str, *values: object) -> Case:
    return Case(name, dict(zip(_NAMES, values, strict=True)))


def _cases() -> tuple[Case, ...]:
    p, q = _logs(0.4, 0.3, 0.2, 0.1), _logs(0.1, 0.6, 0.1, 0.2)
    nine = 2 * _normal(2, 9, dtype=torch.float64)
    return (
        _case("the chapter's table, token 1 accepted at u = 0.4", p, q, 1.0, 1, 0.4, 0.5),
        _case("the same token rejected at u = 0.6, drawn anew", p, q, 1.0, 1, 0.6, 0.6),
        _case("rejected, and v = 0.8 draws another token", p, q, 1.0, 1, 0.9, 0.8),
        _case("p is larger than q: always accepted", p, q, 1.0, 0, 0.99, 0.9),
        _case("p is larger than q, and u lies between p − q and p", p, q, 1.0, 0, 0.35, 0.9),
        _case("temperature 0.5, u = 0.42", p, q, 0.5, 1, 0.42, 0.3),
        _case("temperature 2, u = 0.6", p, q, 2.0, 1, 0.6, 0.78),
        _case("temperature 2, u = 0.8", p, q, 2.0, 3, 0.8, 0.4),
        _case("nine tokens", *nine, 1.0, 4, 0.97, 0.45),
        _case("two tokens, rejected", _logs(0.1, 0.9), _logs(0.8, 0.2), 1.0, 0, 0.3, 0.99),
    )


_MISTAKES = mistakes(
    _with(ratio=lambda p, q: p),
    "The token is accepted with the probability p. Divide by q: the draft proposes it with the "
    "probability q, so q · (p / q) = p is what it contributes.",
    _with(ratio=lambda p, q: q / p),
    "The ratio is inverted. A token that the draft proposes too often, with q > p, must be "
    "rejected now and then.",
    _with(ratio=lambda p, q: (p >= q).double()),
    "Each token with p < q is rejected. It must be kept with the probability p / q.",
    _with(rest=lambda p, q: p),
    "A rejected token is drawn anew from p. Then tokens that were accepted often are written too "
    "often: draw from what is missing, max(0, p − q), normalized.",
    _with(rest=lambda p, q: _residual(q, p)),
    "The residual has the wrong sign. Missing is p − q, where it is positive.",
    _with(rest=lambda p, q: (p - q).abs() / (p - q).abs().sum()),
    "The residual has the absolute value of p − q. Tokens with q > p are not missing: their "
    "residual is 0.",
    _with(rest=lambda p, q: (p - q).clamp(min=0)),
    "The residual does not sum to 1. Divide it by its sum before you compare with v.",
    _with(rest=lambda p, q: (p - q).clamp(min=0), choose=_first_above_or_0),
    "The residual does not sum to 1, so a large v is above all of its cumulative sums, and argmax "
    "returns 0. Divide the residual by its sum.",
    lambda logits, draft_logits, temperature, token, u, v: _with(
        rest=lambda p, q: _without(token, p)
    )(logits, draft_logits, temperature, token, u, v),
    "The rejected token is removed, and another one drawn from the rest of p. Other tokens that "
    "the draft proposes too often still come too often: draw from max(0, p − q), normalized.",
    _with(choose=lambda rest, v: int(rest.argmax())),
    "A rejected token is replaced by the most probable one of the residual. Draw it: the first "
    "token whose cumulative probability is more than v.",
    _with(heat=lambda t: 1.0, draft_heat=lambda t: 1.0),
    "The temperature is not used. Divide the logits of both models by it.",
    _with(draft_heat=lambda t: 1.0),
    "The temperature changes only the large model. The draft was drawn at this temperature, too.",
    _with(heat=lambda t: 1 / t, draft_heat=lambda t: 1 / t),
    "The logits are multiplied by the temperature. Divide them.",
)


def _in_plain_python(
    logits: Tensor, draft_logits: Tensor, temperature: float, token: int, u: float, v: float
) -> int:
    p, q = ((x / temperature).softmax(dim=0).tolist() for x in (logits, draft_logits))
    if u * q[token] < p[token]:
        return token
    missing = [max(0.0, a - b) for a, b in zip(p, q, strict=True)]
    left = v * sum(missing)
    for candidate, part in enumerate(missing):
        if left < part:
            return candidate
        left -= part
    return len(p) - 1


def _with_searchsorted(
    logits: Tensor, draft_logits: Tensor, temperature: float, token: int, u: float, v: float
) -> int:
    p, q = torch.softmax(torch.stack([logits, draft_logits]) / temperature, dim=1)
    if u < min(1.0, float(p[token] / q[token])):
        return token
    sums = torch.relu(p - q).cumsum(dim=0)
    return int(torch.searchsorted(sums, v * sums[-1], right=True).clamp(max=len(p) - 1))


def _draw(draw: Draw) -> Inputs:
    """Draw numbers that no rounding can move across a bound: u and v keep a distance."""
    size, temperature = draw.size(2, 7), draw.choice(0.5, 1.0, 2.0)
    p, q = (draw.normal(size, size=2).double() for _ in range(2))
    token = draw.size(0, size - 1)
    u, v = torch.rand(2, generator=draw.random, dtype=torch.float64).tolist()
    return p, q, temperature, token, u, v


accept_or_resample = Exercise(
    name="fast_generation.accept_or_resample",
    reference=_with(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_in_plain_python, _with_searchsorted),
    draw=_draw,
    hint_texts=(
        "In the first case p of token 1 is 0.3 and q is 0.6. Which part of its drafts may stay, "
        "so that 0.3 are left?",
        "Divide both rows of logits by the temperature and take the softmax. Return the token if u "
        "is less than p / q. Otherwise take (p − q).clamp(min=0), normalize it, and add it up.",
        "residual = (p - q).clamp(min=0); residual = residual / residual.sum(); return "
        "int((residual.cumsum(dim=0) > v).int().argmax()).",
    ),
    starter='''\
def accept_or_resample(logits, draft_logits, temperature, token, u, v):
    """Write one token: (V,), (V,), numbers -> int.

    The draft drew `token` from its softmax at this temperature. Keep it if
    u is less than p / q. Otherwise return the first token for which the
    cumulative sum of the normalized residual is more than v.
    """
    raise NotImplementedError
''',
)
