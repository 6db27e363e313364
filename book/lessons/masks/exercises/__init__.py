"""Masks: hide before the softmax, mask a batch, and find the mask that empties whole rows."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.masks.exercises.batch_mask import batch_mask
    from lessons.masks.exercises.decoder_mask import decoder_mask
    from lessons.masks.exercises.masked_weights import masked_weights

__all__ = ["batch_mask", "decoder_mask", "masked_weights"]
