"""Chapter 5, attention: a soft look-up, a batch of sentences, and keys that ask."""

import math

import torch

from transformer_lite.attention import attention_steps, dot_product_self_attention
from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers

BUG_HUNTS = ("attend",)

_double = torch.float64
_normal = normal_numbers(5)
_BANK = torch.tensor([[2, 0], [3, 0], [0, 0], [1, 1]], dtype=torch.float32)  # swam river the bank
_CASH = torch.tensor([[0, 0], [0, 0], [0, 3], [1, 1]], dtype=torch.float32)  # walked road cash bank


def _lookup(query, keys, values):
    return attention_steps(query[None], keys, values, scale=1.0).output[0]


def _lookup_cases() -> tuple[Case, ...]:
    def draw(s, k, v, size=1.0, dtype=torch.float32):
        query, keys = size * _normal(k, dtype=dtype), _normal(s, k, dtype=dtype)
        return {"query": query, "keys": keys, "values": _normal(s, v, dtype=dtype)}

    videos = {
        "query": torch.tensor([1.0, 1.0, 0.0]),
        "keys": torch.tensor([[1.0, 1, 0], [1, 0, 0], [0, 0, 1]]),
        "values": torch.tensor([[4.0, 1], [1, 0], [10, 0]]),
    }
    return (
        Case("the three videos, values of minutes and music", videos),
        Case("random numbers, S=5, K=3, V=2", draw(5, 3, 2)),
        Case("random numbers in float64, S=3, K=4, V=6", draw(3, 4, 6, dtype=_double)),
        Case("one key only, S=1, K=3, V=2", draw(1, 3, 2)),
        Case("large scores, S=6, K=2, V=3", draw(6, 2, 3, size=1e4, dtype=_double)),
    )


def _divided(scores):
    return scores / scores.sum()


def _exponentials(scores):
    return scores.exp() / scores.exp().sum()


def _lookup_in_place(query, keys, values):
    scores = keys.mul_(query).sum(dim=-1)
    return scores.softmax(dim=0) @ values


_LOOKUP_MISTAKES = (
    Mistake(
        lambda q, k, v: (k @ q) @ v,
        "The scores go straight to the values. They are no shares: they may be negative, and they "
        "do not sum to 1.",
    ),
    Mistake(
        lambda q, k, v: _divided(k @ q) @ v,
        "The scores are divided by their sum. A negative score stays a negative share that way. "
        "Make all of them positive first, with the exponential.",
    ),
    Mistake(
        lambda q, k, v: _divided((k @ q).abs()) @ v,
        "The signs are dropped with abs. A key that fits badly, with a score of −5, then counts "
        "as much as one with 5.",
    ),
    Mistake(
        lambda q, k, v: v[(k @ q).argmax()],
        "This is the hard look-up: the best key takes all. Give every key a share.",
    ),
    Mistake(
        lambda q, k, v: (k @ q).softmax(dim=0),
        "These are the weights. One step is left: they have to mix the values.",
    ),
    Mistake(
        lambda q, k, v: (k @ q).softmax(dim=0) @ k,
        "The keys are mixed, not the values. You search in the keys and receive the values.",
    ),
    Mistake(
        lambda q, k, v: (k @ q / math.sqrt(len(q))).softmax(dim=0) @ v,
        "The scores are divided by √K. That comes in a later chapter; here they stay as they are.",
    ),
    Mistake(
        lambda q, k, v: (k @ q).softmax(dim=0)[:, None] * v,
        "Each value is multiplied by its weight, but the products are not added up.",
    ),
    Mistake(
        lambda q, k, v: -torch.cdist(q[None], k)[0].softmax(dim=0) @ v,
        "The distance to each key is used as its score, and the farthest key gets the most. Use "
        "the dot product: large means that the two fit.",
    ),
    Mistake(
        lambda q, k, v: _exponentials(k @ q) @ v,
        "exp overflows for large scores: infinity divided by infinity is nan. Subtract the largest "
        "score first, which changes no weight, or let torch do the softmax.",
    ),
    Mistake(
        _lookup_in_place,
        "An operation with an underscore, such as mul_, or an assignment to keys[...] writes into "
        "the tensor that it was given. Make a new one instead.",
    ),
    Mistake(
        lambda q, k, v: (k @ q).softmax(dim=0).detach() @ v,
        "The weights are cut off from the query and the keys, by detach, item or torch.tensor. A "
        "model could never learn where to look.",
    ),
)


def _lookup_with_a_loop(query, keys, values):
    scores = torch.stack([(query * key).sum() for key in keys])
    powers = (scores - scores.max()).exp()
    return sum(p * value for p, value in zip(powers / powers.sum(), values, strict=True))


