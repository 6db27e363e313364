"""Masks and the masked example, by :mod:`transformer_lite.masks`."""

import torch

from transformer_lite.attention import attention_steps, masked_softmax
from transformer_lite.masks import (
    additive_mask,
    combine_masks,
    look_ahead_mask,
    outer_product_padding_mask,
    padding_mask,
)
from transformer_lite.worked_examples.registry import computes


def decoder_mask(token_ids):
    """Hide the future, and the pads as keys."""
    return combine_masks(look_ahead_mask(len(token_ids)), padding_mask(token_ids))


@computes("mask-scores-row-1-raw", "mask-scores-row-4")
def raw_row(x, row):
    return attention_steps(x, x, x).scores[row]


@computes("mask-scores-row-1-scaled")
def scaled_row(x, row):
    return attention_steps(x, x, x).scaled[row]


@computes("mask-scores-row-2", "mask-scores-row-3")
def raw_and_scaled_row(x, row):
    return {"raw": raw_row(x, row), "scaled": scaled_row(x, row)}


@computes("mask-scores-matrix")
def raw_and_scaled_scores(x, printed_scores):
    steps = attention_steps(x, x, x)
    return {
        "raw": steps.scores,
        "scaled": steps.scaled,
        "printed steps along rows 1 to 3": printed_scores[:3, 1] - printed_scores[:3, 0],
        "true raw steps along rows 1 to 3": steps.scores[:3, 1] - steps.scores[:3, 0],
    }


@computes("padding-mask-1d")
def padding_masks(token_ids):
    return padding_mask(token_ids).flatten(end_dim=-2)


@computes("padding-mask-1d-to-2d")
def two_padding_conventions(token_ids):
    outer = outer_product_padding_mask(token_ids)
    # The plain softmax, without the package's care for rows that allow nothing.
    plain = additive_mask(outer, torch.float64).softmax(dim=-1)
    return {
        "outer product": outer,
        "repeated for every query": padding_mask(token_ids).expand(outer.shape),
        "plain softmax of the last row": plain[-1],
    }


@computes("padding-mask-4-2d")
def outer_padding_mask(token_ids):
    return outer_product_padding_mask(token_ids)


@computes("look-ahead-mask-3", "look-ahead-mask-4")
def look_ahead(size):
    return look_ahead_mask(size)


@computes("look-ahead-excludes-self")
def look_ahead_without_self(size):
    mask = look_ahead_mask(size)
    return {"with the position itself": mask, "without it": mask & ~torch.eye(size).bool()}


@computes("combined-mask-3")
def combined_with_outer_product(token_ids):
    return combine_masks(look_ahead_mask(len(token_ids)), outer_product_padding_mask(token_ids))


@computes("combined-mask-4-products")
def combined_with_key_mask(token_ids):
    return decoder_mask(token_ids)


@computes("combined-mask-4")
def two_combined_masks(token_ids):
    return {
        "with the padding mask as printed": combined_with_outer_product(token_ids),
        "with the row repeated for every query": decoder_mask(token_ids),
    }


@computes("combined-mask-minus-inf-form")
def additive_form(token_ids, scores, printed_mask):
    additive = additive_mask(decoder_mask(token_ids), torch.float64)
    change = masked_softmax(scores + printed_mask) - masked_softmax(scores + additive)
    return {
        "additive mask": additive,
        "largest change of the weights if 1 is added": change.abs().max(),
        "scores times the printed mask": scores * printed_mask,
    }


@computes("additive-mask-definition")
def additive_masking(scores, token_ids):
    masked = scores + additive_mask(decoder_mask(token_ids), torch.float64)
    far = torch.tensor([-torch.inf, -1e9], dtype=torch.float64).exp()
    return {
        "softmax(A + M)": masked_softmax(masked),
        "e to the −∞": far[0],
        "e to the −10⁹": far[1],
    }


@computes("masked-scores")
def masked_scores(scores, token_ids):
    return scores + additive_mask(decoder_mask(token_ids), torch.float64)


@computes("masked-softmax-row-1", "masked-softmax-row-4")
def masked_row(scores, mask):
    return masked_softmax(scores, mask.bool())


@computes("masked-softmax-row-2")
def masked_row_2(x, printed_scores, row):
    rows = masked_rows(x, printed_scores, row)
    weights = rows["printed scores"]
    return rows | {"second weight over the first": weights[1] / weights[0]}


@computes("masked-softmax-row-3")
def masked_rows(x, printed_scores, row):
    steps, allowed = attention_steps(x, x, x), look_ahead_mask(len(x))[row]
    return {
        "printed scores": masked_softmax(printed_scores[row], allowed),
        "true scores, unscaled": masked_softmax(steps.scores[row], allowed),
        "true scores, scaled": masked_softmax(steps.scaled[row], allowed),
    }


@computes("masked-attention-output")
def masked_outputs(x, token_ids, printed_weights, printed_scores):
    mask = decoder_mask(token_ids)
    return {
        "true scores, scaled": attention_steps(x, x, x, mask).output,
        "with the printed weights": printed_weights @ x,
        "with the printed scores": masked_softmax(printed_scores, mask) @ x,
    }


@computes("pad-leak-without-mask")
def weights_on_the_pad(x):
    return {"weights on the pad": attention_steps(x, x, x).weights[:, -1]}


@computes("look-ahead-alone-already-hides-pad")
def cells_that_differ(token_ids):
    differs = look_ahead_mask(len(token_ids)) & ~decoder_mask(token_ids)
    return {"row and column of the cells that differ": differs.nonzero()}
