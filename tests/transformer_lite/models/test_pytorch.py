"""`from_torch`: outputs, gradients and settings equal those of PyTorch's modules."""

import copy
import math
import warnings

import pytest
import torch
import torch.nn.functional as F
from tiny_models import SRC, TGT, make
from torch import nn
from torch.nn.utils import prune

from transformer_lite import (
    Transformer,
    cross_entropy,
    from_torch,
    look_ahead_mask,
    sinusoidal_positions,
)

B, T, S, H, K = 2, 5, 7, 3, 4
D, D_FF = H * K, 20

# How far apart two results may be, as a share of their size. bfloat16 keeps eight bits: each of
# the dozen roundings of a layer is off by up to 2⁻⁹, and the two modules round in another order.
BOUND = {torch.float64: 1e-10, torch.float32: 1e-5, torch.bfloat16: 2**-5}

each_dtype = pytest.mark.parametrize("dtype", BOUND, ids=lambda dtype: str(dtype)[6:])
norm_first = pytest.mark.parametrize("norm_first", [False, True], ids=["post", "pre"])
with_bias = pytest.mark.parametrize("bias", [True, False], ids=["bias", "no-bias"])
each_mode = pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])


def with_telling_parameters(module):
    """No gain is 1, no bias 0, and no matrix so large that softmax has but one answer."""
    for parameter in module.parameters():
        if parameter.ndim == 1:
            nn.init.uniform_(parameter, 0.5, 1.5)
        else:
            nn.init.normal_(parameter, std=parameter.shape[1] ** -0.5)
    return module


def layer(kind, dtype, width=D, heads=H, **options):
    options = {"dropout": 0.0, "batch_first": True} | options
    return with_telling_parameters(kind(width, heads, D_FF, **options).to(dtype))


def assert_near(found, expected, dtype):
    """Compare lists of tensors by their size as a whole: single entries may be near 0."""
    found, expected = (
        torch.cat([t.detach().double().flatten() for t in ts]) for ts in (found, expected)
    )
    assert (found - expected).norm() <= BOUND[dtype] * expected.norm()


def derivatives(output, inputs, module):
    """The gradients of inputs and parameters, of a sum in which each output has its own weight."""
    weights = torch.linspace(-1, 2, output.numel(), dtype=torch.float64).view(output.shape)
    loss = (output * weights.to(output.dtype)).sum()
    return torch.autograd.grad(loss, [*inputs, *module.parameters()])


def assert_equal_modules(theirs, run_ours, run_theirs, *inputs):
    """Compare the outputs, and the gradients of all inputs and all parameters."""
    ours, dtype = from_torch(theirs), inputs[0].dtype
    inputs = tuple(tensor.requires_grad_() for tensor in inputs)
    output, expected = run_ours(ours, *inputs), run_theirs(theirs, *inputs)
    assert output.dtype == expected.dtype == dtype
    assert_near([output], [expected], dtype)

    found = derivatives(output, inputs, ours)
    wanted = derivatives(expected, inputs, theirs)
    # Our form of a module whose weights are the gradients has them at their places.
    holder = copy.deepcopy(theirs)
    for parameter, gradient in zip(holder.parameters(), wanted[len(inputs) :], strict=True):
        parameter.data = gradient
    wanted = [*wanted[: len(inputs)], *from_torch(holder).parameters()]
    assert [g.shape for g in found] == [w.shape for w in wanted]
    assert_near(found, wanted, dtype)
    if dtype == torch.float64:
        for mine, yours in zip(found, wanted, strict=True):
            torch.testing.assert_close(mine, yours, atol=1e-10, rtol=1e-10)


def tokens(*shape, dtype):
    return torch.randn(*shape, dtype=dtype)


def real_tokens(batch, length):
    """Which tokens are not padding; every sentence has at least one."""
    lengths = torch.randint(1, length + 1, (batch, 1))
    return torch.arange(length) < lengths


# Each module by itself


