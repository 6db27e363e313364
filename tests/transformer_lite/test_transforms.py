"""torch.func's vmap, grad and jacrev, torch.compile and autocast accept attention and positions."""

import pytest
import torch
from relative_attention import SCHEMES, attention
from sampling import sample
from torch.func import grad, jacrev, vmap
from torch.testing import assert_close

from transformer_lite import (
    MultiHeadAttention,
    attention_steps,
    look_ahead_mask,
    masked_softmax,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from transformer_lite.decoding import keep_nucleus, keep_top_k, length_penalty
from transformer_lite.layers import KVCache, dot_product_self_attention
from transformer_lite.layers.positions import rotate_half_split, rotate_interleaved, shift_rotation

B, H, T, S, K, W = 2, 3, 5, 7, 4, 6
D = H * K
MASK = torch.arange(T * S).view(T, S) % 3 != 0
MASK[3] = False
QKV = ((T, K), (S, K), (S, W))


def stepwise(*args, **kwargs):
    return attention_steps(*args, **kwargs).output


def causal(attend):
    return lambda x: attend(x, x, x, look_ahead_mask(x.shape[-2]))


def biased(attend, query, key, value, bias):
    return attend(query, key, value, MASK, bias=bias)


# What to call, and the shapes of its inputs.
FUNCTIONS = {
    "masked_softmax": (lambda x: masked_softmax(x, MASK), [(T, S)]),
    "attention_steps": (lambda *qkv: stepwise(*qkv, MASK), QKV),
    "scaled_dot_product_attention": (
        lambda q, k, v: scaled_dot_product_attention(q, k, v, MASK),
        QKV,
    ),
    "attention_steps, no mask": (stepwise, QKV),
    "scaled_dot_product_attention, no mask": (scaled_dot_product_attention, QKV),
    "attention_steps, bias": (lambda *qkvb: biased(stepwise, *qkvb), [*QKV, (T, S)]),
    "scaled_dot_product_attention, bias": (
        lambda *qkvb: biased(scaled_dot_product_attention, *qkvb),
        [*QKV, (T, S)],
    ),
    "causal attention_steps": (causal(stepwise), [(T, K)]),
    "causal scaled_dot_product_attention": (causal(scaled_dot_product_attention), [(T, K)]),
    "dot_product_self_attention": (dot_product_self_attention, [(T, K)]),
    "split_heads": (lambda x: split_heads(x, H), [(B, T, D)]),
    "merge_heads": (merge_heads, [(B, H, T, K)]),
    "rotate_interleaved": (lambda x: rotate_interleaved(x, start=2), [(T, K)]),
    "rotate_half_split": (lambda x: rotate_half_split(x, start=2), [(T, K)]),
    "shift_rotation": (lambda x: x @ shift_rotation(3, D), [(T, D)]),
    "keep_top_k": (lambda x: keep_top_k(x, 3).softmax(-1), [(T, S)]),
    "keep_nucleus": (lambda x: keep_nucleus(x, 0.8).softmax(-1), [(T, S)]),
    "length_penalty": (lambda x: length_penalty(x.abs(), 0.6), [(T,)]),
}
each_function = pytest.mark.parametrize("name", FUNCTIONS)
COMPILED = [(name, memory) for name in SCHEMES for memory in (None, torch.ones(B, S, D).double())]


def drawn(name: str, *leading: int):
    function, shapes = FUNCTIONS[name]
    return function, [torch.randn(*leading, *shape, dtype=torch.float64) for shape in shapes]


@each_function
def test_vmap_equals_a_loop(name):
    function, inputs = drawn(name, 4)
    expected = [function(*(tensor[i] for tensor in inputs)) for i in range(4)]
    assert_close(vmap(function)(*inputs), torch.stack(expected), equal_nan=True)


@each_function
def test_grad_and_jacrev_equal_backward(name):
    function, inputs = drawn(name)
    places = tuple(range(len(inputs)))
    learned = [tensor.clone().requires_grad_() for tensor in inputs]
    output = function(*learned)
    upstream = torch.randn_like(output)
    expected = torch.autograd.grad((output * upstream).sum(), learned)
    ours = grad(lambda *args: (function(*args) * upstream).sum(), places)(*inputs)
    jacobians = jacrev(function, places)(*inputs)
    for gradient, jacobian, wanted in zip(ours, jacobians, expected, strict=True):
        assert wanted.any()
        assert_close(gradient, wanted)
        assert_close(torch.tensordot(upstream, jacobian, dims=upstream.ndim), wanted)


def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, backend="aot_eager", fullgraph=True)


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(("scheme", "memory"), sample(COMPILED, 2))
def test_multi_head_attention_compiles_into_one_graph(scheme, memory):
    module = attention(scheme)
    x = torch.randn(B, T, D, dtype=torch.float64, requires_grad=True)
    mask = look_ahead_mask(T) if memory is None else MASK
    outputs = compiled(module)(x, memory, mask), module(x, memory, mask)
    assert_close(*outputs)
    gradients = [torch.autograd.grad(o.square().sum(), module.out_proj.weight) for o in outputs]
    assert_close(*gradients)


@pytest.mark.parametrize("scheme", [*SCHEMES, None])
@pytest.mark.parametrize("learning", [True, False])
def test_under_autocast_attention_computes_in_bfloat16(scheme, learning):
    module = attention(scheme, torch.float32) if scheme else MultiHeadAttention(D, H)
    x, memory = torch.randn(B, T, D), torch.randn(B, S, D)
    with torch.set_grad_enabled(learning):
        exact = module(x, mask=look_ahead_mask(T)), module(x, memory, MASK)
        with torch.autocast("cpu", torch.bfloat16):
            rough = module(x, mask=look_ahead_mask(T)), module(x.bfloat16(), memory, MASK)
    for ours, expected in zip(rough, exact, strict=True):
        assert ours.dtype == torch.bfloat16
        assert_close(ours.float(), expected, atol=0.05, rtol=0)
    if learning:
        rough[0].float().sum().backward()
        assert all(p.grad.isfinite().all() for p in module.parameters())


@pytest.mark.parametrize("scheme", [*SCHEMES, None])
@pytest.mark.parametrize("rows", [1, 2])
@torch.no_grad()
def test_under_autocast_the_cache_works_too(scheme, rows):
    module = attention(scheme, torch.float32) if scheme else MultiHeadAttention(D, H)
    x, cache = torch.randn(rows, T, D), KVCache()
    expected = module(x, mask=look_ahead_mask(T))
    with torch.autocast("cpu", torch.bfloat16):
        pieces = [module(x[:, t : t + 1], cache=cache) for t in range(T)]
    assert cache.tensors()[0].dtype == torch.bfloat16
    assert_close(torch.cat(pieces, dim=1).float(), expected, atol=0.05, rtol=0)
