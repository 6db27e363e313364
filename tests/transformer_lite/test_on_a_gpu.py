"""Results on a GPU equal those on the CPU: attention, positions, caches and decoding."""

import pytest
import torch
from reference_search import DECODERS, EOS, each_decoder
from relative_attention import SCHEMES, B, D, H, S, T, attention
from tiny_models import make
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, beam_search, greedy, look_ahead_mask, sample
from transformer_lite.layers import KVCache
from transformer_lite.layers.dropout import dropout
from transformer_lite.training.distributed import launch

GPU = "cuda"
pytestmark = pytest.mark.gpu
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-10}
each_scheme = pytest.mark.parametrize("scheme", [*SCHEMES, None])


def make_attention(scheme, dtype) -> MultiHeadAttention:
    return attention(scheme, dtype) if scheme else MultiHeadAttention(D, H).to(dtype).eval()


@each_scheme
def test_attention_and_its_gradients(scheme, normal, dtype):
    module, x, memory = make_attention(scheme, dtype), normal(B, T, D), normal(B, S, D)
    mask = look_ahead_mask(T)
    mask = torch.stack([mask, mask])[:, None]
    mask[1, 0, 3] = False  # a fully masked row
    results = []
    for device in ("cpu", GPU):
        module.to(device).zero_grad()
        tokens = x.clone().to(device).requires_grad_()
        outputs = (
            module(tokens, mask=mask.to(device)),
            module(tokens, memory.to(device)),
            module.steps(tokens, mask=mask.to(device)).output,
        )
        sum(output.square().sum() for output in outputs).backward()
        gradients = [p.grad.clone() for p in (tokens, *module.parameters())]
        results.append([tensor.detach().cpu() for tensor in (*outputs, *gradients)])
    for ours, theirs in zip(*results, strict=True):
        assert ours.isfinite().all()
        assert_close(ours, theirs, atol=TOLERANCE[dtype], rtol=TOLERANCE[dtype])


@each_scheme
@torch.no_grad()
def test_a_cache(scheme, normal, dtype):
    module, x = make_attention(scheme, dtype), normal(B, T, D)
    expected = module(x, mask=look_ahead_mask(T))
    module.to(GPU)
    cache, pieces = KVCache(), []
    for t in range(T):
        pieces.append(module(x[:, t : t + 1].to(GPU), cache=cache))
    assert_close(torch.cat(pieces, dim=1).cpu(), expected, atol=TOLERANCE[dtype], rtol=0)
    keys, values = (tensor.clone() for tensor in cache.tensors())
    cache.reorder(torch.tensor([1, 0], device=GPU))
    assert torch.equal(cache.tensors()[0], keys[[1, 0]])
    assert torch.equal(cache.tensors()[1], values[[1, 0]])


@each_decoder
def test_decoding(kind):
    model, (ids, bos_id) = make(kind), DECODERS[kind]
    options = {"eos_id": EOS, "bos_id": bos_id, "max_len": 9}
    tokens, beams = greedy(model, ids, **options), beam_search(model, ids, **options)
    model.to(GPU)
    found = beam_search(model, ids.to(GPU), **options)
    assert torch.equal(greedy(model, ids.to(GPU), **options).cpu(), tokens)
    assert torch.equal(found.tokens.cpu(), beams.tokens)
    assert_close(found.scores.cpu(), beams.scores, atol=1e-5, rtol=0)
    assert torch.equal(sample(model, ids.to(GPU), top_k=1, **options).cpu(), tokens)
    drawn = [
        sample(model, ids.to(GPU), generator=torch.Generator(GPU).manual_seed(3), **options)
        for _ in range(2)
    ]
    assert torch.equal(*drawn)


def test_dropout():
    dropped = dropout(torch.ones(200_000, device=GPU), 0.1, training=True)
    assert abs((dropped == 0).double().mean() - 0.1) < 0.0034  # five deviations
    assert_close(dropped.max().item(), 1 / 0.9, atol=0, rtol=1e-4)


def test_workers_get_a_gpu_each_or_all_use_the_cpu(tmp_path):
    told = "workers.device.type, workers.sum([1.0]), torch.randn(3).isfinite().all().item()"
    program = tmp_path / "told.py"
    program.write_text(
        "import torch\nfrom transformer_lite.training.distributed import Workers\n"
        f"workers = Workers.current()\ntorch.manual_seed(1)\nprint({told}, flush=True)\n"
    )
    gpus = torch.cuda.device_count()
    for count, device in ((gpus, "cuda"), (gpus + 1, "cpu")):
        done = launch(count, str(program), seconds=120)
        assert done.stdout.count(f"{device} [{float(count)}] True") == count, done.stdout
