"""Drop what a window cache no longer needs, and keep the first tokens as sinks."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("a_decoder_of_today.evict")


def _evict(keys: Tensor, sinks: int, window: int) -> Tensor:
    position = torch.arange(len(keys))
    return keys[(position < sinks) | (position >= len(keys) - window)]


def _case(
    name: str, length: int, sinks: int, window: int, width: int = 2, random: bool = False
) -> Case:
    keys = torch.arange(1.0 * width * length).reshape(length, width)
    if random:
        keys = _normal(length, width, dtype=torch.float64)
    return Case(name, {"keys": keys, "sinks": sinks, "window": window})


_CASES = (
    _case("8 tokens, 1 sink, a window of 3", 8, 1, 3),
    _case("4 sinks, a window of 5, random keys in float64", 20, 4, 5, random=True),
    _case("a text as long as sinks and window together", 7, 3, 4),
    _case("a shorter text: nothing to drop", 5, 3, 4),
    _case("a text shorter than the window", 3, 1, 6),
    _case("a text shorter than the sinks", 2, 4, 1),
    _case("no sinks", 9, 0, 4),
    _case("sinks only: a window of 0", 6, 2, 0),
    _case("one number for each key, and one key stays", 4, 0, 1, width=1),
)


def _joined(keys: Tensor, sinks: int, window: int) -> Tensor:
    return torch.cat([keys[:sinks], keys[-window:]])


def _joined_if_longer(keys: Tensor, sinks: int, window: int) -> Tensor:
    return keys if len(keys) <= sinks + window else _joined(keys, sinks, window)


_MISTAKES = mistakes(
    _joined,
    "Two things go wrong. A text shorter than sinks and window together has tokens in both parts, "
    "and they are kept twice. And keys[-0:] is not empty: it is everything.",
    _joined_if_longer,
    "A window of 0 keeps the whole text, because keys[-0:] is everything. Count from the front: "
    "keys[len(keys) - window:].",
    lambda keys, sinks, window: (
        torch.cat([keys[:sinks], keys[len(keys) - window :]])
        if window <= len(keys)
        else torch.cat([keys[:sinks], keys])
    ),
    "In a text that is shorter than sinks and window together, some tokens are in both parts and "
    "are kept twice.",
    lambda keys, sinks, window: keys[max(0, len(keys) - window) :],
    "The first tokens are dropped. The sinks stay, however long the text becomes.",
    lambda keys, sinks, window: keys[max(0, len(keys) - window - sinks) :],
    "You made the window longer instead of keeping the first tokens.",
    lambda keys, sinks, window: keys[: sinks + window],
    "You keep the first sinks + window tokens. After the sinks come the latest tokens.",
    lambda keys, sinks, window: _evict(keys, sinks, max(0, window - sinks)),
    "The sinks are counted as part of the window. Here the window counts the latest tokens alone.",
    lambda keys, sinks, window: _evict(keys, sinks, window + 1),
    "One token too many is kept.",
    lambda keys, sinks, window: torch.cat([keys[max(sinks, len(keys) - window) :], keys[:sinks]]),
    "The right keys in the wrong order: the sinks come first, as they did in the text.",
)


def _by_two_slices(keys: Tensor, sinks: int, window: int) -> Tensor:
    return torch.cat([keys[:sinks], keys[max(sinks, len(keys) - window) :]])


def _one_by_one(keys: Tensor, sinks: int, window: int) -> Tensor:
    first_recent = len(keys) - window
    kept = [row for i, row in enumerate(keys) if i < sinks or i >= first_recent]
    return torch.stack(kept) if kept else keys[:0]


def _draw(draw: Draw) -> Inputs:
    return draw.normal(draw.size(1, 12), draw.size()), draw.size(0, 4), draw.size(0, 6)


evict = Exercise(
    name="a_decoder_of_today.evict",
    reference=_evict,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_two_slices, _one_by_one),
    draw=_draw,
    hint_texts=(
        "Write down which positions are kept for 8 tokens, 1 sink and a window of 3. And for 5 "
        "tokens, 3 sinks and a window of 4?",
        "A token is kept if its position is below sinks, or at least len(keys) - window. Make a "
        "mask of both conditions, or let the second slice begin where the first one ends.",
        "torch.cat([keys[:sinks], keys[max(sinks, len(keys) - window):]])",
    ),
    starter='''\
def evict(keys, sinks, window):
    """Return the rows of keys (S, K) that stay in the cache, in their order.

    The first `sinks` tokens stay forever, and so do the latest `window`
    tokens. Everything else is dropped. No token is kept twice.
    """
    raise NotImplementedError
''',
)
