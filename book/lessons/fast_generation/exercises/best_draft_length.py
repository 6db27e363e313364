"""Choose how many tokens to draft: the length with the largest expected speed-up."""

from collections.abc import Callable

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

_Answer = tuple[int, float]
_Best = Callable[[float, float, int], _Answer]
_NAMES = ("alpha", "cost", "longest")


def _tokens(alpha: float, k: int) -> float:
    return sum(alpha**i for i in range(k + 1))


def _passes(cost: float, k: int) -> float:
    return 1 + k * cost


def _with(
    tokens: Callable[[float, int], float] = _tokens,
    time: Callable[[float, int], float] = _passes,
    shortest: int = 0,
    by_tokens: bool = False,
    longest_of_equals: bool = False,
) -> _Best:
    """Return a search in which one of the steps may be another."""

    def best_draft_length(alpha: float, cost: float, longest: int) -> _Answer:
        lengths = range(shortest, longest + 1)
        speeds = {k: tokens(alpha, k) / time(cost, k) for k in lengths}
        ranks = {k: tokens(alpha, k) for k in lengths} if by_tokens else speeds
        best = max(lengths, key=lambda k: (ranks[k], k if longest_of_equals else -k))
        return best, speeds[best]

    return best_draft_length


def _case(name: str, *values: float) -> Case:
    return Case(name, dict(zip(_NAMES, values, strict=True)))


_CASES = (
    _case("alpha 0.5, cost 0.1: by hand", 0.5, 0.1, 4),
    _case("a good and cheap draft", 0.8, 0.05, 10),
    _case("a good draft that costs a third of a pass", 0.8, 0.33, 10),
    _case("a draft that is as slow as the model", 0.9, 1.0, 8),
    _case("a draft that is always rejected", 0.0, 0.1, 5),
    _case("a free draft, at most three tokens", 0.6, 0.0, 3),
    _case("a very good draft, up to 40 tokens", 0.93, 0.02, 40),
    _case("one token at most", 0.7, 0.2, 1),
    _case("a draft that costs as much as it saves", 0.5, 0.5, 6),
)


_MISTAKES = mistakes(
    _with(shortest=1),
    "Plain decoding, k = 0 with the speed-up 1, is not among the candidates. A bad or slow draft "
    "is worse than none.",
    _with(tokens=lambda alpha, k: sum(alpha**i for i in range(1, k + 1))),
    "Only the accepted tokens are counted. Each pass writes one more: the replacement, or the "
    "token after the draft.",
    _with(tokens=lambda alpha, k: sum(alpha**i for i in range(max(1, k)))),
    "The last term is missing: the sum goes up to alpha to the power k.",
    _with(tokens=lambda alpha, k: (1 - alpha**k) / (1 - alpha)),
    "The sum up to alpha to the power k is (1 − alpha^(k + 1)) / (1 − alpha). With alpha^k in the "
    "formula the last term is missing.",
    _with(tokens=lambda alpha, k: 1 + k * alpha),
    "Each drafted token counts with alpha, as if a token could be accepted after one that was "
    "rejected. Token number i counts with alpha to the power i.",
    _with(time=lambda cost, k: 1 + cost * (k > 0)),
    "You count the cost of one drafted token. The draft model writes k of them, one by one.",
    _with(time=lambda cost, k: 1.0),
    "The time of the draft is missing.",
    _with(by_tokens=True),
    "This is the length with the most tokens for each pass. Divide by the time before you compare.",
    _with(longest_of_equals=True),
    "Of equally fast lengths this is the longest. Return the shortest.",
    lambda alpha, cost, longest: (
        _with()(alpha, cost, longest)[0],
        _tokens(alpha, _with()(alpha, cost, longest)[0]),
    ),
    "The length is right. The second number must be the speed-up: tokens divided by 1 + k · cost.",
)


def _by_formula(alpha: float, cost: float, longest: int) -> _Answer:
    best, most = 0, 1.0
    for k in range(1, longest + 1):
        speed = (1 - alpha ** (k + 1)) / ((1 - alpha) * (1 + k * cost))
        if speed > most + 1e-12:
            best, most = k, speed
    return best, most


def _step_by_step(alpha: float, cost: float, longest: int) -> _Answer:
    """Add one token after the other to the draft and keep the best length so far."""
    tokens, chance, found = 1.0, 1.0, (1.0, 0)
    for k in range(1, longest + 1):
        chance *= alpha
        tokens += chance
        found = max(found, (tokens / (1 + k * cost), -k))
    return -found[1], found[0]


def _draw(draw: Draw) -> Inputs:
    """Draw lengths that are equally good, or differ by more than rounding does."""
    alpha, equal = draw.size(1, 97) / 100, draw.choice(0.0, 0.25, 0.5)
    cost = draw.choice(1.0, draw.size(1, 60) / 137)
    free = max(alpha, 0.4), 0.0
    return *draw.choice((alpha, cost), (0.0, cost), free, (equal, equal)), draw.size(1, 20)


best_draft_length = Exercise(
    name="fast_generation.best_draft_length",
    reference=_with(),
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_formula, _step_by_step),
    draw=_draw,
    hint_texts=(
        "In the first case k = 1 writes 1 + 0.5 tokens on average and takes 1 + 0.1 passes. What "
        "are both numbers for k = 2? And for k = 0?",
        "For each k from 0 to longest divide the sum of alpha ** i, i from 0 to k, by 1 + k · "
        "cost. Keep the largest; of equal ones the shortest.",
        "speeds = [sum(alpha**i for i in range(k + 1)) / (1 + k * cost) for k in range(longest + "
        "1)]; best = speeds.index(max(speeds)); return best, speeds[best].",
    ),
    starter='''\
def best_draft_length(alpha, cost, longest):
    """Choose k from 0 to longest: (k, the expected speed-up).

    Each drafted token is accepted with the probability alpha, 0 to below 1,
    whatever came before. Drafting one token takes `cost` of the time of
    a pass; a pass over k + 1 tokens takes as long as one over a single
    token. Of equally fast lengths return the shortest.
    """
    raise NotImplementedError
''',
)
