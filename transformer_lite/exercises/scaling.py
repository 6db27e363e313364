"""Chapter 7, scaling: gaps, temperature, the gradient of softmax, a scale upside down."""

import torch

from transformer_lite.attention import masked_softmax, scaled_dot_product_attention
from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers

_double = torch.float64
_normal = normal_numbers(7)
BUG_HUNTS = ("attend_scaled",)


def _shares(*numbers: float, dtype=torch.float32) -> dict:
    return {"share": torch.tensor(numbers, dtype=dtype)}


_GAP_MISTAKES = (
    Mistake(
        lambda share: torch.log(share),
        "This is the logarithm of the share alone. The gap compares the share with what is left "
        "for the other key.",
    ),
    Mistake(
        lambda share: share / (1 - share),
        "This is the ratio of the two weights. Softmax turns a gap into a ratio by the "
        "exponential; go one step further back.",
    ),
    Mistake(
        lambda share: torch.log((1 - share) / share),
        "The sign is the other way round: this is the second score less the first.",
    ),
    Mistake(
        lambda share: torch.sigmoid(share),
        "That goes forwards, from a gap to a share. You have the share and want the gap.",
    ),
    Mistake(
        lambda share: torch.log10(share / (1 - share)),
        "The logarithm has the base 10. Softmax raises e to the scores, so it takes the natural "
        "logarithm to undo it.",
    ),
    Mistake(
        lambda share: 2 * share - 1,
        "This is the difference of the two weights. The gap is the difference of the two scores.",
    ),
    Mistake(
        lambda share: torch.logit(share).float(),
        "The gap has become float32. Keep the dtype of the shares.",
    ),
    Mistake(
        lambda share: torch.logit(share).detach(),
        "The result is cut off from the shares, by detach, item or torch.tensor. No gradient can "
        "flow back.",
    ),
)

gap_for = Exercise(
    name="scaling.gap_for",
    reference=torch.logit,
    cases=(
        Case("a share of 0.99, and one of a half", _shares(0.99, 0.5)),
        Case("five shares", _shares(0.731, 0.881, 0.999, 0.269, 0.119)),
        Case("four shares in float64", _shares(0.6, 1e-6, 0.025, 0.75, dtype=_double)),
    ),
    mistakes=_GAP_MISTAKES,
    right_answers=(
        lambda share: torch.log(share) - torch.log(1 - share),
        lambda share: -torch.log(1 / share - 1),
    ),
    hint_texts=(
        "Two keys share the weight. If one gets 0.99, how many times the weight of the other is "
        "that?",
        "The ratio of two weights is e to the power of the gap. Which function undoes e to a "
        "power?",
        "The other key gets 1 - share. Divide share by that, and take torch.log.",
    ),
    starter='''\
def gap_for(share):
    """Which gap gives the first of two keys this share? (N,) -> (N,)."""
    ...  # every share lies between 0 and 1
''',
    properties=(GRADIENT,),
)


def _tempered_cases() -> tuple[Case, ...]:
    far = _normal(3, 4, dtype=_double)
    far[1] += 9000
    far[2] -= 9000
    return (
        Case(
            "the scores 6 and 4 at temperature 2",
            {"scores": torch.tensor([[6.0, 4.0]]), "temperature": 2.0},
        ),
        Case("T=3, S=5, temperature 0.5", {"scores": _normal(3, 5), "temperature": 0.5}),
        Case(
            "float64, T=4, S=2, temperature 5",
            {"scores": 3 * _normal(4, 2, dtype=_double), "temperature": 5.0},
        ),
        Case("rows far apart, T=3, S=4, temperature 3", {"scores": far, "temperature": 3.0}),
        Case(
            "a gap of 900 at temperature 300, T=2, S=3",
            {
                "scores": torch.tensor([[900, 0, 450], [-900, 0, -300]], dtype=_double),
                "temperature": 300.0,
            },
        ),
    )


