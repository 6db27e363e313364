"""Attend with one query to latents, for all heads."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("a_decoder_of_today.absorbed_attention")


def _attend(
    query: Tensor,
    up_key: Tensor,
    up_value: Tensor,
    latents: Tensor,
    *,
    scale: float | None = None,
    over: int = -1,
) -> Tensor:
    """Return the output of every head, (H, V)."""
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    moved = torch.einsum("hk,hlk->hl", query, up_key)
    weights = (moved @ latents.mT * scale).softmax(dim=over)
    return torch.einsum("hl,hlv->hv", weights @ latents, up_value)


def _cases() -> tuple[Case, ...]:
    def case(name: str, h: int, s: int, k: int, wide: int, v: int) -> Case:
        shapes = (h, k), (h, wide, k), (h, wide, v), (s, wide)
        names = ("query", "up_key", "up_value", "latents")
        values = [_normal(*shape, dtype=torch.float64) for shape in shapes]
        return Case(name, dict(zip(names, values, strict=True)))

    by_hand = {
        "query": torch.tensor([[1.0, 2.0]]),
        "up_key": torch.tensor([[[1.0, 0.0], [1.0, 1.0]]]),
        "up_value": torch.tensor([[[2.0], [0.0]]]),
        "latents": torch.tensor([[1.0, 0.0], [0.0, 1.0]]),
    }
    return (
        Case("one head, two latents, by hand", by_hand),
        case("3 heads, 5 latents", 3, 5, 4, 6, 2),
        case("all widths equal", 2, 4, 3, 3, 3),
        case("a latent narrower than a head", 2, 6, 5, 2, 4),
        case("one latent: its weight is 1", 3, 1, 2, 4, 3),
        case("as many heads as latents", 4, 4, 4, 4, 4),
    )


def _by_making(query: Tensor, up_key: Tensor, up_value: Tensor, latents: Tensor) -> Tensor:
    keys, values = latents @ up_key, latents @ up_value
    scores = (query[:, None] @ keys.mT)[:, 0] / query.shape[-1] ** 0.5
    return (scores.softmax(dim=-1)[:, None] @ values)[:, 0]


def _head_by_head(query: Tensor, up_key: Tensor, up_value: Tensor, latents: Tensor) -> Tensor:
    found = []
    for q, into_key, into_value in zip(query, up_key, up_value, strict=True):
        scores = latents @ (into_key @ q) / len(q) ** 0.5
        found.append(scores.softmax(dim=0) @ latents @ into_value)
    return torch.stack(found)


def _swapped(query: Tensor, up_key: Tensor, up_value: Tensor, latents: Tensor) -> Tensor:
    if up_key.shape[1] != up_key.shape[2]:
        return _attend(query, up_key, up_value, latents)
    return _attend(query, up_key.mT, up_value, latents)


def _only_first(query: Tensor, up_key: Tensor, up_value: Tensor, latents: Tensor) -> Tensor:
    return _attend(query, up_key[:1].expand_as(up_key), up_value, latents)


def _no_up_value(query: Tensor, up_key: Tensor, up_value: Tensor, latents: Tensor) -> Tensor:
    moved = torch.einsum("hk,hlk->hl", query, up_key)
    return (moved @ latents.mT * query.shape[-1] ** -0.5).softmax(dim=-1) @ latents


_MISTAKES = mistakes(
    lambda q, u, v, c: _attend(q, u, v, c, scale=1.0),
    "The scores are not divided. As always, divide them by the root of the key width K.",
    lambda q, u, v, c: _attend(q, u, v, c, scale=c.shape[-1] ** -0.5),
    "The scores are divided by the root of the latent's width. A score is still that of a query "
    "and a key of width K: divide by the root of K.",
    lambda q, u, v, c: _attend(q, u, v, c, over=0),
    "The softmax goes over the heads. Each head has its own weights, which sum to 1 over the "
    "latents.",
    _swapped,
    "Where K equals the width of a latent, up_key is transposed. A key is c @ up_key[h], so a "
    "latent is compared with up_key[h] @ q.",
    _only_first,
    "All heads use the matrix of the first head. Each head has a matrix of its own.",
    lambda q, u, v, c: _attend(q, u, v[:1].expand_as(v), c),
    "All heads use up_value of the first head. Head h has the values latents @ up_value[h].",
    _no_up_value,
    "These are mixtures of latents. Multiply the mixture of head h by up_value[h] to make it a "
    "mixture of values.",
    lambda q, u, v, c: _attend(q, u, v, c) / len(c),
    "The result is divided by the number of latents. The weights sum to 1 already.",
)


def _draw(draw: Draw) -> Inputs:
    h, s, k, wide, v = (draw.size() for _ in range(5))
    shapes = (h, k), (h, wide, k), (h, wide, v), (s, wide)
    return tuple(draw.normal(*shape) for shape in shapes)


absorbed_attention = Exercise(
    name="a_decoder_of_today.absorbed_attention",
    reference=_attend,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_making, _head_by_head),
    draw=_draw,
    hint_texts=(
        "The key of head h at a latent c would be c @ up_key[h]. Which vector, made from the "
        "query alone, has the same dot product with every latent?",
        "Multiply each query by its matrix once, (H, L). Then scores are (H, L) @ (L, S). Mix the "
        "latents with the weights, and multiply the mixture by up_value.",
        'moved = torch.einsum("hk,hlk->hl", query, up_key), then weights = (moved @ latents.T / '
        'K ** 0.5).softmax(dim=-1), then torch.einsum("hl,hlv->hv", weights @ latents, up_value).',
    ),
    starter='''\
def absorbed_attention(query, up_key, up_value, latents):
    """Attend with one query of each head to the cached latents: (H, V).

    query: (H, K); latents: (S, L), shared by all heads. Head h has the keys
    latents @ up_key[h] and the values latents @ up_value[h], with up_key of
    shape (H, L, K) and up_value (H, L, V). Divide the scores by √K.
    """
    raise NotImplementedError
''',
)
