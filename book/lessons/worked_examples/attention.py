"""Scores, scaling, softmax and weighted sums, by :mod:`transformer_lite.layers.attention`."""

import math

import torch
from torch import Tensor

from lessons.worked_examples.registry import computes
from transformer_lite.layers.attention import AttentionSteps, attention_steps, masked_softmax


def divisor(width: int) -> float:
    """Return the number by which attention divides the scores of vectors of this width."""
    x = torch.ones(1, width, dtype=torch.float64)
    steps = attention_steps(x, x, x)
    return (steps.scores / steps.scaled).item()


@computes(
    "score-the-the",
    "score-the-cat",
    "score-the-sat",
    "score-cat-the",
    "score-cat-cat",
    "score-cat-sat",
    "score-sat-the",
    "score-sat-cat",
    "score-sat-sat",
    "unscaled-q-k1",
    "unscaled-q-k2",
)
def score(query: Tensor, key: Tensor) -> Tensor:
    """Return the dot product of one query with one key."""
    return attention_steps(query[None], key[None], key[None]).scores.squeeze()


@computes("scaled-score-the-the", "scaled-score-the-cat", "scaled-score-the-sat")
def scaled_score(query: Tensor, key: Tensor) -> Tensor:
    """Return the dot product of one query with one key, over √K."""
    return attention_steps(query[None], key[None], key[None]).scaled.squeeze()


@computes("scaled-scores-cat-and-sat")
def scaled_scores(x: Tensor) -> dict[str, Tensor]:
    """Return the scaled scores of CAT and SAT with all the words of x."""
    _, cat, sat = attention_steps(x, x, x).scaled
    return {"CAT": cat, "SAT": sat}


@computes("scaling-sqrt-dk-4")
def scaling(d_k: int) -> float:
    """Return the divisor of scores between vectors of width d_k."""
    return divisor(d_k)


@computes("sqrt-4-equals-sqrt-2")
def two_divisors(widths: Tensor) -> dict[str, float]:
    """Return the divisor for each of these widths."""
    return {f"√{width}": divisor(width) for width in widths.tolist()}


@computes("scaled-6-4-root-2")
def scaled_by_another_root(query: Tensor, keys: Tensor) -> dict[str, Tensor]:
    """Scale two scores by √2, as the document does, and by the root of their width."""
    return {
        "divided by √2, as written": _two_scores(query, keys, 1 / math.sqrt(2)).scaled[0],
        "divided by √4": _two_scores(query, keys).scaled[0],
    }


@computes("softmax-of-6-4-over-root-2")
def softmax_after_another_root(query: Tensor, keys: Tensor) -> dict[str, Tensor]:
    """Turn two scores into weights, scaled by √2 and by the root of their width."""
    return {
        "scores divided by √2": _two_scores(query, keys, 1 / math.sqrt(2)).weights[0],
        "scores divided by 2": _two_scores(query, keys).weights[0],
    }


def _two_scores(query: Tensor, keys: Tensor, scale: float | None = None) -> AttentionSteps:
    return attention_steps(query[None], keys, keys, scale=scale)


@computes(
    "softmax-6-4",
    "softmax-3-2",
    "attention-weights-the",
    "attention-weights-cat-value",
    "attention-weights-cat-argument",
    "attention-weights-sat-value",
    "attention-weights-sat-argument",
)
def softmax(scores: Tensor) -> Tensor:
    """Turn scores into weights."""
    return masked_softmax(scores)


@computes("softmax-6-4-algebra", "softmax-3-2-algebra")
def softmax_and_its_closed_form(scores: Tensor) -> dict[str, Tensor]:
    """Turn two scores into weights, by softmax and by the sigmoid of their gap."""
    gap = scores[0] - scores[1]
    closed = torch.stack([1 / (1 + torch.exp(-gap)), 1 / (torch.exp(gap) + 1)])
    return {"softmax": masked_softmax(scores), "closed form": closed}


@computes("softmax-gap-two-identity")
def softmax_of_two_pairs(a: Tensor, b: Tensor) -> dict[str, Tensor]:
    """Turn two pairs of scores with one gap into weights."""
    return {"softmax of [14, 12]": masked_softmax(a), "softmax of [6, 4]": masked_softmax(b)}


@computes("softmax-10-1-property")
def softmax_and_the_gap_of_the_printed_weights(
    scores: Tensor, weights: Tensor
) -> dict[str, Tensor]:
    """Turn scores into weights, and find the gap that the printed weights need."""
    return {
        "softmax of [10, 1]": masked_softmax(scores),
        "gap that gives 0.99 and 0.01": torch.log(weights[0] / weights[1]),
    }


