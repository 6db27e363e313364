"""Images as tokens: cut an image into patches and project each to the width of a token."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_same, check_shape, check_size
from transformer_lite.layers.linear import Linear


def cut_patches(
    images: Float[Tensor, "B C height width"], patch_size: int
) -> Float[Tensor, "B T N"]:
    """Cut images into squares, row by row, and flatten each square.

    Args:
        images: shape (B, C, height, width), with C channels.
        patch_size: P, the side of a square, a divisor of height and width.

    Returns:
        Tensor of shape (B, T, C·P·P), with T = height/P · width/P. A row holds the square's first
        channel line by line, then the next one.

    Raises:
        TypeError: `images` is not a float tensor or `patch_size` is not an int.
        ValueError: `images` does not have 4 axes, or `patch_size` does not divide both sides.

    Reference: Dosovitskiy et al. 2021, section 3.1.

    >>> import torch
    >>> cut_patches(torch.arange(16.0).reshape(1, 1, 4, 4), patch_size=2)[0, 1].tolist()
    [2.0, 3.0, 6.0, 7.0]
    """
    check_shape("images", images, "B", "C", "height", "width")
    check_size("patch_size", patch_size)
    height, width = images.shape[-2:]
    if height % patch_size or width % patch_size:
        raise ValueError(
            "patch_size must divide height and width, "
            f"got patch_size={patch_size}, height={height}, width={width}"
        )
    squares = images.unflatten(3, (-1, patch_size)).unflatten(2, (-1, patch_size))
    return squares.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


class PatchEmbedding(nn.Module):
    """Turn every patch of an image into a token, as a vision Transformer does.

    token_t = W patch_t + b, with the C·P·P numbers of a patch in one row

    This is a convolution whose kernel and stride are both P. It adds no positions.

    Args:
        patch_size: P, the side of a patch, at least 1.
        channels: C, 1 for grey images and 3 for coloured ones.
        d_model: the width D of a token.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is smaller than 1.

    Reference: Dosovitskiy et al. 2021, equation 1.

    >>> import torch
    >>> PatchEmbedding(patch_size=2, channels=1, d_model=16)(torch.zeros(5, 1, 8, 8)).shape
    torch.Size([5, 16, 16])
    """

    def __init__(self, patch_size: int, channels: int, d_model: int) -> None:
        super().__init__()
        check_size("patch_size", patch_size)
        check_size("channels", channels)
        check_size("d_model", d_model)
        self.patch_size, self.channels = patch_size, channels
        self.proj = Linear(channels * patch_size**2, d_model)

    def forward(self, images: Float[Tensor, "B C height width"]) -> Float[Tensor, "B T D"]:
        """Return the tokens of `images`, shape (B, T, D), row by row.

        Raises:
            TypeError: `images` is not a float tensor, or differs from the weights in dtype or
                device.
            ValueError: `images` has other axes or channels, or its sides are not multiples of P.
        """
        check_shape("images", images, "B", self.channels, "height", "width")
        check_same("images and weights", images=images, weights=self.proj.weight)
        return self.proj(cut_patches(images, self.patch_size))
