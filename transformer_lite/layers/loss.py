"""The loss: targets as vectors, and the cross-entropy between them and the logits."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Float, Integer, Shaped
from torch import Tensor

from transformer_lite.checks import check_ids_in_range, check_number, check_size, check_tensor


def one_hot(
    ids: Integer[Tensor, "*B"], size: int, dtype: torch.dtype = torch.float32
) -> Shaped[Tensor, "*B {size}"]:
    """Return every id as a vector of zeros with a single 1 at the index of the id.

    Args:
        ids: whole numbers from 0 to size − 1, any shape.
        size: the length V of the vectors, at least 1.
        dtype: the type of the entries.

    Returns:
        Tensor of shape (..., V).

    Raises:
        TypeError: `ids` is not a tensor of whole numbers or `size` is not an int.
        ValueError: an id is out of range, or `size` is smaller than 1.

    >>> one_hot(torch.tensor([2, 0]), size=3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    check_size("size", size)
    check_ids_in_range("ids", ids, size)
    return (ids[..., None] == torch.arange(size, device=ids.device)).to(dtype=dtype)


def smoothed_targets(
    targets: Integer[Tensor, "*B"], vocab_size: int, label_smoothing: float
) -> Float[Tensor, "*B {vocab_size}"]:
    """Spread a probability ε of every one-hot target over all V tokens: (1 − ε) · one_hot + ε/V.

    Args:
        targets: ids from 0 to V − 1, any shape.
        vocab_size: V, at least 1.
        label_smoothing: ε, 0 ≤ ε < 1.

    Returns:
        Tensor of shape (..., V) whose rows sum to 1.

    Raises:
        TypeError, ValueError: as in :func:`one_hot`, or `label_smoothing` is out of range.

    Reference: Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4, with ε = 0.1.

    >>> smoothed_targets(torch.tensor(1), vocab_size=4, label_smoothing=0.2)
    tensor([0.0500, 0.8500, 0.0500, 0.0500])
    """
    check_number("label_smoothing", label_smoothing, high=1.0)
    return (1 - label_smoothing) * one_hot(targets, vocab_size) + label_smoothing / vocab_size


def cross_entropy(
    logits: Float[Tensor, "*B V"],
    targets: Integer[Tensor, "*B"],
    label_smoothing: float = 0.0,
    pad_id: int | None = None,
) -> Float[Tensor, ""]:
    """Return the cross-entropy −Σᵥ qᵥ log softmax(logits)ᵥ, the mean over real tokens.

    q is the one-hot target, or :func:`smoothed_targets`.

    Args:
        logits: shape (..., V).
        targets: ids from 0 to V − 1, shape (...).
        label_smoothing: ε, 0 ≤ ε < 1.
        pad_id: the id of targets that do not count; None counts all.

    Returns:
        A number, as a tensor without axes. NaN if no target counts.

    Raises:
        TypeError: `logits` is not a float tensor, `targets` does not hold integers.
        ValueError: the shapes do not fit, an id or `label_smoothing` is out of range.

    Reference: Vaswani et al. 2017, section 5.4.

    >>> cross_entropy(torch.zeros(3, 4), torch.tensor([1, 2, 0]), pad_id=0)  # ln 4
    tensor(1.3863)
    """
    check_tensor("logits", logits)
    check_number("label_smoothing", label_smoothing, high=1.0)
    check_ids_in_range("targets", targets, logits.shape[-1])
    if targets.shape != logits.shape[:-1]:
        raise ValueError(
            "targets must have the shape of logits without its last axis, "
            f"{tuple(logits.shape[:-1])}, got {tuple(targets.shape)}"
        )
    if pad_id is not None:
        check_size("pad_id", pad_id, minimum=0)
    return F.cross_entropy(
        logits.reshape(targets.numel(), logits.shape[-1]),
        targets.reshape(-1).long(),
        ignore_index=-100 if pad_id is None else pad_id,
        label_smoothing=label_smoothing,
    )
