"""Find the bug: a scale that stands upside down."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.attention import scaled_dot_product_attention

_normal = normal_numbers("scaling.attend_scaled")


def _attend(query: Tensor, key: Tensor, value: Tensor, factor: float) -> Tensor:
    """Attention whose scores are multiplied by `factor`."""
    return (query @ key.mT * factor).softmax(dim=-1) @ value


def _cases() -> tuple[Case, ...]:
    def draw(
        h: int, t: int, s: int, k: int, v: int, dtype: torch.dtype = torch.float32
    ) -> dict[str, Tensor]:
        shapes = {"query": (h, t, k), "key": (h, s, k), "value": (h, s, v)}
        return {name: 2 * _normal(*shape, dtype=dtype) for name, shape in shapes.items()}

    worked = {
        "query": torch.tensor([[[2.0, 3, 4, 1]]]),
        "key": torch.tensor([[[1.0, 0, 1, 0], [0, 1, 0, 1]]]),
        "value": torch.eye(2)[None],
    }
    large = draw(2, 3, 4, 5, 6, dtype=torch.float64)
    large["query"] *= 1000
    return (
        Case("keys of width 1, H=2, T=3, S=4", draw(2, 3, 4, 1, 5)),
        Case("one query [2, 3, 4, 1] and two keys; the values show the weights", worked),
        Case("H=3, T=2, S=5, K=6, V=4", draw(3, 2, 5, 6, 4)),
        Case("float64, H=2, T=5, S=3, K=16, V=6", draw(2, 5, 3, 16, 6, dtype=torch.float64)),
        Case("large scores, H=2, T=3, S=4, K=5, V=6", large),
        Case("one head, one query, H=1, T=1, S=3, K=2, V=4", draw(1, 1, 3, 2, 4)),
        Case("values of one number, H=3, T=2, S=4, K=5, V=1", draw(3, 2, 4, 5, 1)),
    )


_MISTAKES = mistakes(
    lambda q, k, v: _attend(q, k, v, q.shape[-1] ** 0.5),
    "scale is 1/√K, so dividing by it multiplies the scores by √K. The weights are too sharp.",
    lambda q, k, v: _attend(q, k, v, 1 / q.shape[-1]),
    "The scores are divided by K, not by its root: the weights are too even. This also happens "
    "when a query is scaled first and PyTorch's own function then scales once more.",
    lambda q, k, v: _attend(q, k, v, 1.0),
    "Nothing scales the scores: the weights are too sharp.",
    lambda q, k, v: _attend(q, k, v, v.shape[-1] ** -0.5),
    "The divisor is the root of the width of a value. The sum in a score runs over the "
    "entries of a key.",
    lambda q, k, v: _attend(q, k, v, k.shape[-2] ** -0.5),
    "The divisor is the root of the number of keys. It has to be the root of their width.",
    lambda q, k, v: _attend(q, k, v, (q.shape[0] * q.shape[-1]) ** -0.5),
    "The divisor is the root of all heads' widths together. Each head sums over its own "
    "entries only.",
    lambda q, k, v: _attend(q, k, v, 1.0) / q.shape[-1] ** 0.5,
    "The division comes after the softmax, so it only shrinks the output. The weights are as sharp "
    "as without it.",
)


def _draw(draw: Draw) -> Inputs:
    h, t, s, k, v = draw.size(), draw.size(), draw.size(), draw.size(), draw.size()
    query = draw.normal(h, t, k, size=draw.scale())
    return query, draw.normal(h, s, k), draw.normal(h, s, v)


attend_scaled = Exercise(
    name="scaling.attend_scaled",
    reference=scaled_dot_product_attention,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v),
        lambda q, k, v: (q @ k.mT / k.shape[-1] ** 0.5).softmax(dim=-1) @ v,
    ),
    draw=_draw,
    hint_texts=(
        "For keys of width 1 the result is right. Which operation changes nothing when the width "
        "is 1, but makes scores larger when it is 4?",
        "Print scale for a width of 4. Do you divide by such a number or multiply?",
        "scale is 0.5 for a width of 4, so the scores are query @ key.mT * scale. Or leave out the "
        "minus sign in the power, and go on dividing.",
    ),
    starter='''\
def attend_scaled(query, key, value):
    """Scaled attention: (H, T, K), (H, S, K), (H, S, V) -> (H, T, V)."""
    scale = key.shape[-1] ** -0.5
    scores = query @ key.mT / scale
    return scores.softmax(dim=-1) @ value
''',
    remarks=(GRADIENT,),
)
