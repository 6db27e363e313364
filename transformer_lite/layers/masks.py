"""Masks: boolean tensors in which True means "may attend".

Every mask here broadcasts against attention scores of shape (B, H, T, S), where B is the
batch, H the heads, T the query length and S the key length.
"""

from __future__ import annotations

import functools

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from transformer_lite.checks import check_boolean, check_ids, check_same, check_size


def padding_mask(token_ids: Integer[Tensor, "*B S"], pad_id: int = 0) -> Bool[Tensor, "... 1 S"]:
    """Hide padding tokens from every query: column j is True where key j is a real token.

    This is the key-broadcast convention: padding is hidden as a key, but padding queries still
    attend. The loss ignores their outputs later. No row is fully masked if every sequence has at
    least one real token.

    Args:
        token_ids: whole numbers, shape (S,) or (B, S).
        pad_id: the id of the padding token, at least 0.

    Returns:
        Boolean mask of shape (1, S) for one sequence, (B, 1, 1, S) for a batch.

    Raises:
        TypeError: `token_ids` is not a tensor of whole numbers, or `pad_id` is not an int.
        ValueError: `token_ids` has neither 1 nor 2 axes, or `pad_id` is negative.

    >>> padding_mask(torch.tensor([1, 2, 3, 0]))
    tensor([[ True,  True,  True, False]])
    """
    check_ids("token_ids", token_ids)
    check_size("pad_id", pad_id, minimum=0)
    real = token_ids != pad_id
    return real[None, :] if real.ndim == 1 else real[:, None, None, :]


def outer_product_padding_mask(
    token_ids: Integer[Tensor, "*B S"], pad_id: int = 0
) -> Bool[Tensor, "... S S"]:
    """Hide padding as keys and as queries: entry (i, j) is True where tokens i and j are both real.

    The rows of padding queries are then fully masked. Plain softmax turns such rows into NaN; this
    package gives them weights 0. Prefer :func:`padding_mask`, which never masks a whole row by
    itself.

    Args:
        token_ids: whole numbers, shape (S,) or (B, S).
        pad_id: the id of the padding token, at least 0.

    Returns:
        Boolean mask of shape (S, S) for one sequence, (B, 1, S, S) for a batch.

    Raises:
        TypeError: `token_ids` is not a tensor of whole numbers, or `pad_id` is not an int.
        ValueError: `token_ids` has neither 1 nor 2 axes, or `pad_id` is negative.

    >>> outer_product_padding_mask(torch.tensor([4, 0])).int().tolist()
    [[1, 0], [0, 0]]
    """
    keys = padding_mask(token_ids, pad_id)
    return keys & keys.mT


def look_ahead_mask(
    size: int, device: torch.device | str | None = None, start: int = 0
) -> Bool[Tensor, "{size} {start}+{size}"]:
    """Hide the future: row i may attend to columns 0 to i, its own position included.

    Also called the causal mask.

    Args:
        size: the sequence length T, at least 1.
        device: where to put the mask.
        start: how many earlier positions there are, which are keys only, as in decoding with a
            cache.

    Returns:
        Boolean mask of shape (T, start + T). Without a start, the lower triangle with its
        diagonal; with one, the last T rows of the larger triangle.

    Raises:
        TypeError: `size` or `start` is not an int.
        ValueError: `size` is smaller than 1 or `start` negative.

    Reference: Vaswani et al. 2017, section 3.1.

    >>> look_ahead_mask(3).int().tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    check_size("size", size)
    check_size("start", start, minimum=0)
    return torch.ones(size, start + size, dtype=torch.bool, device=device).tril(start)


def sliding_window_mask(
    size: int, window: int, device: torch.device | str | None = None, start: int = 0
) -> Bool[Tensor, "{size} {start}+{size}"]:
    """Hide the future and the distant past: row i may attend to columns i − w + 1 to i.

    Each layer looks back w − 1 tokens, so L layers on top of each other reach L·(w − 1) back.

    Args:
        size: the sequence length T, at least 1.
        window: w, the number of keys that a query may attend to, itself included, at least 1.
        device: where to put the mask.
        start: how many earlier positions there are, which are keys only, as in decoding with a
            cache.

    Returns:
        Boolean mask of shape (T, start + T): a band along the diagonal.

    Raises:
        TypeError: `size`, `window` or `start` is not an int.
        ValueError: `size` or `window` is smaller than 1, or `start` negative.

    Reference: Child et al. 2019; Beltagy et al. 2020; Jiang et al. 2023, section 2.

    >>> sliding_window_mask(4, window=2).int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    """
    check_size("window", window)
    return look_ahead_mask(size, device, start).triu(start - window + 1)


def combine_masks(*masks: Bool[Tensor, "..."]) -> Bool[Tensor, "..."]:
    """Allow only what every mask allows: the element-wise product of 0/1 masks.

    Args:
        masks: one or more boolean masks whose shapes broadcast.

    Returns:
        Boolean mask of the broadcast shape.

    Raises:
        TypeError: no mask was given, one is not boolean, or their devices differ.
        ValueError: the shapes do not broadcast.

    >>> combine_masks(look_ahead_mask(2), padding_mask(torch.tensor([7, 0]))).int().tolist()
    [[1, 0], [1, 0]]
    """
    if not masks:
        raise TypeError("combine_masks needs at least one mask, got none")
    for index, mask in enumerate(masks):
        check_boolean(f"masks[{index}]", mask)
    check_same("masks", **{f"masks[{index}]": mask for index, mask in enumerate(masks)})
    try:
        return functools.reduce(torch.logical_and, masks)
    except RuntimeError as error:
        shapes = ", ".join(str(tuple(mask.shape)) for mask in masks)
        raise ValueError(f"masks must have shapes that broadcast, got {shapes}") from error


def additive_mask(
    mask: Bool[Tensor, "*B"], dtype: torch.dtype = torch.float32
) -> Float[Tensor, "*B"]:
    """Return a boolean mask as numbers to add to the scores: 0 allows, −∞ forbids.

    Args:
        mask: boolean, True = may attend, any shape.
        dtype: the floating-point type of the scores.

    Returns:
        Tensor of the same shape with entries 0 and −∞.

    Raises:
        TypeError: `mask` is not boolean or `dtype` not a floating-point type.

    >>> additive_mask(look_ahead_mask(2)).tolist()
    [[0.0, -inf], [0.0, 0.0]]
    """
    check_boolean("mask", mask)
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise TypeError(f"dtype must be a floating-point type, got {dtype!r}")
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -torch.inf)