soft_lookup = Exercise(
    name="attention.soft_lookup",
    reference=_lookup,
    cases=_lookup_cases(),
    mistakes=_LOOKUP_MISTAKES,
    right_answers=(
        _lookup_with_a_loop,
        lambda q, k, v: torch.einsum("s,sv->v", torch.softmax(k.mv(q), dim=-1), v),
    ),
    hint_texts=(
        "Which product compares the query with every key at once, and what shape does it have?",
        "Multiply keys and query to get S scores. Softmax makes S weights of them. A second "
        "product, weights times values, adds up the rows of values.",
        "scores is keys @ query, of shape (S,). Take scores.softmax(dim=0) and multiply it, from "
        "the left, with values.",
    ),
    starter='''\
def soft_lookup(query, keys, values):
    """Mix values (S, V) by how well query (K,) fits keys (S, K): (V,)."""
    ...
''',
    properties=(GRADIENT,),
)


def _contextual_cases() -> tuple[Case, ...]:
    return (
        Case("swam river the bank; walked road cash bank", {"x": torch.stack([_BANK, _CASH])}),
        Case("random numbers, B=2, T=5, D=3", {"x": _normal(2, 5, 3)}),
        Case("random numbers in float64, B=4, T=3, D=6", {"x": _normal(4, 3, 6, dtype=_double)}),
        Case("large scores, B=3, T=4, D=2", {"x": 100 * _normal(3, 4, 2, dtype=_double)}),
    )


def _contextual_across_sentences(x):
    rows = x.flatten(0, 1)
    return dot_product_self_attention(rows).view_as(x)


def _contextual_exponentials(x):
    powers = (x @ x.mT).exp()
    return powers / powers.sum(dim=-1, keepdim=True) @ x


def _over_the_whole_table(x):
    scores = x @ x.mT
    return scores.flatten(1).softmax(dim=-1).view_as(scores) @ x


_CONTEXTUAL_MISTAKES = (
    Mistake(
        lambda x: (x @ x.mT).softmax(dim=1) @ x,
        "The softmax runs down the columns of each sentence. With one sentence alone, dim=1 is the "
        "last axis; in a batch it is not. Count from the end: dim=-1.",
    ),
    Mistake(
        _over_the_whole_table,
        "The softmax runs over all scores of a sentence at once, so the whole table sums to 1. "
        "Each row has to: a row belongs to the word that asks.",
    ),
    Mistake(
        _contextual_across_sentences,
        "All sentences are laid end to end, so words look into other sentences. Keep the batch "
        "axis.",
    ),
    Mistake(
        lambda x: x @ x.permute(2, 1, 0) @ x,  # what x.T does, without its warning
        "x.T turns all three axes round. In a batch only the last two are to be swapped: x.mT.",
    ),
    Mistake(
        lambda x: x @ x.mT @ x,
        "The softmax is missing: raw scores mix the tokens.",
    ),
    Mistake(
        lambda x: (x @ x.mT).softmax(dim=-1),
        "These are the weights. One step is left: they have to mix the rows of x.",
    ),
    Mistake(
        lambda x: (x @ x.mT / math.sqrt(x.shape[-1])).softmax(dim=-1) @ x,
        "The scores are divided by √D. That comes in a later chapter; here they stay as they are.",
    ),
    Mistake(
        lambda x: (x.mT @ x).softmax(dim=-1) @ x.mT,
        "The features ask each other instead of the words: xᵀx compares columns. Compare rows.",
    ),
    Mistake(
        lambda x: x + dot_product_self_attention(x),
        "The tokens themselves are added to the result. That is a residual connection, a good idea "
        "for a later chapter.",
    ),
    Mistake(
        _contextual_exponentials,
        "exp overflows for large scores: infinity divided by infinity is nan. Let torch do the "
        "softmax: it subtracts each row's largest score first.",
    ),
    Mistake(
        lambda x: (x @ x.mT).detach().softmax(dim=-1) @ x,
        "The scores are cut off from x, by detach, item or torch.tensor. The weights have to carry "
        "a gradient too.",
    ),
)

contextual = Exercise(
    name="attention.contextual",
    reference=dot_product_self_attention,
    cases=_contextual_cases(),
    mistakes=_CONTEXTUAL_MISTAKES,
    right_answers=(
        lambda x: torch.softmax(torch.bmm(x, x.transpose(1, 2)), dim=2).bmm(x),
        lambda x: torch.stack([torch.softmax(s @ s.T, dim=1) @ s for s in x]),
    ),
    hint_texts=(
        "For one sentence it is two products with a softmax between them. Which of the three axes "
        "must each step leave alone?",
        "Swap the last two axes for the first product, take the softmax over the last axis, and "
        "multiply with x again. @ works on every sentence of a batch by itself.",
        "x.mT swaps the last two axes. So: scores is x @ (that), the weights are the softmax of "
        "the scores over dim=-1, and the result is weights @ x.",
    ),
    starter='''\
def contextual(x):
    """Dot-product self-attention in each sentence of x (B, T, D)."""
    ...  # -> (B, T, D)
''',
    properties=(GRADIENT,),
)