def _tempered(scores, temperature):
    return masked_softmax(scores / temperature)


def _tempered_without_subtracting_the_maximum(scores, temperature):
    powers = torch.exp(scores / temperature)
    return powers / powers.sum(dim=-1, keepdim=True)


def _tempered_less_one_maximum(scores, temperature):
    powers = torch.exp((scores - scores.max()) / temperature)
    return powers / powers.sum(dim=-1, keepdim=True)


def _tempered_through_weights(scores, temperature):
    powers = scores.softmax(dim=-1) ** (1 / temperature)
    return powers / powers.sum(dim=-1, keepdim=True)


def _tempered_in_place(scores, temperature):
    scores /= temperature
    return scores.softmax(dim=-1)


_TEMPERED_MISTAKES = (
    Mistake(
        lambda s, t: s.softmax(dim=-1),
        "The temperature is not used.",
    ),
    Mistake(
        lambda s, t: (s * t).softmax(dim=-1),
        "The scores are multiplied by the temperature. A high temperature should make the weights "
        "more even, so it has to make the gaps smaller.",
    ),
    Mistake(
        lambda s, t: s.softmax(dim=-1) / t,
        "The division comes after the softmax. The rows no longer sum to 1, and no gap has "
        "changed.",
    ),
    Mistake(
        lambda s, t: (s / t**0.5).softmax(dim=-1),
        "The scores are divided by the root of the temperature. The root belongs to the width of "
        "a key; a temperature divides as it is.",
    ),
    Mistake(
        lambda s, t: s / t,
        "These are the divided scores. The softmax is still missing.",
    ),
    Mistake(
        lambda s, t: (s / t).softmax(dim=0),
        "The columns sum to 1, not the rows. Each query has a whole 1 of its own to give.",
    ),
    Mistake(
        _tempered_without_subtracting_the_maximum,
        "exp overflows for large scores, and for very low ones it is 0 throughout. Both end in "
        "nan. Subtract each row's largest score first.",
    ),
    Mistake(
        _tempered_less_one_maximum,
        "One maximum is subtracted from all rows. A row far below it becomes 0 throughout, and 0 "
        "divided by 0 is nan. Each row needs its own maximum.",
    ),
    Mistake(
        _tempered_through_weights,
        "The weights are raised to a power after the softmax. On paper that is the same. In "
        "floating point a small weight has been rounded to 0 by then and cannot come back.",
    ),
    Mistake(
        _tempered_in_place,
        "An operation such as /= writes into the scores of whoever called you. Make a new tensor.",
    ),
    Mistake(
        lambda s, t: _tempered(s, t).float(),
        "The weights have become float32. Keep the dtype of the scores.",
    ),
)


def _tempered_with_logsumexp(scores, temperature):
    divided = scores / temperature
    return torch.exp(divided - torch.logsumexp(divided, dim=1, keepdim=True))


tempered = Exercise(
    name="scaling.tempered",
    reference=_tempered,
    cases=_tempered_cases(),
    mistakes=_TEMPERED_MISTAKES,
    right_answers=(
        lambda scores, temperature: torch.softmax(scores * (1 / temperature), dim=1),
        _tempered_with_logsumexp,
    ),
    hint_texts=(
        "A high temperature makes the weights more even. Should the gaps between the scores grow "
        "or shrink?",
        "Divide the scores by the temperature first. Then softmax, along the axis of the keys.",
        "(scores / temperature).softmax over the last axis. If you take exponentials yourself, "
        "subtract the divided scores' amax(dim=-1, keepdim=True) first.",
    ),
    starter='''\
def tempered(scores, temperature):
    """Softmax of each row of scores (T, S) at a temperature: (T, S)."""
    ...  # the scores may be large: no weight may come out as nan
''',
    properties=(GRADIENT,),
)


def _backward(weights, upstream):
    mean = (weights * upstream).sum(dim=-1, keepdim=True)
    return weights * (upstream - mean)


