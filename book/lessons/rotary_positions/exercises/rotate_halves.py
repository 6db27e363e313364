"""Find the bug: a rotation that mixes two layouts."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.positions import half_split_order, sinusoidal_frequencies

_normal = normal_numbers("rotary_positions.rotate_halves")


def _rotate_halves(x: Tensor, angles: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def _cases() -> tuple[Case, ...]:
    def at(places: list[float], width: int, dtype: torch.dtype = torch.float32) -> Tensor:
        speeds = sinusoidal_frequencies(width)
        return (torch.tensor(places, dtype=torch.float64)[:, None] * speeds).to(dtype)

    query_and_key = torch.tensor([[2.0, 3, 4, 1], [1, 0, 1, 0]])
    return (
        Case("the query and key at 1 and 0", {"x": query_and_key, "angles": at([1, 0], 4)}),
        Case("positions 5, 0, 9: T=3, K=8", {"x": _normal(3, 8), "angles": at([5.0, 0.0, 9.0], 8)}),
        Case(
            "far positions in float64: T=5, K=6",
            {
                "x": _normal(5, 6, dtype=torch.float64),
                "angles": at([100, 101, 7, 3000, 2], 6, torch.float64),
            },
        ),
        Case("any angles: T=4, K=10", {"x": _normal(4, 10), "angles": _normal(4, 5)}),
        Case("one token: T=1, K=6", {"x": _normal(1, 6), "angles": at([4.0], 6)}),
    )


def _cross(x: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def _with_mixed_layouts(x: Tensor, angles: Tensor) -> Tensor:
    cos, sin = (part.repeat_interleave(2, dim=-1) for part in (angles.cos(), angles.sin()))
    return x * cos + _cross(x) * sin


def _twice(angles: Tensor) -> Tensor:
    return torch.cat([angles, angles], dim=-1)


def _interleaved(x: Tensor, angles: Tensor) -> Tensor:
    order = half_split_order(x.shape[-1])
    return _rotate_halves(x[:, order], angles)[:, order.argsort()]


_MISTAKES = mistakes(
    _with_mixed_layouts,
    "You mix two layouts. The angles are repeated for neighboring pairs, 0, 0, 1, 1, …, but the "
    "entries are paired by halves. Entry i and entry i + K/2 need the same angle.",
    lambda x, a: x * _twice(a).cos() + _cross(x) * a.sin().repeat_interleave(2, dim=-1),
    "The cosines are right; the sines are still repeated for neighbors, 0, 0, 1, 1.",
    lambda x, a: x * a.cos().repeat_interleave(2, dim=-1) + _cross(x) * _twice(a).sin(),
    "The sines are right; the cosines are still repeated for neighbors, 0, 0, 1, 1.",
    _interleaved,
    "You pair neighbors, (0, 1), (2, 3), …, as in the paper. This is also a rotation, but here "
    "pair entry i with entry i + K/2.",
    lambda x, a: _rotate_halves(x, -a),
    "The rotation goes backwards: the sine of the first half needs a minus sign, that of the "
    "second half does not.",
    lambda x, a: x * _twice(a).cos() + torch.cat([*x.chunk(2, -1)[::-1]], -1) * _twice(a).sin(),
    "A minus sign is missing. Without it this is not a rotation, and lengths can change.",
    lambda x, a: _rotate_halves(x, a[:, :1]),
    "You turn all pairs by the first angle. Each pair has its own angle.",
    lambda x, a: _rotate_halves(x, a)[:, half_split_order(x.shape[-1]).argsort()],
    "The numbers are right but in the wrong columns: the result is in the other layout.",
)


def _rotate_by_complex_numbers(x: Tensor, angles: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], dim=-1)


def _draw(draw: Draw) -> Inputs:
    t, half = draw.size(), draw.size()
    return draw.normal(t, 2 * half), draw.normal(t, half, size=draw.choice(1, 10))


rotate_halves = Exercise(
    name="rotary_positions.rotate_halves",
    reference=_rotate_halves,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _rotate_by_complex_numbers,
        lambda x, a: x * _twice(a).cos() + _cross(x) * _twice(a).sin(),
    ),
    draw=_draw,
    hint_texts=(
        "Take K = 4. Entry 0 is paired with entry 2. Which angle is in the cosine of entry 0, and "
        "which in that of entry 2?",
        "repeat_interleave gives 0, 0, 1, 1: the angles of neighboring pairs. Halves need 0, 1, "
        "0, 1.",
        "Write torch.cat([angles.cos(), angles.cos()], dim=-1), and the same with sin. The other "
        "lines are right.",
    ),
    starter='''\
def rotate_halves(x, angles):
    """Turn the pairs (i, i + K/2) of x (T, K) by angles (T, K/2)."""
    cos = angles.cos().repeat_interleave(2, dim=-1)
    sin = angles.sin().repeat_interleave(2, dim=-1)
    first, second = x.chunk(2, dim=-1)
    crossed = torch.cat([-second, first], dim=-1)
    return x * cos + crossed * sin
''',
    remarks=(GRADIENT,),
)
