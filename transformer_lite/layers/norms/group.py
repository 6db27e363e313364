"""Group and instance normalization: every sequence by itself, some features at a time."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_shape, check_size
from transformer_lite.layers.norms.affine import check_affine, scale_and_shift


def group_norm(
    x: Float[Tensor, "B T D"],
    num_groups: int,
    weight: Float[Tensor, " D"] | None = None,
    bias: Float[Tensor, " D"] | None = None,
    eps: float = 1e-5,
) -> Float[Tensor, "B T D"]:
    """Normalize each group of neighboring features over all positions of its sequence.

    y = γ · (x − μ_bg) / √(σ_bg² + ε) + β, with μ_bg and σ_bg² over the T tokens of sequence b
    and the D / num_groups features of group g

    Args:
        x: tokens, shape (B, T, D). Every position counts, including padding and later tokens.
        num_groups: the number of groups, a divisor of D.
        weight: γ of shape (D,); None means ones.
        bias: β of shape (D,); None means zeros.
        eps: ε, added to the variance inside the root, at least 0.

    Returns:
        Tensor of shape (B, T, D).

    Raises:
        TypeError: an input is not a float tensor, dtypes differ, `num_groups` is not an int or
            `eps` no number.
        ValueError: shapes do not fit, T or D is 0, `num_groups` does not divide D, or `eps` is
            negative.

    Reference: Wu and He 2018, section 3. Differs from the paper: positions of a sequence in place
    of pixels of a picture.

    >>> group_norm(torch.tensor([[[1.0, 3.0, 5.0, 9.0]]]), num_groups=2, eps=0.0).tolist()
    [[[-1.0, 1.0, -1.0, 1.0]]]
    """
    check_shape("x", x, "B", "T", "D")
    check_affine(x, weight, bias, eps)
    check_size("num_groups", num_groups)
    d_model = x.shape[-1]
    if d_model % num_groups:
        raise ValueError(
            f"num_groups must divide d_model, got d_model={d_model}, num_groups={num_groups}"
        )
    if x.shape[1] == 0:
        raise ValueError(f"x must hold at least one token a sequence, got shape {tuple(x.shape)}")
    groups = x.unflatten(-1, (num_groups, -1))
    centered = groups - groups.mean(dim=(1, 3), keepdim=True)
    variance = centered.square().mean(dim=(1, 3), keepdim=True)
    normalized = centered / torch.sqrt(variance + eps)
    return scale_and_shift(normalized.flatten(start_dim=2), weight, bias)


def instance_norm(
    x: Float[Tensor, "B T D"],
    weight: Float[Tensor, " D"] | None = None,
    bias: Float[Tensor, " D"] | None = None,
    eps: float = 1e-5,
) -> Float[Tensor, "B T D"]:
    """Normalize each feature over all positions of its sequence: groups of one feature.

    y = γ · (x − μ_bd) / √(σ_bd² + ε) + β, with μ_bd and σ_bd² over the T tokens of sequence b

    Args:
        x, weight, bias, eps: as in :func:`group_norm`.

    Returns:
        Tensor of shape (B, T, D). Of a sequence of one token, only β remains.

    Raises:
        TypeError, ValueError: as in :func:`group_norm`.

    Reference: Ulyanov, Vedaldi and Lempitsky 2016. Differs from the paper: positions of a
    sequence instead of the pixels of an image.

    >>> instance_norm(torch.tensor([[[1.0, 8.0], [3.0, 4.0]]]), eps=0.0).tolist()
    [[[-1.0, 1.0], [1.0, -1.0]]]
    """
    check_shape("x", x, "B", "T", "D")
    return group_norm(x, x.shape[-1], weight, bias, eps)