def _attend(x, w_query, w_key, w_value):
    return attention_steps(x @ w_query, x @ w_key, x @ w_value, scale=1.0).output


def _attend_cases() -> tuple[Case, ...]:
    def draw(t, d, k, v, dtype=torch.float32):
        shapes = {"x": (t, d), "w_query": (d, k), "w_key": (d, k), "w_value": (d, v)}
        return {name: _normal(*shape, dtype=dtype) for name, shape in shapes.items()}

    letters = torch.tensor([[4.0], [5], [3], [4]])
    words = {
        "x": torch.cat([_BANK, letters], dim=1),
        "w_query": torch.tensor([[1.0, 0], [1, 0], [0, 0]]),
        "w_key": torch.tensor([[1.0, 0], [0, 1], [0, 0]]),
        "w_value": torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]),
    }
    return (
        Case("swam river the bank, and a query matrix that asks for water", words),
        Case("random numbers, T=5, D=4, K=3, V=2", draw(5, 4, 3, 2)),
        Case("random numbers in float64, T=2, D=6, K=5, V=3", draw(2, 6, 5, 3, dtype=_double)),
    )


_ATTEND_MISTAKES = (
    Mistake(
        lambda x, q, k, v: _attend(x, k, q, v),
        "The keys ask and the queries are searched: row n of the scores belongs to key n. The rows "
        "have to belong to the queries.",
    ),
    Mistake(
        lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=0) @ (x @ v),
        "The softmax runs down the columns. Each query shares out its attention over all keys, so "
        "each row of weights must sum to 1.",
    ),
    Mistake(
        lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=-1).mT @ (x @ v),
        "The weights are transposed before they meet the values, so each token receives what it "
        "gives instead of what it asked for.",
    ),
    Mistake(
        lambda x, q, k, v: _attend(x, q, q, v),
        "Queries and keys come from the same matrix, so the scores are symmetric.",
    ),
    Mistake(
        lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=-1) @ x,
        "The tokens themselves are mixed. The value matrix says what a token hands over.",
    ),
    Mistake(
        lambda x, q, k, v: ((x @ q) @ (x @ k).mT).softmax(dim=-1) @ (x @ k),
        "The keys are mixed, not the values. You search in the keys and receive the values.",
    ),
    Mistake(
        lambda x, q, k, v: ((x @ q) @ (x @ k).mT / math.sqrt(q.shape[1])).softmax(-1) @ (x @ v),
        "The scores are divided by √K. That comes in a later chapter; here they stay as they are.",
    ),
    Mistake(
        lambda x, q, k, v: (x @ q) @ (x @ k).mT @ (x @ v),
        "The softmax is missing: raw scores mix the values.",
    ),
    Mistake(
        lambda x, q, k, v: (x @ x.mT).softmax(dim=-1) @ (x @ v),
        "Neither the query matrix nor the key matrix is used: the tokens are compared as they are.",
    ),
)


def _attend_word_by_word(x, w_query, w_key, w_value):
    keys, values = x @ w_key, x @ w_value
    return torch.stack([(keys @ (token @ w_query)).softmax(dim=0) @ values for token in x])


def _attend_with_one_matrix(x, w_query, w_key, w_value):
    scores = x @ (w_query @ w_key.mT) @ x.mT
    return torch.softmax(scores, dim=1) @ x @ w_value


attend = Exercise(
    name="attention.attend",
    reference=_attend,
    cases=_attend_cases(),
    mistakes=_ATTEND_MISTAKES,
    right_answers=(_attend_word_by_word, _attend_with_one_matrix),
    hint_texts=(
        "Which word does row n of the scores belong to: the one that asks, or the one that is "
        "found? Why did it not matter while all matrices were the identity?",
        "Row n has to hold the scores of query n with every key. Turn the product round.",
        "In a @ b.mT the rows of the result belong to a. So a has to be the queries, and b the "
        "keys. Nothing else changes.",
    ),
    starter='''\
def attend(x, w_query, w_key, w_value):
    """Self-attention with three projections: x (T, D) -> (T, V)."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = key @ query.mT
    return scores.softmax(dim=-1) @ value
''',
    properties=(GRADIENT,),
)
