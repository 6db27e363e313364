"""Our linear layer is PyTorch's, in value, gradient and names, for few tokens and for many."""

import pytest
import torch
from sampling import each_value
from torch import nn
from torch.testing import assert_close

from transformer_lite.fast.exact import step_of
from transformer_lite.layers import Linear

D, E = 6, 10


@pytest.fixture(params=[True, False], ids=["bias", "no bias"])
def pair(request, dtype):
    """Our layer and PyTorch's, with the same weights."""
    theirs = nn.Linear(D, E, bias=request.param).to(dtype)
    ours = Linear(D, E, bias=request.param).to(dtype)
    ours.load_state_dict(theirs.state_dict())
    return ours, theirs


any_shape = pytest.mark.parametrize(
    "leading",
    [
        (), (1,), (2,), (3, 5), (1, 1), (2, 1), (1, 2, 3), (2, 3, 4, 1),
        (64,), (65,), (2, 64), (0,), (2, 0), (0, 3),
    ],
)  # fmt: skip


@any_shape
@pytest.mark.parametrize("learning", [True, False])
def test_outputs_equal_torchs_for_every_shape_of_input(pair, leading, learning, normal):
    ours, theirs = pair
    x = normal(*leading, D)
    with torch.set_grad_enabled(learning):
        output, expected = ours(x), theirs(x)
    assert output.shape == (*leading, E)
    assert output.requires_grad == learning
    assert output.is_contiguous()
    assert_close(output, expected)


@pytest.mark.parametrize("rows", [1, 4, 65])
@torch.no_grad()
def test_non_contiguous_inputs(pair, rows, normal):
    ours, theirs = pair
    inputs = [
        normal(rows, 2 * D)[:, ::2],
        normal(D, rows).T,
        normal(1, D).expand(rows, D),
        normal(rows, 3, D)[:, 1:2],
        normal(2, rows, D).transpose(0, 1)[:, -1],
    ]
    for x in inputs:
        before = x.clone()
        assert_close(ours(x), theirs(x))
        assert_close(step_of(ours.eval())(x), theirs(x))
        assert torch.equal(x, before)


@any_shape
def test_gradients_equal_torchs(pair, leading, normal):
    upstream, gradients = normal(*leading, E), []
    data = normal(*leading, D)
    for layer in pair:
        x = data.clone().requires_grad_()
        gradients.append(torch.autograd.grad(layer(x), [x, *layer.parameters()], upstream))
    for ours, theirs in zip(*gradients, strict=True):
        assert_close(ours, theirs)


@pytest.mark.parametrize("learning", [True, False])
@pytest.mark.parametrize("leading", [(), (1, 1), (3, 5), (65,)])
@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("bias", [True, False])
def test_outputs_equal_torchs_under_autocast(learning, leading, kind, bias):
    theirs, ours = nn.Linear(D, E, bias=bias), Linear(D, E, bias=bias)
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(*leading, D, dtype=kind)
    with torch.set_grad_enabled(learning), torch.autocast("cpu", torch.bfloat16):
        output, expected = ours(x), theirs(x)
    assert output.dtype == torch.bfloat16
    assert_close(output, expected, atol=0.02, rtol=0.02)


def test_the_layer_is_an_nn_linear_with_the_same_state_dict():
    layer = Linear(D, E)
    assert isinstance(layer, nn.Linear)
    assert {name: tuple(p.shape) for name, p in layer.state_dict().items()} == {
        "weight": (E, D),
        "bias": (E,),
    }
    nn.Linear(D, E).load_state_dict(layer.state_dict())
    assert Linear(D, E, bias=False).bias is None


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(("learning", "rows"), each_value([True, False], [1, 3]))
def test_it_compiles_into_one_graph(learning, rows):
    torch._dynamo.reset()
    layer, x = Linear(D, E), torch.randn(rows, D)
    with torch.set_grad_enabled(learning):
        call = torch.compile(layer, backend="aot_eager", fullgraph=True)
        assert_close(call(x), nn.functional.linear(x, layer.weight, layer.bias))
