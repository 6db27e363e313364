"""Chapter 6, The CAT SAT: write attention, and find a softmax that runs the wrong way."""

import math

import torch

from transformer_lite.attention import attention_steps
from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers

_WORDS = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]], dtype=torch.float32)
_double = torch.float64
_normal = normal_numbers(6)


def _scaled(query, key):
    return query @ key.mT / math.sqrt(key.shape[-1])


def _attend_cases() -> tuple[Case, ...]:
    def draw(t, s, k, v, size=1.0, dtype=torch.float32):
        query, key = size * _normal(t, k, dtype=dtype), _normal(s, k, dtype=dtype)
        return {"query": query, "key": key, "value": _normal(s, v, dtype=dtype)}

    return (
        Case("The, CAT and SAT", {"query": _WORDS, "key": _WORDS, "value": _WORDS}),
        Case("random numbers, T=2, S=5, K=3, V=4", draw(2, 5, 3, 4)),
        Case("random numbers in float64, T=4, S=6, K=3, V=5", draw(4, 6, 3, 5, dtype=_double)),
        Case("large scores, T=3, S=4, K=2, V=5", draw(3, 4, 2, 5, size=1e4, dtype=_double)),
    )


def _attend_scaling_in_place(query, key, value):
    query /= math.sqrt(key.shape[-1])
    return (query @ key.mT).softmax(dim=-1) @ value


def _attend_without_subtracting_the_maximum(query, key, value):
    exponentials = _scaled(query, key).exp()
    return exponentials / exponentials.sum(dim=-1, keepdim=True) @ value


_ATTEND_MISTAKES = (
    Mistake(
        lambda q, k, v: _scaled(q, k).softmax(dim=0) @ v,
        "The softmax runs down the columns. Each query shares out its attention over all keys, so "
        "each row of weights must sum to 1.",
    ),
    Mistake(
        lambda q, k, v: (q @ k.mT).softmax(dim=-1) @ v,
        "The scores are not scaled. Dot products grow with the width K, and √K takes that back.",
    ),
    Mistake(
        lambda q, k, v: (q @ k.mT / k.shape[-1]).softmax(dim=-1) @ v,
        "The scores are divided by K itself. It is the spread of a dot product that is to be "
        "undone, and the spread grows only with the root of K.",
    ),
    Mistake(
        lambda q, k, v: (q @ k.mT).softmax(dim=-1) / math.sqrt(k.shape[-1]) @ v,
        "The scaling comes after the softmax. Then the weights of a row no longer sum to 1.",
    ),
    Mistake(
        lambda q, k, v: _scaled(q, k) @ v,
        "The scores go straight to the values. Without a softmax they are no shares: they may be "
        "negative, and they do not sum to 1.",
    ),
    Mistake(
        lambda q, k, v: _scaled(q, k).softmax(dim=-1),
        "These are the attention weights. One step is left: they have to mix the values.",
    ),
    Mistake(
        lambda q, k, v: q @ k / math.sqrt(k.shape[-1]),
        "The product compares rows of the query with columns of the key. To compare rows with "
        "rows, one of the two has to be transposed.",
    ),
    Mistake(
        lambda q, k, v: _scaled(q, k).softmax(dim=-1).mT @ v,
        "The weights are transposed before they meet the values. That works only while there are "
        "as many queries as keys, and even then it mixes the wrong tokens.",
    ),
    Mistake(
        _attend_without_subtracting_the_maximum,
        "exp overflows for large scores: infinity divided by infinity is nan. Subtract each row's "
        "largest score first, which changes no weight, or let torch do the softmax.",
    ),
    Mistake(
        _attend_scaling_in_place,
        "An operation such as /= writes into the tensor that it was given. Make a new one instead.",
    ),
    Mistake(
        lambda q, k, v: (_scaled(q, k).softmax(dim=-1) @ v)[None],
        "There is an axis of size 1 in front. The inputs have no batch axis, so neither has the "
        "output.",
    ),
    Mistake(
        lambda q, k, v: (_scaled(q, k).softmax(dim=-1) @ v).float(),
        "Somewhere the numbers pass through float32. Keep the dtype of the inputs.",
    ),
    Mistake(
        lambda q, k, v: (_scaled(q, k).softmax(dim=-1) @ v).tolist(),
        "A Python list has lost its shape, its dtype and its gradient. Return the tensor.",
    ),
    Mistake(
        lambda q, k, v: _scaled(q, k).detach().softmax(dim=-1) @ v,
        "The scores are cut off from the query and the key, by detach, item or torch.tensor. A "
        "model could never learn where to look.",
    ),
)


def _attend_with_einsum(query, key, value):
    scores = torch.einsum("tk,sk->ts", query, key) * key.shape[-1] ** -0.5
    return torch.einsum("ts,sv->tv", torch.softmax(scores, dim=1), value)


def _attend_token_by_token(query, key, value):
    rows = []
    for q in query:
        scores = key @ q / math.sqrt(len(q))
        exponentials = torch.exp(scores - scores.max())
        rows.append((exponentials / exponentials.sum()) @ value)
    return torch.stack(rows)


