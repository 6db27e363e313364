"""Count the bytes of a decoding step: weights that all texts share, and caches that none share."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _cases() -> tuple[Case, ...]:
    def case(name: str, sizes: list[list[int]], weights: int) -> Case:
        return Case(name, {"sizes": torch.tensor(sizes), "weights": weights})

    llama = [[32, 32, 128, 2048, 1], [32, 32, 128, 2048, 8], [32, 8, 128, 2048, 8]]
    return (
        case("LLaMA: one text, eight texts, and eight with fewer heads", llama, 6_700_000_000),
        case("a small model", [[2, 4, 8, 10, 3], [2, 4, 8, 20, 3]], 26_000),
        case("one layer, one head, three texts", [[1, 1, 5, 7, 3]], 40),
        case("one token in one text", [[3, 2, 4, 1, 1]], 1_000),
    )


def _bytes(
    sizes: Tensor,
    weights: int,
    *,
    size: int = 2,
    parts: int = 2,
    without: int | None = None,
    weights_for_each: bool = False,
    per_step: bool = False,
    with_cache: bool = True,
) -> Tensor:
    columns = list(sizes.double().unbind(dim=1))
    texts = columns[4]
    if without is not None:
        columns[without] = torch.ones_like(texts)
    cache = size * parts * torch.stack(columns).prod(dim=0)
    model = size * weights * (texts if weights_for_each else 1.0)
    read = model + cache if with_cache else model + torch.zeros_like(cache)
    return torch.stack([cache, read if per_step else read / texts], dim=1)


def _row_by_row(sizes: Tensor, weights: int) -> Tensor:
    rows = []
    for layers, heads, width, tokens, texts in sizes.tolist():
        one = 4 * layers * heads * width * tokens
        rows.append([one * texts, 2 * weights / texts + one])
    return torch.tensor(rows, dtype=torch.float64)


def _at_once(sizes: Tensor, weights: int) -> Tensor:
    numbers = sizes.double()
    own = 4 * numbers[:, :4].prod(dim=1)
    return torch.stack([4 * numbers.prod(dim=1), 2 * weights / numbers[:, 4] + own], dim=1)


_MISTAKES = mistakes(
    lambda s, w: _bytes(s, w, parts=1),
    "The cache has a key and a value for each token, but only one of the two is counted.",
    lambda s, w: _bytes(s, w, without=4),
    "The cache is counted for one text. Every text has its own keys and values.",
    lambda s, w: _bytes(s, w, without=0),
    "The cache is counted for one layer. Every layer has its own keys and values.",
    lambda s, w: _bytes(s, w, without=1),
    "The cache is counted for one head. Every head of keys and values has its own.",
    lambda s, w: _bytes(s, w, weights_for_each=True),
    "The weights are counted once for each text. They are read once in a step, for all texts.",
    lambda s, w: _bytes(s, w, per_step=True),
    "The second column is what the whole step reads. Each text gets one new token, so divide by "
    "the number of texts.",
    lambda s, w: _bytes(s, w, with_cache=False),
    "Only the weights are read. A new token attends to all earlier ones, so it reads the cache.",
    lambda s, w: _bytes(s, w, size=4),
    "You count 4 bytes for each number. Here a number has 2 bytes.",
    lambda s, w: _bytes(s, w, size=1),
    "These are numbers, not bytes. A number has 2 bytes.",
)


def _draw(draw: Draw) -> Inputs:
    rows = [[draw.size(1, 9) for _ in range(5)] for _ in range(draw.size())]
    return torch.tensor(rows), draw.size(100, 900)


decode_bytes = Exercise(
    name="cost_and_order.decode_bytes",
    reference=_bytes,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_row_by_row, _at_once),
    draw=_draw,
    hint_texts=(
        "What does a layer keep for each token? And what does a step read only once for all texts?",
        "The cache has a key and a value for each layer, head, token and text, each d_head wide. "
        "The weights are read once for the whole step, which writes one token for each text.",
        "With layers, heads, width, tokens, texts = sizes.double().unbind(dim=1): cache = 2 * 2 * "
        "layers * heads * width * tokens * texts, and the second column is (2 * weights + cache) "
        "/ texts.",
    ),
    starter='''\
def decode_bytes(sizes, weights):
    """Count the bytes of one decoding step, which adds a token to each text.

    sizes: ints (N, 5), in each row: layers, heads of keys and values,
    d_head, tokens so far in each text, texts. Returns float64 (N, 2): the
    bytes of the KV cache of all texts, and the bytes read for each new token.
    """
    raise NotImplementedError
''',
)
