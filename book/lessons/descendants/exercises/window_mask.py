"""The mask of a sliding window, for tokens that come after others in a cache."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

_Rule = Callable[[Tensor, int], Tensor]


def _offsets(size: int, start: int) -> Tensor:
    """Key minus query: negative in the past."""
    return torch.arange(start + size) - torch.arange(start, start + size)[:, None]


def _seen(rule: _Rule) -> Callable[[int, int, int], Tensor]:
    """Return a mask in which rule(offsets, window) says who is seen."""
    return lambda size, window, start: rule(_offsets(size, start), window)


def _inside(offset: Tensor, window: int) -> Tensor:
    return (offset <= 0) & (offset > -window)


_reference = _seen(_inside)


def _case(name: str, size: int, window: int, start: int) -> Case:
    return Case(name, {"size": size, "window": window, "start": start})


_CASES = (
    _case("four tokens, a window of 2, an empty cache", 4, 2, 0),
    _case("three new tokens after two in the cache, a window of 3", 3, 3, 2),
    _case("one new token after five, a window of 4", 1, 4, 5),
    _case("one token alone", 1, 3, 0),
    _case("a window longer than the text", 3, 9, 2),
    _case("a window of 1", 4, 1, 3),
    _case("seven tokens after four, a window of 5", 7, 5, 4),
)


def _from_zero(size: int, window: int, start: int) -> Tensor:
    offset = torch.arange(start + size) - torch.arange(size)[:, None]
    return _inside(offset, window)


_MISTAKES = mistakes(
    _from_zero,
    "The new tokens are numbered from 0, as if nothing came before them. Query i is at "
    "position start + i, so with a cache every row moves to the right.",
    lambda size, window, start: _inside(_offsets(size, 0), window),
    "The keys in the cache have no columns. There are start + size keys, those of the cache first.",
    lambda size, window, start: _inside(_offsets(start + size, 0), window),
    "There is a row for each token of the cache, too. They have been read before. Only the "
    "size new tokens have queries.",
    _seen(lambda offset, window: (offset <= 0) & (offset >= -window)),
    "A query sees one key too many. The window includes the token itself, so the farthest key "
    "is window − 1 back.",
    _seen(lambda offset, window: (offset < 0) & (offset >= -window)),
    "A token does not see itself. The window begins with the token and goes back from it.",
    _seen(lambda offset, window: offset.abs() < window),
    "The window extends to both sides, so a token sees later tokens.",
    _seen(lambda offset, window: (offset >= 0) & (offset < window)),
    "The window extends into the future: the difference of the positions has the wrong sign.",
    _seen(lambda offset, window: offset > -window),
    "The distant past is hidden, but the future is visible.",
    _seen(lambda offset, window: offset <= 0),
    "Only the future is hidden: window is not used.",
    _seen(lambda offset, window: ~_inside(offset, window)),
    "The mask is inverted. True means that a token may attend.",
)


def _by_bands(size: int, window: int, start: int) -> Tensor:
    past = torch.ones(size, start + size, dtype=torch.bool).tril(start)
    return past.triu(start - window + 1)


def _row_by_row(size: int, window: int, start: int) -> Tensor:
    mask = torch.zeros(size, start + size, dtype=torch.bool)
    for i in range(size):
        place = start + i
        mask[i, max(0, place - window + 1) : place + 1] = True
    return mask


def _draw(draw: Draw) -> Inputs:
    return draw.size(1, 7), draw.size(1, 9), draw.choice(0, draw.size(1, 9))


window_mask = Exercise(
    name="descendants.window_mask",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_bands, _row_by_row),
    draw=_draw,
    hint_texts=(
        "Draw the second case: five columns, the first two from the cache. At which position is "
        "the first new token, and which three keys does it see?",
        "Make two rows of numbers, the positions of the queries and those of the keys, and "
        "subtract them with broadcasting. Between which bounds must the difference be?",
        "back = torch.arange(start, start + size)[:, None] - torch.arange(start + size). Then "
        "(back >= 0) & (back < window).",
    ),
    starter='''\
def window_mask(size, window, start):
    """Who may attend to whom: (size, start + size), bool, True: may.

    `size` new tokens come after `start` others, whose keys are kept.
    A token sees `window` tokens: itself and those right before it.
    """
    raise NotImplementedError
''',
)
