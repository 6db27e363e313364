"""Find the bugs: a draft whose accepted tokens are counted, and a replacement drawn from p."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.fast_generation.exercises._shared import first_above
from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("fast_generation.verify_draft")
_NAMES = ("p", "q", "drafted", "u", "v")
_Verify = Callable[[Tensor, Tensor, Tensor, Tensor, float], Tensor]


def _until_first(accepted: Tensor) -> int:
    """Return how many tokens come before the first rejection."""
    return int(accepted.long().cumprod(dim=0).sum())


def _residual(p: Tensor, q: Tensor, kept: int) -> Tensor:
    """Return the distribution of the last token: the residual, or p after the last draft."""
    if kept == len(q):
        return p[kept]
    left = (p[kept] - q[kept]).clamp(min=0)
    return left / left.sum()


def _with(
    count: Callable[[Tensor], int] = _until_first,
    last: Callable[[Tensor, Tensor, int], Tensor] = _residual,
    ratio: Callable[[Tensor, Tensor], Tensor] = lambda p, q: p / q,
    bonus: bool = True,
    replaces: bool = True,
) -> _Verify:
    """Return a verification in which one of the steps may be another."""

    def verify_draft(p: Tensor, q: Tensor, drafted: Tensor, u: Tensor, v: float) -> Tensor:
        rows = torch.arange(len(drafted))
        kept = count(u < ratio(p[rows, drafted], q[rows, drafted]))
        complete = kept == len(drafted)
        if (complete and not bonus) or not (complete or replaces):
            return drafted[:kept]
        token = torch.tensor([first_above(last(p, q, kept), v)])
        return torch.cat([drafted[:kept], token])

    return verify_draft


def _distributions(rows: int, size: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (1.5 * torch.randn(rows, size, generator=generator, dtype=torch.float64)).softmax(dim=1)


def _case(name: str, *values: object) -> Case:
    return Case(name, dict(zip(_NAMES, values, strict=True)))


def _numbers(*values: float) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _cases() -> tuple[Case, ...]:
    one = [0.4, 0.3, 0.2, 0.1]
    p = _numbers(*(4 * one)).reshape(4, 4)
    q = _numbers(*(3 * [0.1, 0.6, 0.1, 0.2])).reshape(3, 4)
    long_p, long_q = _distributions(6, 7, 1), _distributions(5, 7, 2)
    return (
        _case(
            "the second of three is rejected",
            p,
            q,
            torch.tensor([0, 1, 2]),
            _numbers(0.9, 0.7, 0.3),
            0.6,
        ),
        _case(
            "all three are accepted, one more is drawn",
            p,
            q,
            torch.tensor([2, 1, 0]),
            _numbers(0.5, 0.2, 0.9),
            0.6,
        ),
        _case(
            "the first is rejected, the others would pass",
            p,
            q,
            torch.tensor([1, 0, 2]),
            _numbers(0.8, 0.1, 0.1),
            0.8,
        ),
        _case("the last is rejected", p, q, torch.tensor([0, 2, 3]), _numbers(0.3, 0.3, 0.8), 0.3),
        _case("two are rejected", p, q, torch.tensor([0, 1, 3]), _numbers(0.2, 0.55, 0.9), 0.9),
        _case(
            "five drafts of seven words",
            long_p,
            long_q,
            long_q.argmax(dim=1),
            _numbers(0.02, 0.9, 0.1, 0.6, 0.05),
            0.4,
        ),
        _case(
            "five drafts of seven words, all accepted",
            long_p,
            long_q,
            long_p[:5].argmax(dim=1),
            _numbers(0.9, 0.5, 0.7, 0.3, 0.99),
            0.9,
        ),
        _case("one draft, accepted", p[:2], q[:1], torch.tensor([0]), _numbers(0.99), 0.5),
        _case("one draft, rejected", p[:2], q[:1], torch.tensor([1]), _numbers(0.51), 0.55),
    )


def _counted(accepted: Tensor) -> int:
    return int(accepted.sum())


def _from_p(p: Tensor, q: Tensor, kept: int) -> Tensor:
    return p[kept]


def _unnormalized(p: Tensor, q: Tensor, kept: int) -> Tensor:
    return p[kept] if kept == len(q) else (p[kept] - q[kept]).clamp(min=0)


def _argmin(accepted: Tensor) -> int:
    return int(accepted.int().argmin())


def _with_others(p: Tensor, q: Tensor, drafted: Tensor, u: Tensor, v: float) -> Tensor:
    """Draw the replacement from p without the rejected token."""

    def last(p: Tensor, q: Tensor, kept: int) -> Tensor:
        others = p[kept].clone()
        if kept < len(q):
            others[drafted[kept]] = 0
        return others / others.sum()

    return _with(last=last)(p, q, drafted, u, v)


_MISTAKES = mistakes(
    _with(count=_counted, last=_from_p),
    "Two things are wrong. The accepted tokens are counted, although those after the first "
    "rejection continue a text that no longer exists. And the replacement is drawn from p, which "
    "gives the tokens that were accepted a second chance. Draw it from the residual.",
    _with(last=_from_p),
    "The tokens before the first rejection are right. The replacement is drawn from p: accepted "
    "tokens get a second chance and come too often. Draw it from the residual, max(0, p − q).",
    _with(count=_counted),
    "The residual is right. But accepted tokens are counted, so a token after the first rejection "
    "counts as well. It was drafted after a token that was not written. Stop at the first "
    "rejection.",
    _with(count=_argmin),
    "The position of the first rejection is right. But argmin of a row without a rejection is 0: a "
    "draft that is accepted as a whole is thrown away.",
    _with_others,
    "The replacement is drawn from p without the rejected token. Other tokens that the draft "
    "proposes too often still come too often. Draw it from the residual, max(0, p − q).",
    _with(last=_unnormalized),
    "The residual is not normalized: it does not sum to 1, so large values of v find no token. "
    "Divide it by its sum.",
    _with(last=lambda p, q, kept: _residual(p, q, min(kept, len(q) - 1))),
    "After a draft that was accepted as a whole, nothing is missing. Draw the token after it from "
    "the last row of p.",
    _with(bonus=False),
    "When all drafts are accepted, one more token is missing. The pass has already computed the "
    "last row of p: draw from it.",
    _with(replaces=False),
    "A rejected token is dropped without a replacement. The pass has computed p at this position: "
    "draw from the residual.",
    _with(ratio=lambda p, q: q / p),
    "The ratio is inverted: accept if u is less than p / q.",
)


def _token_by_token(p: Tensor, q: Tensor, drafted: Tensor, u: Tensor, v: float) -> Tensor:
    written: list[int] = []
    for i, token in enumerate(drafted.tolist()):
        if float(u[i]) * float(q[i, token]) < float(p[i, token]):
            written.append(token)
            continue
        missing = torch.relu(p[i] - q[i])
        written.append(first_above(missing / missing.sum(), v))
        return torch.tensor(written)
    return torch.tensor([*written, first_above(p[-1], v)])


def _with_padding(p: Tensor, q: Tensor, drafted: Tensor, u: Tensor, v: float) -> Tensor:
    """Use a row of zeros for q after the last draft: its residual is p itself."""
    q = torch.cat([q, torch.zeros_like(p[:1])])
    ratios = p[:-1].gather(1, drafted[:, None]) / q[:-1].gather(1, drafted[:, None])
    rejected = torch.cat([u >= ratios[:, 0], torch.tensor([True])])
    kept = int(rejected.int().argmax())
    left = (p[kept] - q[kept]).clamp(min=0)
    last = first_above(left / left.sum(), v)
    return torch.cat([drafted[:kept], torch.tensor([last])])


def _draw(draw: Draw) -> Inputs:
    length, size = draw.size(1, 5), draw.size(2, 6)
    p = draw.normal(length + 1, size, size=1.5).double().softmax(dim=1)
    q = draw.normal(length, size, size=1.5).double().softmax(dim=1)
    drafted = torch.tensor([draw.size(0, size - 1) for _ in range(length)])
    u = torch.rand(length, generator=draw.random, dtype=torch.float64)
    v = torch.rand((), generator=draw.random, dtype=torch.float64).item()
    return p, q, drafted, u, v


verify_draft = Exercise(
    name="fast_generation.verify_draft",
    reference=_with(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_token_by_token, _with_padding),
    draw=_draw,
    hint_texts=(
        "In the third case the first token is rejected. After which text were the other two "
        "drafted? And in the first case, was the rejected token drafted too rarely or too often?",
        "Find the first rejection instead of counting acceptances. After a rejection draw from "
        "max(0, p − q), normalized; after a full draft draw from the last row of p.",
        "kept = int((u < ratio).long().cumprod(dim=0).sum()). If kept < len(drafted): last = (p["
        "kept] - q[kept]).clamp(min=0), divided by its sum.",
    ),
    starter='''\
def verify_draft(p, q, drafted, u, v):
    """The tokens written: (k + 1, V), (k, V), (k,), (k,), float -> (N,)."""
    rows = torch.arange(len(drafted))
    ratio = p[rows, drafted] / q[rows, drafted]
    kept = int((u < ratio).sum())
    last = p[kept]
    token = (last.cumsum(dim=0) > v).int().argmax()
    return torch.cat([drafted[:kept], token[None]])
''',
)