@each_dtype
@pytest.mark.parametrize("kind", [nn.LayerNorm, nn.RMSNorm])
@pytest.mark.parametrize("eps", [None, 1e-5, 0.1])
def test_norms(kind, eps, dtype):
    if kind is nn.LayerNorm and eps is None:
        variants = [kind(D), kind(D, bias=False)]
    else:
        variants = [kind(D, eps=eps)]
    for theirs in variants:
        theirs = with_telling_parameters(theirs.to(dtype))
        run = nn.Module.__call__
        assert_equal_modules(theirs, run, run, tokens(B, T, D, dtype=dtype))
        # Small numbers, which ε outweighs: √ε is 0.003 and 0.3.
        assert_equal_modules(theirs, run, run, 0.01 * tokens(B, T, D, dtype=dtype))


@each_dtype
@with_bias
@pytest.mark.parametrize("batch_first", [True, False])
def test_self_attention(batch_first, bias, dtype):
    theirs = nn.MultiheadAttention(D, H, bias=bias, batch_first=batch_first).to(dtype)
    real = real_tokens(B, T)

    def run_theirs(module, x):
        x = x if batch_first else x.transpose(0, 1)
        output = module(x, x, x, key_padding_mask=~real, attn_mask=~look_ahead_mask(T))[0]
        return output if batch_first else output.transpose(0, 1)

    assert_equal_modules(
        with_telling_parameters(theirs),
        lambda module, x: module(x, mask=look_ahead_mask(T) & real[:, None, None]),
        run_theirs,
        tokens(B, T, D, dtype=dtype),
    )


@each_dtype
@each_mode
def test_cross_attention_and_its_weights(training, dtype):
    theirs = nn.MultiheadAttention(D, H, batch_first=True).to(dtype).train(training)
    real = real_tokens(B, S)
    x, memory = tokens(B, T, D, dtype=dtype), tokens(B, S, D, dtype=dtype)
    assert_equal_modules(
        with_telling_parameters(theirs),
        lambda module, x, memory: module(x, memory, real[:, None, None]),
        lambda module, x, memory: module(x, memory, memory, key_padding_mask=~real)[0],
        x,
        memory,
    )
    wanted = theirs(x, memory, memory, key_padding_mask=~real, average_attn_weights=False)[1]
    weights = from_torch(theirs).steps(x, memory, real[:, None, None]).weights
    assert_near([weights], [wanted], dtype)


# A ReLU whose input lies at 0 has one gradient or the other, whatever the precision: eight bits
# often lie there, so the stacks in bfloat16 are compared with GELU.
@each_dtype
@norm_first
@pytest.mark.parametrize("norm", [None, nn.LayerNorm, nn.RMSNorm])
def test_stacks(norm, norm_first, dtype):
    options = {"activation": "gelu", "norm_first": norm_first}
    final = None if norm is None else with_telling_parameters(norm(D)).to(dtype)
    encoder = nn.TransformerEncoder(
        layer(nn.TransformerEncoderLayer, dtype, **options), 2, final, enable_nested_tensor=False
    )
    decoder = nn.TransformerDecoder(
        layer(nn.TransformerDecoderLayer, dtype, **options), 3, copy.deepcopy(final)
    )
    for stack in (encoder, decoder):
        with_telling_parameters(stack)  # PyTorch's layers start as copies of one
    real, source = real_tokens(B, T), real_tokens(B, S)
    x, memory = tokens(B, T, D, dtype=dtype), tokens(B, S, D, dtype=dtype)
    assert_equal_modules(
        encoder,
        lambda module, x: module(x, real[:, None, None]),
        lambda module, x: module(x, src_key_padding_mask=~real),
        x,
    )
    assert_equal_modules(
        decoder,
        lambda module, x, memory: module(x, memory, look_ahead_mask(T), source[:, None, None]),
        lambda module, x, memory: module(
            x, memory, tgt_mask=~look_ahead_mask(T), memory_key_padding_mask=~source
        ),
        x,
        memory,
    )


