"""Helpers for the tests of normalization: sizes, a test vector, and comparisons of two forms."""

import pytest
import torch
from torch.testing import assert_close

B, T, D = 2, 5, 6
# Not evenly spaced as [2, 4, 6, 8], which normalizes to the same numbers as [10, 12, 14, 16].
VECTOR = torch.tensor([2.0, -1.0, 3.5, -0.5, 4.2], dtype=torch.float64)
# True = a real token: one sentence of five, one of two and three pads.
REAL = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]]).bool()

# bfloat16 keeps eight bits: numbers between 4 and 8 lie 2⁻⁵ apart, and sums of a few of them
# are rounded at every step.
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5, torch.bfloat16: 2**-4}

every_dtype = pytest.mark.parametrize("dtype", TOLERANCE, ids=lambda dtype: str(dtype)[6:])


def close(ours, theirs):
    tolerance = TOLERANCE[theirs.dtype]
    assert_close(ours, theirs, atol=tolerance, rtol=tolerance)


def gradients(output, inputs):
    """Gradients of a sum with a different weight per output: that of a plain sum would be 0."""
    weights = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).view(output.shape)
    return torch.autograd.grad((output * weights).sum(), inputs)


def assert_agree(ours, theirs, *inputs):
    """Whether two functions have one value and one gradient with respect to every input."""
    inputs = tuple(tensor.detach().requires_grad_() for tensor in inputs)
    ours, theirs = ours(*inputs), theirs(*inputs)
    close(ours, theirs)
    for mine, yours in zip(gradients(ours, inputs), gradients(theirs, inputs), strict=True):
        close(mine, yours)


def assert_modules_agree(ours, theirs, x, **options):
    """The same for two modules and their parameters, which must have one order."""
    mine, yours = x.detach().requires_grad_(), x.detach().requires_grad_()
    output, expected = ours(mine, **options), theirs(yours)
    close(output, expected)
    for found, wanted in zip(
        gradients(output, [mine, *ours.parameters()]),
        gradients(expected, [yours, *theirs.parameters()]),
        strict=True,
    ):
        close(found, wanted.view(found.shape))


def with_random_parameters(module):
    """Give every parameter random values, so that none passes for 1 or 0."""
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter)
    return module


def assert_laws(function, x, *others):
    """Require of every form the gradient of its formula, and that torch.func accepts it."""
    doubles = [tensor.double().detach().requires_grad_() for tensor in (x, *others)]
    assert torch.autograd.gradcheck(function, doubles)
    assert_transforms_work(function, x, *others)


def assert_laws_of_tokens(normalize, x):
    """Require of forms that read single tokens: no output for no tokens; NaN does not spread."""
    assert normalize(x[:, :0]).shape == x[:, :0].shape
    before = normalize(x)
    changed = x.clone()
    changed[1, 3, 0] = torch.nan
    after = normalize(changed)
    assert after[1, 3].isnan().all()
    after[1, 3] = before[1, 3]
    assert torch.equal(after, before)
    # The ε of the papers, unless another is given: it shows where numbers are small.
    assert torch.equal(normalize(1e-3 * x), normalize(1e-3 * x, eps=1e-5))


def assert_transforms_work(function, x, *others):
    """torch.func.vmap is a loop over the first axis, torch.func.grad is the gradient."""
    stacked = torch.stack([x, 2 * x + 1, x.flip(-1)])
    batched = torch.func.vmap(function, in_dims=(0, *[None] * len(others)))(stacked, *others)
    assert_close(batched, torch.stack([function(item, *others) for item in stacked]))

    weights = torch.linspace(-1, 2, function(x, *others).numel(), dtype=x.dtype)
    found = torch.func.grad(lambda x: function(x, *others).flatten() @ weights)(x)
    x = x.detach().requires_grad_()
    assert_close(found, gradients(function(x, *others), [x])[0])
