"""The training job: sizes of the models, and an estimate of PyTorch's activation memory."""

import pytest
import torch
from torch import nn

import transformer_lite as tl
from lessons.at_scale.training_job.job_costs import SHARED
from lessons.trained.options import Options
from lessons.trained.recorded import captions_run
from transformer_lite.models.published import PUBLISHED, count_parameters

PUBLISHED_HERE = [name for name in SHARED["models"] if name in PUBLISHED]


@pytest.mark.parametrize("name", PUBLISHED_HERE)
def test_sizes_match_the_counts_of_published_models(name):
    size, shown = PUBLISHED[name], SHARED["models"][name]
    assert shown == {
        "weights": count_parameters(size).total,
        "layers": size.layers,
        "d_model": size.d_model,
        "words": size.vocab_size,
    }


def test_the_size_of_the_translator_matches_the_recorded_run():
    shown = SHARED["models"]["captions translator"]
    config = Options.chosen(source="a.en", target="a.fr").config(shown["words"])
    with torch.device("meta"):
        model = tl.build(config)
    assert shown["weights"] == sum(w.numel() for w in model.parameters())
    assert shown["weights"] == captions_run()["scores"][0]["weights"]
    assert shown["layers"] == config.num_encoder_layers + config.num_decoder_layers
    assert shown["d_model"] == config.d_model


def kept_bytes(function, inputs: torch.Tensor) -> int:
    """Return the bytes that PyTorch keeps for a backward pass, without the weights."""
    weights = {w.untyped_storage().data_ptr() for w in function.parameters()}
    kept = {}

    def keep(x: torch.Tensor) -> torch.Tensor:
        storage = x.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = storage.nbytes()
        return x

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        out = function(inputs)
    assert out.requires_grad
    return sum(kept.values())


class Block(nn.Module):
    """A pre-norm layer with fused attention, of inner width 4D."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.back = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        split = self.qkv(self.norms[0](x)).unflatten(-1, (3, self.heads, -1))
        q, k, v = split.permute(2, 0, 3, 1, 4)
        heads = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + nn.functional.dropout(self.out(heads.transpose(1, 2).flatten(2)))
        hidden = nn.functional.gelu(self.wide(self.norms[1](x)))
        return x + nn.functional.dropout(self.back(hidden))


def test_estimated_activation_memory_is_close_to_pytorchs():
    """Counted in numbers for each token, feature and layer; masks of dropout are bytes."""
    layers, tokens, width = 6, 64, 128
    torch.manual_seed(26)
    stack = nn.Sequential(*(Block(width, 4) for _ in range(layers)))
    kept = kept_bytes(stack, torch.randn(2, tokens, width)) / 4
    assert 0.85 < kept / (layers * 2 * tokens * width) / SHARED["kept"] < 1.15
