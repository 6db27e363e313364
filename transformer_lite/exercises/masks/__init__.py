"""Masks: hide before the softmax, mask a batch, and find the mask that empties whole rows."""

from transformer_lite.exercises.masks.batch_mask import batch_mask
from transformer_lite.exercises.masks.decoder_mask import decoder_mask
from transformer_lite.exercises.masks.masked_weights import masked_weights

__all__ = ["batch_mask", "decoder_mask", "masked_weights"]