# What else a converted module keeps


def every_module(**options):
    encoder_layer = layer(nn.TransformerEncoderLayer, torch.float32, **options)
    decoder_layer = layer(nn.TransformerDecoderLayer, torch.float32, **options)
    return [
        nn.MultiheadAttention(D, H, batch_first=True),
        encoder_layer,
        decoder_layer,
        nn.TransformerEncoder(encoder_layer, 2, nn.LayerNorm(D), enable_nested_tensor=False),
        nn.TransformerDecoder(decoder_layer, 2, nn.RMSNorm(D)),
        nn.LayerNorm(D),
        nn.RMSNorm(D),
    ]


def count(module):
    return sum(p.numel() for p in module.parameters())


@pytest.mark.parametrize("place", range(7))
def test_weights_are_copies(place):
    theirs = every_module()[place]
    before = [p.detach().clone() for p in theirs.parameters()]
    ours = from_torch(theirs)
    assert count(ours) == count(theirs)
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.add_(1.0)
    for parameter, earlier in zip(theirs.parameters(), before, strict=True):
        assert torch.equal(parameter, earlier)
    state = copy.deepcopy(ours.state_dict())
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.zero_()
    assert all(torch.equal(ours.state_dict()[name], value) for name, value in state.items())


@pytest.mark.parametrize("place", range(7))
def test_mode_dtype_device_and_frozen_weights_are_kept(place):
    for training in (True, False):
        theirs = every_module()[place].double().train(training)
        ours = from_torch(theirs)
        assert {module.training for module in ours.modules()} == {training}
        assert {p.dtype for p in ours.parameters()} == {torch.float64}
        assert all(p.requires_grad for p in ours.parameters())
        assert not any(
            p.requires_grad for p in from_torch(theirs.requires_grad_(False)).parameters()
        )
        assert {p.device.type for p in from_torch(theirs.to("meta")).parameters()} == {"meta"}
    if torch.cuda.is_available():
        ours = from_torch(every_module()[place].cuda())
        assert {p.device.type for p in ours.parameters()} == {"cuda"}


def test_all_probabilities_of_dropout_are_kept():
    theirs = layer(nn.TransformerDecoderLayer, torch.float32, dropout=0.1)
    theirs.self_attn.dropout, theirs.multihead_attn.dropout, theirs.dropout.p = 0.2, 0.3, 0.4
    theirs.dropout1.p, theirs.dropout2.p, theirs.dropout3.p = 0.5, 0.6, 0.7
    ours = from_torch(theirs)
    assert (ours.self_attention.dropout, ours.cross_attention.dropout) == (0.2, 0.3)
    assert ours.feed_forward.dropout == 0.4
    recipes = (
        ours.self_attention_residual,
        ours.cross_attention_residual,
        ours.feed_forward_residual,
    )
    assert [recipe.dropout for recipe in recipes] == [0.5, 0.6, 0.7]
    x = torch.randn(B, T, D)
    assert not torch.equal(ours(x, x), ours(x, x))


# What was exchanged or changed after the module was made


class LowRank(nn.Linear):
    """A projection with a correction next to it, as LoRA's."""

    def forward(self, x):
        return super().forward(x) + x.sum(dim=-1, keepdim=True)


class WeightKind(torch.Tensor):
    """A weight with products of its own, as those of quantized models."""


def exchange(path, make):
    """Return a change that puts a new part in the place of the one at `path`."""
    return lambda m: m.set_submodule(path, make(m.get_submodule(path)))


def hook(path):
    return lambda m: m.get_submodule(path).register_forward_hook(lambda module, x, y: 3 * y)


def pre_hook(path):
    return lambda m: m.get_submodule(path).register_forward_pre_hook(lambda module, x: x)


def quantize(m):
    weight = m.linear2.weight.detach().as_subclass(WeightKind)
    m.linear2.weight = nn.Parameter(weight)


