"""Turn neighboring pairs by position times frequency."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.positions import half_split_order, sinusoidal_frequencies

_normal = normal_numbers("rotary_positions.rotary")


def _turn(x: Tensor, angles: Tensor) -> Tensor:
    even, odd = x[:, 0::2], x[:, 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(1)


def _rotary(x: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    return _turn(x, positions[:, None] * omega)


def _cases() -> tuple[Case, ...]:
    def case(name: str, x: Tensor, places: list[float]) -> Case:
        omega = sinusoidal_frequencies(x.shape[1]).to(x.dtype)
        return Case(
            name, {"x": x, "positions": torch.tensor(places, dtype=x.dtype), "omega": omega}
        )

    worked = torch.tensor([[2.0, 3, 4, 1], [1, 0, 1, 0]])
    free = {"x": _normal(4, 10), "positions": _normal(4), "omega": _normal(5).abs()}
    return (
        case("the query at 1 and the key at 0", worked, [1, 0]),
        case("one pair: T=3, K=2", _normal(3, 2), [0, 1, 2]),
        case("positions 9, 2, 0, 30, 5: T=5, K=6", _normal(5, 6), [9, 2, 0, 30, 5]),
        case(
            "far positions in float64: T=2, K=8",
            _normal(2, 8, dtype=torch.float64),
            [5000.0, 4999.0],
        ),
        case("one token: T=1, K=4", _normal(1, 4), [3]),
        Case("any positions and frequencies: T=4, K=10", free),
    )


def _halves(x: Tensor, angles: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def _with_new_first_entries(x: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    even, odd = x[:, 0::2], x[:, 1::2]
    angles = positions[:, None] * omega
    even = even * angles.cos() - odd * angles.sin()
    return torch.stack([even, even * angles.sin() + odd * angles.cos()], dim=-1).flatten(1)


def _mirrored(x: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    turned = _rotary(x, positions, omega)
    wrong = x[:, 0::2] * (positions[:, None] * omega).sin()
    return torch.stack([turned[:, 0::2], 2 * wrong - turned[:, 1::2]], dim=-1).flatten(1)


_MISTAKES = mistakes(
    lambda x, p, w: _halves(x, p[:, None] * w),
    "Entry i is paired with entry i + K/2. This is a rotation, in the half-split layout; here "
    "neighbors are paired, (0, 1), (2, 3), …",
    lambda x, p, w: _turn(x, -p[:, None] * w),
    "The pairs turn backwards. Counterclockwise, the minus stands in the first entry: "
    "x cos θ − y sin θ.",
    lambda x, p, w: _turn(x, torch.arange(len(p)).to(p)[:, None] * w),
    "The positions are counted from 0 again instead of taken from the argument.",
    lambda x, p, w: _turn(x, p[:, None] * w[:1]),
    "All pairs turn with the first frequency. Each pair has its own.",
    _with_new_first_entries,
    "The second entries are computed from the new first ones. Both need the old ones: keep "
    "these until both are done.",
    lambda x, p, w: _turn(x, p[:, None] * w)[:, half_split_order(x.shape[1])],
    "The right numbers in the wrong columns: all first entries come first here. Put the two "
    "entries of a pair side by side again.",
    _mirrored,
    "Both entries have a minus, which is no rotation: lengths can change. The second entry "
    "adds: x sin θ + y cos θ.",
)


def _by_complex_numbers(x: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    pairs = torch.view_as_complex(x.view(len(x), -1, 2).contiguous())
    angles = positions[:, None] * omega
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(1)


def _by_crossing(x: Tensor, positions: Tensor, omega: Tensor) -> Tensor:
    angles = (positions[:, None] * omega).repeat_interleave(2, dim=-1)
    crossed = torch.stack([-x[:, 1::2], x[:, 0::2]], dim=-1).flatten(1)
    return x * angles.cos() + crossed * angles.sin()


def _draw(draw: Draw) -> Inputs:
    t, half = draw.size(), draw.size()
    return draw.normal(t, 2 * half), draw.normal(t, size=10), draw.normal(half).abs()


rotary = Exercise(
    name="rotary_positions.rotary",
    reference=_rotary,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_complex_numbers, _by_crossing),
    draw=_draw,
    hint_texts=(
        "How many angles does one token need, if its vector has K entries? What do they depend on?",
        "Split the columns into x[:, 0::2] and x[:, 1::2], turn them by positions[:, None] * "
        "omega, and put the results side by side again, pair by pair.",
        "With even and odd the two halves: stack [even * cos - odd * sin, even * sin + odd * cos] "
        "on a new last axis and flatten it into columns.",
    ),
    starter='''\
def rotary(x, positions, omega):
    """Turn the pairs of x (T, K) by positions (T,) times omega (K/2,)."""
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
