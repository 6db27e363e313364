"""How long a linear layer takes: its arithmetic or its traffic, whichever is slower."""

from collections.abc import Callable

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

_Answer = tuple[float, str]
_Roof = Callable[[int, int, int, int, float, float], _Answer]
_NAMES = ("rows", "d_in", "d_out", "bytes_per_number", "flops", "bandwidth")


def _operations(rows: int, d_in: int, d_out: int) -> int:
    return 2 * rows * d_in * d_out


def _numbers(rows: int, d_in: int, d_out: int) -> int:
    return rows * d_in + d_in * d_out + rows * d_out


def _slower(compute: float, traffic: float) -> _Answer:
    return max(compute, traffic), "compute" if compute > traffic else "memory"


def _with(
    operations: Callable[[int, int, int], float] = _operations,
    numbers: Callable[[int, int, int], float] = _numbers,
    answer: Callable[[float, float], _Answer] = _slower,
) -> _Roof:
    """Return an estimate in which one of the steps is another."""

    def roofline(
        rows: int, d_in: int, d_out: int, bytes_per_number: int, flops: float, bandwidth: float
    ) -> _Answer:
        traffic = bytes_per_number * numbers(rows, d_in, d_out) / bandwidth
        return answer(operations(rows, d_in, d_out) / flops, traffic)

    return roofline


def _case(name: str, *values: float) -> Case:
    return Case(name, dict(zip(_NAMES, values, strict=True)))


_CASES = (
    _case("two rows, 3 features to 4, by hand", 2, 3, 4, 2, 8.0, 26.0),
    _case("the same on a slow memory", 2, 3, 4, 2, 8.0, 4.0),
    _case("one token, a square matrix, 2 bytes", 1, 4096, 4096, 2, 1e6, 2e4),
    _case("2,048 tokens on the same machine", 2048, 4096, 4096, 2, 1e6, 2e4),
    _case("from 512 to 5 features", 300, 512, 5, 4, 1e4, 1e4),
    _case("from 5 to 512 features", 30, 5, 512, 4, 1e3, 1e4),
    _case("more rows than the matrix has numbers", 1000, 3, 2, 8, 1e3, 5e3),
    _case("one number", 1, 1, 1, 4, 2.0, 24.0),
)


_MISTAKES = mistakes(
    _with(answer=lambda c, m: (c + m, _slower(c, m)[1])),
    "Both times are added. A machine computes while the next numbers arrive, so only the longer "
    "time counts.",
    _with(answer=lambda c, m: (min(c, m), _slower(c, m)[1])),
    "The shorter time is taken. The step ends when both are finished.",
    _with(answer=lambda c, m: (max(c, m), _slower(m, c)[1])),
    "The time is right, but the bound is wrong: the longer time is the one that limits the step.",
    _with(operations=lambda t, d, e: t * d * e),
    "A multiply–add is counted as one operation. It is a multiplication and an addition: two.",
    _with(numbers=lambda t, d, e: d * e),
    "Only the weights are moved. The inputs must be read as well, and the outputs written.",
    _with(numbers=lambda t, d, e: t * d + d * e),
    "The outputs are not written. They are rows · d_out numbers that are written to memory.",
    _with(numbers=lambda t, d, e: t * d + t * e),
    "The weights are not read. They are d_in · d_out numbers that are read from memory.",
    _with(numbers=lambda t, d, e: t * d + t * d * e + t * e),
    "The weights are counted once for each row. They are read once for all rows.",
    lambda t, d, e, size, flops, bandwidth: _with()(t, d, e, 1, flops, bandwidth),
    "The numbers are counted as bytes. Each number has bytes_per_number bytes.",
    lambda t, d, e, size, flops, bandwidth: _with()(t, d, e, size, bandwidth, flops),
    "The two speeds are exchanged: operations are divided by flops, bytes by bandwidth.",
)


def _by_intensity(
    rows: int, d_in: int, d_out: int, bytes_per_number: int, flops: float, bandwidth: float
) -> _Answer:
    """Operations for each byte, against what the machine can do while a byte comes."""
    work = _operations(rows, d_in, d_out)
    moved = bytes_per_number * _numbers(rows, d_in, d_out)
    reached = min(flops, work / moved * bandwidth)
    return work / reached, "compute" if reached == flops else "memory"


def _in_a_dict(
    rows: int, d_in: int, d_out: int, bytes_per_number: int, flops: float, bandwidth: float
) -> _Answer:
    numbers = d_in * (rows + d_out) + rows * d_out
    times = {
        "compute": (rows * d_in * d_out + rows * d_in * d_out) / flops,
        "memory": numbers * bytes_per_number / bandwidth,
    }
    bound = max(times, key=lambda name: times[name])
    return times[bound], bound


def _draw(draw: Draw) -> Inputs:
    """Speeds off the ridge: a tie has no bound."""
    sizes = draw.choice(1, draw.size(2, 300)), draw.size(1, 60), draw.size(1, 60)
    rows, d_in, d_out = sizes
    number, moved = draw.choice(1, 2, 4, 8), rows * d_in + d_in * d_out + rows * d_out
    ridge = 2 * rows * d_in * d_out / (number * moved)
    flops = 1000.0 * draw.size(1, 9)
    return *sizes, number, flops, flops / ridge * draw.choice(0.2, 0.7, 1.6, 11.0)


roofline = Exercise(
    name="at_scale.roofline",
    reference=_with(),
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_intensity, _in_a_dict),
    draw=_draw,
    hint_texts=(
        "Take the first case. How many multiplications, how many additions? Which three matrices "
        "are moved, and how many numbers does each of them have?",
        "Divide the operations by flops and the bytes by bandwidth. Both happen at the same time. "
        "When does the step end?",
        "compute = 2 * rows * d_in * d_out / flops and memory = bytes_per_number * (rows * d_in + "
        "d_in * d_out + rows * d_out) / bandwidth. Return the larger one and its name.",
    ),
    starter='''\
def roofline(rows, d_in, d_out, bytes_per_number, flops, bandwidth):
    """The least time of x W, x (rows, d_in): (seconds, bound).

    flops: operations a second; a multiply-add is two. bandwidth: bytes a
    second; x and W are read once, the result is written once. Both go on
    at the same time. bound: "compute" or "memory", the slower; no ties.
    """
    raise NotImplementedError
''',
)