@computes("large-dk-exploding-gradient-claim")
def softmax_slope(scores: Tensor) -> dict[str, Tensor]:
    """Return the slope of a softmax over each of three pairs of scores."""
    slopes = masked_softmax(scores).prod(dim=-1)
    pairs = ["[6, 4]", "[3, 2]", "[60, 40]"]
    return {f"p(1 − p) at scores {pair}": slope for pair, slope in zip(pairs, slopes, strict=True)}


@computes("more-balanced-claim")
def balance(unscaled: Tensor, scaled: Tensor) -> dict[str, object]:
    """Compare how even the weights of unscaled and of scaled scores are: ratios and entropies."""
    weights = {name: masked_softmax(s) for name, s in (("unscaled", unscaled), ("scaled", scaled))}
    ratios = {f"ratio {name}": w[0] / w[1] for name, w in weights.items()}
    entropies = {f"entropy {name}": torch.special.entr(w).sum() for name, w in weights.items()}
    return ratios | entropies | {"largest entropy, ln 2": math.log(2)}


@computes("weights-088-012-sum")
def sum_of_weights(weights: Tensor) -> Tensor:
    """Add up the printed weights."""
    return weights.sum()


@computes("softmax-adds-to-one")
def sum_of_probabilities(vocab_size: int) -> Tensor:
    """Add up a softmax over a whole vocabulary."""
    return masked_softmax(torch.linspace(-5, 5, vocab_size, dtype=torch.float64)).sum()


@computes("weighted-value-boxes")
def weighted_boxes(weights: Tensor, value: Tensor, number: float) -> dict[str, Tensor]:
    """Weight value vectors of ones, and multiply a weight by the number in the document's box."""
    return {
        "if both value vectors were [1, 1, 1]": (weights @ value)[0],
        "0.12 × 5": weights[0, 1] * number,
    }


@computes("output-the-terms")
def weighted_values(x: Tensor) -> Tensor:
    """Return the terms of the first output of x: each value times its weight."""
    return attention_steps(x, x, x).weights[0][:, None] * x


@computes("output-the-sum")
def weighted_sum(x: Tensor, printed_weights: Tensor) -> dict[str, Tensor]:
    """Add up the terms of the first output of x, with exact weights and with printed ones."""
    terms = printed_weights[:, None] * x
    return {
        "sum of the three terms": attention_steps(x, x, x).output[0],
        "with the weights rounded to four digits": terms.sum(dim=0),
        "with the SAT term added twice": terms.sum(dim=0) + terms[2],
    }


@computes("output-cat-and-sat")
def other_outputs(x: Tensor) -> dict[str, Tensor]:
    """Return the outputs of self-attention for CAT and SAT."""
    _, cat, sat = attention_steps(x, x, x).output
    return {"CAT": cat, "SAT": sat}


@computes("contextual-vs-fixed-embeddings")
def attention_on_the_fixed_vectors(x: Tensor) -> dict[str, Tensor]:
    """Return self-attention over the embeddings of x."""
    rows = ", ".join(map(str, x.int().tolist()))
    return {f"attention on {rows}": attention_steps(x, x, x).output}


@computes("dot-product-self-attention-rows-sum-to-one")
def unscaled_self_attention(x: Tensor) -> dict[str, Tensor]:
    """Return the weights, their sums and the outputs of self-attention without scaling."""
    steps = attention_steps(x, x, x, scale=1.0)
    return {
        "weights": steps.weights,
        "sum of each row": steps.weights.sum(dim=-1),
        "output": steps.output,
    }


@computes("pe-dufter-invariant-claim")
def reordered_attention(x: Tensor, order: Tensor) -> dict[str, Tensor]:
    """Measure how the outputs of self-attention change when the words of x are reordered."""
    attended, reordered = _unscaled(x), _unscaled(x[order])
    return {
        "change, after reordering the outputs too": (reordered - attended[order]).abs().max(),
        "change, if the outputs should stay": (reordered - attended).abs().max(),
    }


@computes("attention-called-linear")
def doubled_attention(x: Tensor) -> dict[str, Tensor]:
    """Measure how far self-attention is from linear, by doubling x."""
    return {"largest entry of f(2X) − 2f(X)": (_unscaled(2 * x) - 2 * _unscaled(x)).abs().max()}


def _unscaled(x: Tensor) -> Tensor:
    return attention_steps(x, x, x, scale=1.0).output