CHANGES = {
    "LoRA": (exchange("linear1", lambda old: LowRank(D, D_FF)), "linear1 must be Linear"),
    "compiled part": (
        exchange("linear2", lambda old: torch.compile(old, backend="eager")),
        "linear2 must be .*OptimizedModule",
    ),
    "another Linear": (
        exchange("linear1", lambda old: type("Linear", (nn.Linear,), {})(D, D_FF)),
        "linear1 must be Linear; .* got 'test_pytorch.Linear'",
    ),
    "weight norm": (
        lambda m: nn.utils.parametrizations.weight_norm(m.self_attn.out_proj),
        "out_proj must be Linear or .*Parametrized",
    ),
    "spectral norm": (lambda m: nn.utils.parametrizations.spectral_norm(m.linear1), "linear1 must"),
    "pruning": (lambda m: prune.random_unstructured(m.linear1, "weight", 0.5), "linear1 .* hooks"),
    "a dropout": (exchange("dropout2", lambda old: nn.AlphaDropout(0.1)), "dropout2 must be Drop"),
    "no feed-forward": (exchange("linear2", lambda old: nn.Identity()), "linear2 must be Linear"),
    "a norm": (exchange("norm1", lambda old: nn.BatchNorm1d(D)), "norm1 must be LayerNorm or RMS"),
    "an activation": (
        lambda m: setattr(m, "activation", type("Double", (nn.ReLU,), {})()),
        "activation must be relu or gelu",
    ),
    "an attention": (
        exchange("self_attn", lambda old: type("Mine", (nn.MultiheadAttention,), {})(D, H)),
        "self_attn must be MultiheadAttention; .*Mine",
    ),
    "a hook": (hook(""), "module must have no hooks"),
    "a hook inside": (hook("linear1"), "linear1 must have no hooks"),
    "a hook deep inside": (hook("self_attn.out_proj"), "self_attn.out_proj must have no hooks"),
    "a hook before": (pre_hook("norm1"), "norm1 must have no hooks"),
    "a forward": (
        lambda m: setattr(m.linear1, "forward", torch.zeros_like),
        "linear1 must have no hooks and no method of its own",
    ),
    "a method": (lambda m: setattr(m, "_ff_block", torch.zeros_like), "no method of its own"),
    "a kind of weight": (quantize, "linear2.weight must be a plain parameter"),
    "a dtype": (lambda m: m.linear1.half(), "one dtype .*float32 on cpu in .* torch.float16"),
}


def stack(one, number):
    if type(one) is nn.TransformerDecoderLayer:
        return nn.TransformerDecoder(one, number)
    return nn.TransformerEncoder(one, number, enable_nested_tensor=False)


@pytest.mark.parametrize("kind", [nn.TransformerEncoderLayer, nn.TransformerDecoderLayer])
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_part_is_refused_at_any_depth(name, kind):
    change, message = CHANGES[name]
    changed = layer(kind, torch.float32)
    change(changed)
    with pytest.raises(ValueError, match=message):
        from_torch(changed)
    whole = stack(layer(kind, torch.float32), 2)
    whole.layers[1] = changed
    with pytest.raises(ValueError, match=message.replace("module must", "layers.1 must")):
        from_torch(whole)


def test_an_activation_unknown_to_pytorchs_fast_path_is_refused():
    theirs = layer(nn.TransformerEncoderLayer, torch.float32)
    theirs.activation = F.gelu
    with pytest.raises(ValueError, match=r"activation_relu_or_gelu must be 2 .* got 1"):
        from_torch(theirs)


def test_a_hook_on_all_modules_is_refused():
    on_all = nn.modules.module.register_module_forward_hook(lambda module, x, y: 2 * y)
    with on_all, pytest.raises(ValueError, match="module must have no hooks"):
        from_torch(nn.LayerNorm(D))
    from_torch(nn.LayerNorm(D))