attend = Exercise(
    name="the_cat_sat.attend",
    reference=lambda query, key, value: attention_steps(query, key, value).output,
    cases=_attend_cases(),
    mistakes=_ATTEND_MISTAKES,
    right_answers=(_attend_with_einsum, _attend_token_by_token),
    hint_texts=(
        "How do you compare every query with every key in one product?",
        "Multiply the query by the transposed key and divide by √K. Softmax turns each row into "
        "weights, and one more product mixes the values.",
        "scores is query @ (key, transposed) / K ** 0.5, with K = key.shape[-1]. Take "
        "scores.softmax over the axis of the keys, which is the last one, then multiply by value.",
    ),
    starter='''\
def attend(query, key, value):
    """Mix the rows of value by how well each query fits each key."""
    ...  # query (T, K), key (S, K), value (S, V) -> (T, V)
''',
    properties=(GRADIENT,),
)


def _columns_cases() -> tuple[Case, ...]:
    def draw(t, s, k, size=1.0, dtype=torch.float32):
        return {"query": size * _normal(t, k, dtype=dtype), "key": _normal(s, k, dtype=dtype)}

    return (
        Case("The and CAT alone", {"query": _WORDS[:2], "key": _WORDS[:2]}),
        Case("The, CAT and SAT", {"query": _WORDS, "key": _WORDS}),
        Case("random numbers, T=2, S=5, K=3", draw(2, 5, 3)),
        Case("random numbers in float64, T=6, S=4, K=5", draw(6, 4, 5, dtype=_double)),
        Case("large scores, T=3, S=4, K=2", draw(3, 4, 2, size=1e4, dtype=_double)),
    )


def _columns_then_rows(query, key):
    weights = _scaled(query, key).softmax(dim=0)
    return weights / weights.sum(dim=-1, keepdim=True)


def _columns_without_subtracting_the_maximum(query, key):
    exponentials = _scaled(query, key).exp()
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


def _columns_scaling_in_place(query, key):
    query /= math.sqrt(key.shape[-1])
    return (query @ key.mT).softmax(dim=-1)


_COLUMNS_MISTAKES = (
    Mistake(
        lambda q, k: _scaled(q, k).softmax(dim=0),
        "The columns sum to 1, not the rows. Ask which axis holds the keys that one query has to "
        "choose from.",
    ),
    Mistake(
        lambda q, k: _scaled(q, k).softmax(dim=0).mT,
        "Here each key shares itself out over the queries. Swapping query and key, or transposing "
        "the result, mends The, CAT and SAT only because their scores are symmetric.",
    ),
    Mistake(
        _columns_then_rows,
        "The rows sum to 1 now, but the softmax over the columns is still underneath and has "
        "bent the numbers. Change its axis rather than mend its result.",
    ),
    Mistake(
        lambda q, k: _scaled(q, k).flatten().softmax(dim=0).view(len(q), len(k)),
        "All the weights together sum to 1. Each query has a whole 1 of its own to give.",
    ),
    Mistake(
        lambda q, k: (q @ k.mT).softmax(dim=-1),
        "The axis is right, but the scaling by √K got lost on the way.",
    ),
    Mistake(
        lambda q, k: _scaled(q, k).log_softmax(dim=-1),
        "These are logarithms of weights. Weights lie between 0 and 1.",
    ),
    Mistake(
        _columns_without_subtracting_the_maximum,
        "exp overflows for large scores, and infinity divided by infinity is nan. torch's own "
        "softmax subtracts each row's largest score first.",
    ),
    Mistake(
        _columns_scaling_in_place,
        "An operation such as /= writes into the query of whoever called you. Make a new tensor.",
    ),
    Mistake(
        lambda q, k: _scaled(q, k).softmax(dim=-1).float(),
        "The weights have become float32. Keep the dtype of the inputs.",
    ),
)


def _columns_with_logsumexp(query, key):
    scores = _scaled(query, key)
    return torch.exp(scores - torch.logsumexp(scores, dim=1, keepdim=True))


columns_sum_to_one = Exercise(
    name="the_cat_sat.columns_sum_to_one",
    reference=lambda query, key: attention_steps(query, key, key).weights,
    cases=_columns_cases(),
    mistakes=_COLUMNS_MISTAKES,
    right_answers=(lambda q, k: _scaled(q, k).softmax(dim=-1), _columns_with_logsumexp),
    hint_texts=(
        "In a table of weights, which sums have to be 1: those of the rows or of the columns?",
        "Print weights.sum(dim=0) and weights.sum(dim=1) for The, CAT and SAT, and compare.",
        "The scores have shape (T, S). softmax(dim=0) shares out over the T queries; you want it "
        "to share out over the S keys.",
    ),
    starter='''\
def attention_weights(query, key):
    """How much each query looks at each key: (T, K), (S, K) -> (T, S)."""
    scores = query @ key.T / key.shape[-1] ** 0.5
    return scores.softmax(dim=0)
''',
    properties=(GRADIENT,),
)

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("columns_sum_to_one",)