def _backward_cases() -> tuple[Case, ...]:
    def draw(t, s, dtype=torch.float32):
        weights = _normal(t, s, dtype=dtype).softmax(dim=-1)
        return {"weights": weights, "upstream": _normal(t, s, dtype=dtype)}

    worked = torch.tensor([[6.0, 4.0]]).softmax(dim=-1)
    return (
        Case(
            "the scores 6 and 4, where only the first weight matters",
            {"weights": worked, "upstream": torch.tensor([[1.0, 0.0]])},
        ),
        Case("random numbers, T=3, S=5", draw(3, 5)),
        Case("as many queries as keys, T=4, S=4", draw(4, 4)),
        Case("float64, T=6, S=2", draw(6, 2, dtype=_double)),
    )


def _backward_in_place(weights, upstream):
    upstream -= (weights * upstream).sum(dim=-1, keepdim=True)
    return weights * upstream


_BACKWARD_MISTAKES = (
    Mistake(
        lambda a, g: a * (1 - a) * g,
        "Only the diagonal of the Jacobian is used. A score also moves the weights of all the "
        "other keys, by minus the product of the two weights.",
    ),
    Mistake(
        lambda a, g: a * g,
        "The part that is subtracted is missing: what one weight gains, the others lose.",
    ),
    Mistake(
        lambda a, g: a * ((a * g).sum(dim=-1, keepdim=True) - g),
        "The sign is the other way round.",
    ),
    Mistake(
        lambda a, g: a * (g - g.sum(dim=-1, keepdim=True)),
        "The sum that is subtracted has lost its weights. Each upstream gradient counts as much "
        "as its key weighs.",
    ),
    Mistake(
        lambda a, g: a * (g - g.mean(dim=-1, keepdim=True)),
        "The plain mean is subtracted. It has to be the mean weighted by the attention weights.",
    ),
    Mistake(
        lambda a, g: g - (a * g).sum(dim=-1, keepdim=True),
        "The factor in front is missing: a key without weight gets no gradient.",
    ),
    Mistake(
        lambda a, g: a * (g - (a * g).sum(dim=0, keepdim=True)),
        "The sum runs over the queries. Each row of weights is a softmax of its own.",
    ),
    Mistake(
        lambda a, g: a * (g - (a * g).sum(dim=-1)),
        "The sum has lost its axis, so it lines up with the keys in place of the queries. "
        "keepdim=True keeps one sum a row.",
    ),
    Mistake(
        lambda a, g: a - g,
        "Weights less targets is the gradient of the cross-entropy of a softmax. Here any loss may "
        "follow, and its gradient has arrived in upstream.",
    ),
    Mistake(
        lambda a, g: _backward(a.softmax(dim=-1), g),
        "A second softmax is taken. The weights are a softmax already.",
    ),
    Mistake(
        _backward_in_place,
        "An operation such as -= writes into the gradient that you were given. Make a new tensor.",
    ),
    Mistake(
        lambda a, g: _backward(a, g).float(),
        "The gradient has become float32. Keep the dtype of the inputs.",
    ),
)


def _backward_with_jacobians(weights, upstream):
    jacobians = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None, :]
    return (jacobians @ upstream[:, :, None]).squeeze(-1)


def _backward_row_by_row(weights, upstream):
    rows = zip(weights, upstream, strict=True)
    return torch.stack([a * g - a * torch.dot(a, g) for a, g in rows])


softmax_backward = Exercise(
    name="scaling.softmax_backward",
    reference=_backward,
    cases=_backward_cases(),
    mistakes=_BACKWARD_MISTAKES,
    right_answers=(_backward_with_jacobians, _backward_row_by_row),
    hint_texts=(
        "Write the Jacobian of one row as a table. What is its product with the upstream gradient "
        "of that row, entry by entry?",
        "Entry j is the weight of key j times a difference: its own upstream gradient less the "
        "weighted mean of them all.",
        "The weighted mean of a row is (weights * upstream).sum(dim=-1, keepdim=True). Subtract "
        "it from upstream, and multiply by weights.",
    ),
    starter='''\
def softmax_backward(weights, upstream):
    """From the gradient of the weights to that of the scores, each (T, S)."""
    ...  # row by row it is the Jacobian times upstream
''',
    properties=(GRADIENT,),
)