@pytest.mark.parametrize("kind", [nn.TransformerEncoderLayer, nn.TransformerDecoderLayer])
@pytest.mark.parametrize("path", ["linear1", "linear2", "self_attn.out_proj", "norm2"])
def test_each_part_may_lack_its_bias(kind, path):
    theirs = layer(kind, torch.float64)
    theirs.get_submodule(path).bias = None
    x = tokens(B, T, D, dtype=torch.float64)
    inputs = (x,) if kind is nn.TransformerEncoderLayer else (x, x)
    assert_near([from_torch(theirs)(*inputs)], [theirs(*inputs)], torch.float64)


def test_hooks_on_gradients_and_a_layer_that_occurs_twice_are_accepted():
    one = layer(nn.TransformerEncoderLayer, torch.float64)
    one.register_full_backward_hook(lambda *args: None)
    theirs = stack(one, 3)
    theirs.layers[2] = theirs.layers[0]
    ours, x = from_torch(theirs), tokens(B, T, D, dtype=torch.float64)
    assert ours.layers[2] is ours.layers[0] is not ours.layers[1]
    assert_near([ours(x)], [theirs(x)], torch.float64)


# A whole model


def torch_transformer(norm_first):
    """`nn.Transformer`, but without the norms that PyTorch puts after post-norm stacks."""
    options = {"dropout": 0.0, "batch_first": True, "norm_first": norm_first}
    with warnings.catch_warnings():  # pre-norm layers have no nested tensors, and PyTorch says so
        warnings.simplefilter("ignore", UserWarning)
        theirs = nn.Transformer(D, H, 1, 2, D_FF, **options, dtype=torch.float64)
    if not norm_first:
        theirs.encoder.norm = theirs.decoder.norm = None
    theirs.encoder.enable_nested_tensor = False
    return with_telling_parameters(theirs)


@each_mode
@norm_first
def test_a_whole_model_equals_nn_transformer(norm_first, training):
    theirs = torch_transformer(norm_first).train(training)
    ours = make(Transformer, residual="pre" if norm_first else "post").train(training)
    for name in ("encoder", "decoder"):  # strict: not a weight too many, not one too few
        getattr(ours, name).load_state_dict(from_torch(getattr(theirs, name)).state_dict())
    source = ours.src_embedding.table.weight.detach().clone().requires_grad_()
    target = ours.tgt_embedding.table.weight.detach().clone().requires_grad_()
    output = ours.output.weight.detach().clone().requires_grad_()

    def embed(table, ids):
        places = sinusoidal_positions(ids.shape[1], D).float().double()
        return F.embedding(ids, table) * math.sqrt(D) + places

    decoded = theirs(
        embed(source, SRC),
        embed(target, TGT),
        tgt_mask=~look_ahead_mask(TGT.shape[1]),
        src_key_padding_mask=SRC == 0,
        tgt_key_padding_mask=TGT == 0,
        memory_key_padding_mask=SRC == 0,
    )
    expected, logits = decoded @ output.T, ours(SRC, TGT)
    torch.testing.assert_close(logits, expected, atol=1e-10, rtol=1e-10)

    losses = [cross_entropy(x[:, :-1], TGT[:, 1:], 0.1, pad_id=0) for x in (logits, expected)]
    for loss in losses:
        loss.backward()
    holder = copy.deepcopy(theirs)
    for parameter, gradient in zip(holder.parameters(), theirs.parameters(), strict=True):
        parameter.data = gradient.grad
    wanted = {
        "src_embedding.table.weight": source.grad,
        "tgt_embedding.table.weight": target.grad,
        "output.weight": output.grad,
    }
    for name in ("encoder", "decoder"):
        stack = from_torch(getattr(holder, name))
        wanted |= {f"{name}.{inner}": value for inner, value in stack.named_parameters()}
    found = {name: parameter.grad for name, parameter in ours.named_parameters()}
    assert found.keys() == wanted.keys()
    for name, gradient in found.items():
        torch.testing.assert_close(gradient, wanted[name].detach(), atol=1e-10, rtol=1e-10)
