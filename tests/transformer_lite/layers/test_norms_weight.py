"""Laws of weight normalization: a row has the direction of one parameter, the length of another."""

import torch
from norm_parity import D, assert_agree, assert_laws, every_dtype

from transformer_lite.layers.norms import weight_norm

M = 7


@every_dtype
def test_weight_norm_equals_torch(normal):
    def theirs(direction, magnitude):
        return torch._weight_norm(direction, magnitude[:, None], 0)

    assert_agree(weight_norm, theirs, normal(M, D), normal(M))


def test_the_laws_of_every_form(normal):
    assert_laws(weight_norm, normal(M, D), normal(M))
