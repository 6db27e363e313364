"""Laws of group and instance normalization: one sequence at a time, some features at a time."""

import pytest
import torch
import torch.nn.functional as F
from norm_parity import B, D, T, assert_agree, assert_laws, every_dtype
from torch.testing import assert_close

from transformer_lite.layers.norms import group_norm, instance_norm, standardize

GROUPS = 2  # of D = 6 features: three a group, so that groups and members cannot be mixed up


def two_groups(x, weight=None, bias=None, eps=1e-5):
    return group_norm(x, GROUPS, weight, bias, eps)


both = pytest.mark.parametrize("normalize", [two_groups, instance_norm])


@every_dtype
@pytest.mark.parametrize("num_groups", [1, 2, 3, 6])
@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_group_norm_equals_torch(num_groups, eps, normal):
    for affine in ((), (normal(D), normal(D))):
        assert_agree(
            lambda x, *affine: group_norm(x, num_groups, *affine, eps=eps),
            lambda x, *affine: F.group_norm(x.mT, num_groups, *affine, eps=eps).mT,
            normal(B, T, D) + 3,
            *affine,
        )


@every_dtype
@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_instance_norm_equals_torch(eps, normal):
    for affine in ((), (normal(D), normal(D))):
        assert_agree(
            lambda x, *affine: instance_norm(x, *affine, eps=eps),
            lambda x, *affine: F.instance_norm(x.mT, None, None, *affine, eps=eps).mT,
            normal(B, T, D) + 3,
            *affine,
        )


def test_instance_norm_standardizes_every_feature_over_the_sequence(normal):
    x = normal(B, T, D)
    assert_close(instance_norm(x, eps=0.1), standardize(x, dim=1, eps=0.1))
    assert torch.equal(instance_norm(x), group_norm(x, num_groups=D))


@both
def test_the_laws_of_every_form(normalize, normal):
    assert_laws(normalize, normal(B, T, D), normal(D), normal(D))
