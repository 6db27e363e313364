"""Masks and the masked example, by :mod:`transformer_lite.layers.masks`."""

import torch
from torch import Tensor

from lessons.worked_examples.registry import computes
from transformer_lite.layers.attention import attention_steps, masked_softmax
from transformer_lite.layers.masks import (
    additive_mask,
    combine_masks,
    look_ahead_mask,
    outer_product_padding_mask,
    padding_mask,
)


def decoder_mask(token_ids: Tensor) -> Tensor:
    """Hide the future, and the pads as keys."""
    return combine_masks(look_ahead_mask(len(token_ids)), padding_mask(token_ids))


@computes("mask-scores-row-1-raw", "mask-scores-row-4")
def raw_row(x: Tensor, row: int) -> Tensor:
    """Return one row of the scores of x, without scaling."""
    return attention_steps(x, x, x).scores[row]


@computes("mask-scores-row-1-scaled")
def scaled_row(x: Tensor, row: int) -> Tensor:
    """Return one row of the scaled scores of x."""
    return attention_steps(x, x, x).scaled[row]


@computes("mask-scores-row-2", "mask-scores-row-3")
def raw_and_scaled_row(x: Tensor, row: int) -> dict[str, Tensor]:
    """Return one row of the scores of x, raw and scaled."""
    return {"raw": raw_row(x, row), "scaled": scaled_row(x, row)}


@computes("mask-scores-matrix")
def raw_and_scaled_scores(x: Tensor, printed_scores: Tensor) -> dict[str, Tensor]:
    """Return all scores of x, and the steps along their rows next to the printed ones."""
    steps = attention_steps(x, x, x)
    return {
        "raw": steps.scores,
        "scaled": steps.scaled,
        "printed steps along rows 1 to 3": printed_scores[:3, 1] - printed_scores[:3, 0],
        "true raw steps along rows 1 to 3": steps.scores[:3, 1] - steps.scores[:3, 0],
    }


@computes("padding-mask-1d")
def padding_masks(token_ids: Tensor) -> Tensor:
    """Return which of the tokens are not padding."""
    return padding_mask(token_ids).flatten(end_dim=-2)


@computes("padding-mask-1d-to-2d")
def two_padding_conventions(token_ids: Tensor) -> dict[str, Tensor]:
    """Return the outer product of a padding mask, and the mask repeated for each query."""
    outer = outer_product_padding_mask(token_ids)
    # The plain softmax, without the package's care for rows that allow nothing.
    plain = additive_mask(outer, torch.float64).softmax(dim=-1)
    return {
        "outer product": outer,
        "repeated for every query": padding_mask(token_ids).expand(outer.shape),
        "plain softmax of the last row": plain[-1],
    }


@computes("padding-mask-4-2d")
def outer_padding_mask(token_ids: Tensor) -> Tensor:
    """Return the outer product of a padding mask with itself."""
    return outer_product_padding_mask(token_ids)


@computes("look-ahead-mask-3", "look-ahead-mask-4")
def look_ahead(size: int) -> Tensor:
    """Return the look-ahead mask of this size."""
    return look_ahead_mask(size)


@computes("look-ahead-excludes-self")
def look_ahead_without_self(size: int) -> dict[str, Tensor]:
    """Return the look-ahead mask, with the position itself and without it."""
    mask = look_ahead_mask(size)
    return {"with the position itself": mask, "without it": mask & ~torch.eye(size).bool()}


@computes("combined-mask-3")
def combined_with_outer_product(token_ids: Tensor) -> Tensor:
    """Combine the look-ahead mask with the outer product of the padding mask."""
    return combine_masks(look_ahead_mask(len(token_ids)), outer_product_padding_mask(token_ids))


@computes("combined-mask-4-products")
def combined_with_key_mask(token_ids: Tensor) -> Tensor:
    """Combine the look-ahead mask with a padding mask over the keys."""
    return decoder_mask(token_ids)


