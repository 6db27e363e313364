"""What the exercises of masks share."""

from torch import Tensor

from transformer_lite.layers.masks import combine_masks, look_ahead_mask, padding_mask


def combined_mask(token_ids: Tensor, pad_id: int = 0) -> Tensor:
    return combine_masks(look_ahead_mask(len(token_ids)), padding_mask(token_ids, pad_id))
