"""Patches as tokens: PyTorch's convolution with kernel = stride, and the order of patches."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_lite.layers import PatchEmbedding, cut_patches

B, C, P, ROWS, COLUMNS, D = 2, 3, 4, 5, 6, 7
IMAGES = torch.randn(
    B, C, ROWS * P, COLUMNS * P, generator=torch.Generator().manual_seed(0), dtype=torch.float64
)


@pytest.mark.parametrize("patch", [1, 2, 4])
def test_it_equals_a_convolution_whose_stride_is_its_kernel(patch):
    torch.manual_seed(0)
    ours = PatchEmbedding(patch, C, D).double()
    theirs = nn.Conv2d(C, D, kernel_size=patch, stride=patch).double()
    with torch.no_grad():
        ours.proj.weight.copy_(theirs.weight.flatten(1))
        ours.proj.bias.copy_(theirs.bias)
    assert_close(ours(IMAGES), theirs(IMAGES).flatten(2).mT)


def test_patches_are_ordered_row_by_row_and_contain_their_pixels():
    tokens = cut_patches(IMAGES, P)
    assert tokens.shape == (B, ROWS * COLUMNS, C * P * P)
    for row in range(ROWS):
        for column in range(COLUMNS):
            square = IMAGES[:, :, row * P : (row + 1) * P, column * P : (column + 1) * P]
            assert torch.equal(tokens[:, row * COLUMNS + column], square.flatten(1))