def _attend(query, key, value, factor):
    """Attention whose scores are multiplied by `factor`."""
    return (query @ key.mT * factor).softmax(dim=-1) @ value


def _scale_cases() -> tuple[Case, ...]:
    def draw(h, t, s, k, v, dtype=torch.float32):
        shapes = {"query": (h, t, k), "key": (h, s, k), "value": (h, s, v)}
        return {name: 2 * _normal(*shape, dtype=dtype) for name, shape in shapes.items()}

    worked = {
        "query": torch.tensor([[[2.0, 3, 4, 1]]]),
        "key": torch.tensor([[[1.0, 0, 1, 0], [0, 1, 0, 1]]]),
        "value": torch.eye(2)[None],
    }
    return (
        Case("keys of width 1, H=2, T=3, S=4", draw(2, 3, 4, 1, 5)),
        Case("one query [2, 3, 4, 1] and two keys; the values show the weights", worked),
        Case("H=3, T=2, S=5, K=6, V=4", draw(3, 2, 5, 6, 4)),
        Case("float64, H=2, T=5, S=3, K=16, V=6", draw(2, 5, 3, 16, 6, dtype=_double)),
    )


def _scale_in_place(query, key, value):
    query /= query.shape[-1] ** 0.5
    return _attend(query, key, value, 1.0)


_SCALE_MISTAKES = (
    Mistake(
        lambda q, k, v: _attend(q, k, v, q.shape[-1] ** 0.5),
        "The scores end up multiplied by √K: scale is 1/√K, and to divide by it is to multiply by "
        "√K. The weights are far too sharp.",
    ),
    Mistake(
        lambda q, k, v: _attend(q, k, v, 1 / q.shape[-1]),
        "The scores are divided by K, not by its root: the weights are too even. This also happens "
        "when a query is scaled first and PyTorch's own function then scales once more.",
    ),
    Mistake(
        lambda q, k, v: _attend(q, k, v, 1.0),
        "Nothing scales the scores: the weights are too sharp.",
    ),
    Mistake(
        lambda q, k, v: _attend(q, k, v, v.shape[-1] ** -0.5),
        "The divisor is the root of the width of a value. The sum in a score runs over the "
        "entries of a key.",
    ),
    Mistake(
        lambda q, k, v: _attend(q, k, v, k.shape[-2] ** -0.5),
        "The divisor is the root of the number of keys. It has to be the root of their width.",
    ),
    Mistake(
        lambda q, k, v: _attend(q, k, v, (q.shape[0] * q.shape[-1]) ** -0.5),
        "The divisor is the root of all heads' widths together. Each head sums over its own "
        "entries only.",
    ),
    Mistake(
        lambda q, k, v: _attend(q, k, v, 1.0) / q.shape[-1] ** 0.5,
        "The division comes after the softmax, so it shrinks the output and leaves the weights as "
        "sharp as they were.",
    ),
    Mistake(
        _scale_in_place,
        "An operation such as /= writes into the query of whoever called you. Make a new tensor.",
    ),
)

attend_scaled = Exercise(
    name="scaling.attend_scaled",
    reference=scaled_dot_product_attention,
    cases=_scale_cases(),
    mistakes=_SCALE_MISTAKES,
    right_answers=(
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v),
        lambda q, k, v: (q @ k.mT / k.shape[-1] ** 0.5).softmax(dim=-1) @ v,
    ),
    hint_texts=(
        "Keys of width 1 give the right answer. Which operation changes nothing when the width "
        "is 1, and makes scores larger when it is 4?",
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
    properties=(GRADIENT,),
)