@computes("combined-mask-4")
def two_combined_masks(token_ids: Tensor) -> dict[str, Tensor]:
    """Return both combinations of look-ahead mask and padding mask."""
    return {
        "with the padding mask as printed": combined_with_outer_product(token_ids),
        "with the row repeated for every query": decoder_mask(token_ids),
    }


@computes("combined-mask-minus-inf-form")
def additive_form(token_ids: Tensor, scores: Tensor, printed_mask: Tensor) -> dict[str, Tensor]:
    """Write the mask as numbers to add, and find what adding the printed 1 changes."""
    additive = additive_mask(decoder_mask(token_ids), torch.float64)
    change = masked_softmax(scores + printed_mask) - masked_softmax(scores + additive)
    return {
        "additive mask": additive,
        "largest change of the weights if 1 is added": change.abs().max(),
        "scores times the printed mask": scores * printed_mask,
    }


@computes("additive-mask-definition")
def additive_masking(scores: Tensor, token_ids: Tensor) -> dict[str, Tensor]:
    """Turn scores plus an additive mask into weights, with −∞ and with −10⁹."""
    masked = scores + additive_mask(decoder_mask(token_ids), torch.float64)
    far = torch.tensor([-torch.inf, -1e9], dtype=torch.float64).exp()
    return {
        "softmax(A + M)": masked_softmax(masked),
        "e to the −∞": far[0],
        "e to the −10⁹": far[1],
    }


@computes("masked-scores")
def masked_scores(scores: Tensor, token_ids: Tensor) -> Tensor:
    """Add the mask of these tokens to scores."""
    return scores + additive_mask(decoder_mask(token_ids), torch.float64)


@computes("masked-softmax-row-1", "masked-softmax-row-4")
def masked_row(scores: Tensor, mask: Tensor) -> Tensor:
    """Turn one row of scores into weights under a mask."""
    return masked_softmax(scores, mask.bool())


@computes("masked-softmax-row-2")
def masked_row_2(x: Tensor, printed_scores: Tensor, row: int) -> dict[str, Tensor]:
    """Turn the second row into weights, from printed and from true scores, with their ratio."""
    rows = masked_rows(x, printed_scores, row)
    weights = rows["printed scores"]
    return rows | {"second weight over the first": weights[1] / weights[0]}


@computes("masked-softmax-row-3")
def masked_rows(x: Tensor, printed_scores: Tensor, row: int) -> dict[str, Tensor]:
    """Turn one row into weights under the look-ahead mask, from printed and from true scores."""
    steps, allowed = attention_steps(x, x, x), look_ahead_mask(len(x))[row]
    return {
        "printed scores": masked_softmax(printed_scores[row], allowed),
        "true scores, unscaled": masked_softmax(steps.scores[row], allowed),
        "true scores, scaled": masked_softmax(steps.scaled[row], allowed),
    }


@computes("masked-attention-output")
def masked_outputs(
    x: Tensor, token_ids: Tensor, printed_weights: Tensor, printed_scores: Tensor
) -> dict[str, Tensor]:
    """Return the outputs of masked attention, with true and with printed numbers."""
    mask = decoder_mask(token_ids)
    return {
        "true scores, scaled": attention_steps(x, x, x, mask).output,
        "with the printed weights": printed_weights @ x,
        "with the printed scores": masked_softmax(printed_scores, mask) @ x,
    }


@computes("pad-leak-without-mask")
def weights_on_the_pad(x: Tensor) -> dict[str, Tensor]:
    """Return the weight that each query of x gives to the last token."""
    return {"weights on the pad": attention_steps(x, x, x).weights[:, -1]}


@computes("look-ahead-alone-already-hides-pad")
def cells_that_differ(token_ids: Tensor) -> dict[str, Tensor]:
    """Find where the padding mask hides what the look-ahead mask allows."""
    differs = look_ahead_mask(len(token_ids)) & ~decoder_mask(token_ids)
    return {"row and column of the cells that differ": differs.nonzero()}
