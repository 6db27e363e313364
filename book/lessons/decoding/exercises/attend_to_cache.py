"""Find the bug: a causal mask that is aligned at the wrong end of a cache."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.attention import masked_softmax

_normal = normal_numbers("decoding.attend_to_cache")


def _attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = query @ key.mT / key.shape[-1] ** 0.5
    return masked_softmax(scores, mask) @ value


def _open(query: Tensor, key: Tensor, diagonal: int) -> Tensor:
    return torch.ones(len(query), len(key), dtype=torch.bool).tril(diagonal)


def _reference(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return _attend(query, key, value, _open(query, key, len(key) - len(query)))


def _cases() -> tuple[Case, ...]:
    def case(
        name: str, t: int, s: int, d: int, dtype: torch.dtype = torch.float32, v: int = 3
    ) -> Case:
        query, key = _normal(t, d, dtype=dtype), _normal(s, d, dtype=dtype)
        # The key that the last query must see, or the first one must not, gets the highest score.
        key[-1] = 2 * query.sum(dim=0)
        return Case(name, {"query": query, "key": key, "value": _normal(s, v, dtype=dtype)})

    return (
        case("one new token, five keys in all", 1, 5, 4),
        case("three new tokens, seven keys in all", 3, 7, 4),
        case("a prompt of four tokens, an empty cache", 4, 4, 2),
        case("float64, two new tokens, three keys in all", 2, 3, 5, torch.float64),
        case("values of one number, two new tokens, six keys in all", 2, 6, 4, v=1),
        case("the very first token", 1, 1, 4),
    )


def _new_only(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    new = len(query)
    return _attend(query, key[-new:], value[-new:], _open(query, key[-new:], 0))


_MISTAKES = mistakes(
    lambda q, k, v: _attend(q, k, v, _open(q, k, 0)),
    "The mask is aligned at the first key, so the first new token attends to one key only. The new "
    "tokens are the last keys. Align the mask at the last key.",
    _attend,
    "There is no mask. If there are several new tokens, the earlier ones attend to the later ones.",
    lambda q, k, v: _attend(q, k, v, _open(q, k, len(k) - len(q) - 1)),
    "The mask ends one key too early: a new token does not attend to itself.",
    lambda q, k, v: _attend(q, k, v, _open(q, k, len(k) - len(q) + 1)),
    "The mask ends one key too late: a new token attends to the one after it.",
    _new_only,
    "The new tokens attend only to each other. The keys and values in the cache are not used.",
    lambda query, key, value: _reference(query * key.shape[-1] ** 0.5, key, value),
    "The scores are not divided by the square root of the head width.",
)


def _token_by_token(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    before = len(key) - len(query)
    rows = []
    for i, q in enumerate(query):
        seen = before + i + 1
        weights = torch.softmax(key[:seen] @ q / len(q) ** 0.5, dim=0)
        rows.append(weights @ value[:seen])
    return torch.stack(rows)


def _by_places(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    place = torch.arange(len(key))
    ahead = place[None, :] > place[-len(query) :, None]
    scores = query @ key.T / query.shape[-1] ** 0.5
    return scores.masked_fill(ahead, -torch.inf).softmax(dim=-1) @ value


def _draw(draw: Draw) -> Inputs:
    t = draw.size()
    s, d, v = t + draw.size(0, 4), draw.size(), draw.size()
    return draw.normal(t, d, size=draw.choice(1, 3)), draw.normal(s, d), draw.normal(s, v)


attend_to_cache = Exercise(
    name="decoding.attend_to_cache",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_token_by_token, _by_places),
    draw=_draw,
    hint_texts=(
        "Print the mask for one query and five keys. How many keys does the newest token attend "
        "to?",
        "torch.ones(T, S).tril() starts at the top left corner. The last query must reach the last "
        "key. Which diagonal is that?",
        "tril(diagonal=len(key) - len(query)).",
    ),
    starter='''\
def attend_to_cache(query, key, value):
    """The newest tokens look back: (T, K), (S, K), (S, V) -> (T, V)."""
    scores = query @ key.T / key.shape[-1] ** 0.5
    seen = torch.ones(len(query), len(key)).tril().bool()
    return scores.masked_fill(~seen, -torch.inf).softmax(dim=-1) @ value
''',
)
