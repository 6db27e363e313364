"""PyTorch's own tools accept the models: compile, export, autocast, func, copies, a GPU."""

import copy

import pytest
import shape_checks
import torch
from sampling import sample
from tiny_models import (
    BUILDERS,
    SRC,
    SRC_VOCAB,
    TGT,
    TGT_VOCAB,
    config,
    each_model,
    each_position,
    inputs_of,
    make,
    randomized,
)
from torch.export import Dim
from torch.testing import assert_close

from transformer_lite import Transformer
from transformer_lite.models import DecoderOnlyTransformer, EncoderOnlyTransformer
from transformer_lite.models.variants import POSITIONS

# Tracing takes seconds, so one layer has to do.
SMALL = {"num_decoder_layers": 1, "dtype": torch.float32}


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Transformer, {"positions": "sinusoidal"}),
        pytest.param(
            DecoderOnlyTransformer,
            {"positions": "t5", "residual": "pre", "norm": "rms"},
            marks=pytest.mark.nightly,
        ),
    ],
    ids=["Transformer", "DecoderOnlyTransformer"],
)
def test_the_model_compiles_into_one_graph(kind, fields):
    torch._dynamo.reset()
    model, inputs = make(kind, **SMALL, **fields), inputs_of(kind)
    # aot_eager traces forward and backward like the default, and needs no C++ compiler.
    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
    assert_close(compiled(*inputs), model(*inputs))
    gradients = [
        torch.autograd.grad(run(*inputs).square().sum(), list(model.parameters()))
        for run in (compiled, model)
    ]
    assert_close(*gradients)


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        *sample([(Transformer, {"positions": positions}) for positions in POSITIONS], 1),
        *((DecoderOnlyTransformer, {}), (EncoderOnlyTransformer, {})),
    ],
    ids=str,
)
def test_the_exported_model_gives_the_same_outputs(kind, fields):
    model = make(kind, **SMALL, **fields)
    exported = torch.export.export(model, inputs_of(kind))
    assert_close(exported.module()(*inputs_of(kind)), model(*inputs_of(kind)))


@pytest.fixture(scope="module")
def open_export():
    """A model, and its export with open batch and lengths."""
    model = make(Transformer, **SMALL, max_len=64)
    src, tgt = SRC.repeat(2, 1)[:3], TGT.repeat(2, 1)[:3]  # neither 1 nor another axis' size
    axes = {0: Dim.DYNAMIC, 1: Dim.DYNAMIC}
    with shape_checks.off():
        exported = torch.export.export(model, (src, tgt), dynamic_shapes=(axes, axes))
    return model, exported.module()


@pytest.mark.parametrize(
    "sizes",
    [(3, 7, 5), (2, 4, 6), (1, 9, 3), (1, 1, 2), (17, 30, 31)],
    ids=str,
)
def test_export_leaves_batch_and_lengths_open(sizes, open_export):
    (model, exported), (batch, source, target) = open_export, sizes
    src = torch.randint(0, SRC_VOCAB, (batch, source))
    tgt = torch.randint(0, TGT_VOCAB, (batch, target))
    assert_close(exported(src, tgt), model(src, tgt))


@each_model
@each_position
def test_autocast_works_forward_and_backward(kind, positions):
    model = make(kind, positions=positions, dtype=torch.float32)
    inputs = inputs_of(kind)
    expected = model(*inputs)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output = model(*inputs)
        loss = output.float().square().mean()
    loss.backward()
    assert all(p.grad.isfinite().all() and p.grad.dtype == p.dtype for p in model.parameters())
    # bfloat16 keeps eight bits, and a dozen roundings follow each other.
    error = (output - expected).norm() / expected.norm()
    assert 1e-5 < error < 2**-4


@each_model
@pytest.mark.parametrize("tied", [True, False])
def test_a_copy_is_whole_and_independent(kind, tied):
    fields = {"src_vocab_size": TGT_VOCAB} if tied else {}
    model = randomized(BUILDERS[kind](config(tie_embeddings=tied, **fields)).eval())
    inputs = inputs_of(kind)
    before = model(*inputs)
    twin = copy.deepcopy(model)
    assert torch.equal(twin(*inputs), before)
    assert twin.config == model.config
    assert len(list(twin.parameters())) == len(list(model.parameters())), "ties are kept"
    with torch.no_grad():
        for parameter in twin.parameters():
            parameter.add_(1.0)
    assert torch.equal(model(*inputs), before)
    assert not torch.equal(twin(*inputs), before)

    assert not twin.load_state_dict(model.state_dict()).missing_keys
    assert torch.equal(twin(*inputs), before)


@pytest.mark.gpu
@each_model
@each_position
def test_cpu_and_gpu_agree(kind, positions):
    model = make(kind, positions=positions)
    src = SRC.clone()
    src[1] = 0  # fully masked
    inputs = inputs_of(kind, src=src)
    twin = copy.deepcopy(model).cuda()
    output, expected = twin(*(ids.cuda() for ids in inputs)), model(*inputs)
    assert_close(output.cpu(), expected, atol=1e-10, rtol=1e-10)
    output.square().mean().backward()
    expected.square().mean().backward()
    for mine, theirs in zip(twin.parameters(), model.parameters(), strict=True):
        assert_close(mine.grad.cpu(), theirs.grad, atol=1e-10, rtol=1e-10)
