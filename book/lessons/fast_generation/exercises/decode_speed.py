"""How many tokens a second a server writes, and whether memory or arithmetic limits it."""

from collections.abc import Callable

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

_Answer = tuple[float, str]
_Speed = Callable[[int, float, float, float, float, float], _Answer]
_NAMES = ("texts", "parameters", "weight_bytes", "cache_bytes", "flops", "bandwidth")


def _operations(texts: int, parameters: float) -> float:
    return 2 * texts * parameters


def _bytes(texts: int, weights: float, cache: float) -> float:
    return weights + texts * cache


def _both(compute: float, traffic: float) -> float:
    return max(compute, traffic)


def _limit(compute: float, traffic: float) -> str:
    return "compute" if compute > traffic else "memory"


def _all(texts: int, seconds: float) -> float:
    return texts / seconds


def _with(
    operations: Callable[[int, float], float] = _operations,
    read: Callable[[int, float, float], float] = _bytes,
    together: Callable[[float, float], float] = _both,
    limit: Callable[[float, float], str] = _limit,
    speed: Callable[[int, float], float] = _all,
) -> _Speed:
    """Return an estimate in which one of the steps may be another."""

    def decode_speed(
        texts: int,
        parameters: float,
        weight_bytes: float,
        cache_bytes: float,
        flops: float,
        bandwidth: float,
    ) -> _Answer:
        compute = operations(texts, parameters) / flops
        traffic = read(texts, weight_bytes * parameters, cache_bytes) / bandwidth
        return speed(texts, together(compute, traffic)), limit(compute, traffic)

    return decode_speed


def _case(name: str, *values: float) -> Case:
    return Case(name, dict(zip(_NAMES, values, strict=True)))


_CASES = (
    _case("one text, ten parameters, by hand", 1, 10.0, 2.0, 0.0, 100.0, 10.0),
    _case("three texts with a cache of 4 bytes each", 3, 10.0, 2.0, 4.0, 100.0, 10.0),
    _case("the same three texts on a slow processor", 3, 10.0, 2.0, 4.0, 4.0, 10.0),
    _case("8 billion parameters in 2 bytes, one text", 1, 8e9, 2.0, 1.3e8, 125e12, 600e9),
    _case("the same model in half a byte, 16 texts", 16, 8e9, 0.5, 1.3e8, 125e12, 600e9),
    _case("400 short texts", 400, 8e9, 2.0, 1e6, 125e12, 600e9),
    _case("400 long texts", 400, 8e9, 2.0, 1e9, 125e12, 600e9),
)


_MISTAKES = mistakes(
    _with(read=lambda texts, weights, cache: texts * (weights + cache)),
    "The weights are read once for each text. One reading of the weights serves all texts of a "
    "step.",
    _with(read=lambda texts, weights, cache: weights + cache),
    "The cache of only one text is read. Each text has its own cache.",
    _with(read=lambda texts, weights, cache: weights),
    "The cache is missing. A step reads the keys and values of all texts.",
    _with(together=lambda compute, traffic: compute + traffic),
    "Both times are added. The processor computes while the next bytes arrive, so the slower of "
    "the two decides.",
    _with(together=min),
    "This is the faster of the two times. The step is over only when both are.",
    _with(operations=lambda texts, parameters: texts * parameters),
    "A multiply–add is counted as one operation. It is a multiplication and an addition: two.",
    _with(operations=lambda texts, parameters: 2 * parameters),
    "The operations are those of one text. Every text needs its own products with the weights.",
    _with(speed=lambda texts, seconds: 1 / seconds),
    "This is the speed of one text. A step writes a token in each text: add them up.",
    _with(speed=lambda texts, seconds: seconds),
    "This is how many seconds a step takes. Divide the number of its tokens by it.",
    _with(limit=lambda compute, traffic: _limit(traffic, compute)),
    "The speed is right, but the limit is the other one: the larger of the two times names it.",
    lambda t, n, size, cache, flops, bandwidth: _with()(t, n, 1.0, cache, flops, bandwidth),
    "Weights are counted as bytes. Each of them has weight_bytes.",
)


def _by_rates(
    texts: int,
    parameters: float,
    weight_bytes: float,
    cache_bytes: float,
    flops: float,
    bandwidth: float,
) -> _Answer:
    """Return the smaller of two speeds: that of the arithmetic and that of the memory."""
    arithmetic = flops / (2 * parameters)
    memory = bandwidth / (parameters * weight_bytes / texts + cache_bytes)
    return (arithmetic, "compute") if arithmetic < memory else (memory, "memory")


def _by_intensity(
    texts: int,
    parameters: float,
    weight_bytes: float,
    cache_bytes: float,
    flops: float,
    bandwidth: float,
) -> _Answer:
    """Compare the operations for each byte with those that the machine does per byte."""
    work = 2 * texts * parameters
    moved = parameters * weight_bytes + texts * cache_bytes
    is_fast = work / moved > flops / bandwidth
    rate = flops if is_fast else work / moved * bandwidth
    return texts * rate / work, "compute" if is_fast else "memory"


def _draw(draw: Draw) -> Inputs:
    """Keep away from the ridge, where both times are equal."""
    texts, parameters = draw.choice(1, draw.size(2, 300)), 1000.0 * draw.size(1, 9)
    size, cache = draw.choice(0.5, 1.0, 2.0, 4.0), 100.0 * draw.size(0, 9)
    ridge = 2 * texts * parameters / (parameters * size + texts * cache)
    flops = 1e6 * draw.size(1, 9)
    return texts, parameters, size, cache, flops, flops / ridge * draw.choice(0.1, 0.6, 1.7, 12.0)


decode_speed = Exercise(
    name="fast_generation.decode_speed",
    reference=_with(),
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_rates, _by_intensity),
    draw=_draw,
    hint_texts=(
        "Which of the three things, the operations, the weights and the caches, grow with the "
        "number of texts?",
        "Divide the operations by flops and the bytes by bandwidth. The step takes the longer of "
        "the two times. How many tokens does it write?",
        "compute = 2 * texts * parameters / flops and memory = (weight_bytes * parameters + texts "
        "* cache_bytes) / bandwidth. Return texts / max(compute, memory) and the name.",
    ),
    starter='''\
def decode_speed(
    texts, parameters, weight_bytes, cache_bytes, flops, bandwidth
):
    """Tokens a second of all texts together: (speed, "memory" or "compute").

    A step writes one token in each text: 2 operations for each parameter
    and token. It reads the weights, weight_bytes for each parameter, and
    cache_bytes for each text. It computes and reads at the same time.
    """
    raise NotImplementedError
''',
)
