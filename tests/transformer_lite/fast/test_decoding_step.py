"""The fast form of a decoding step equals the model, for every choice of parts."""

import pytest
import torch
from tiny_models import SRC, TGT, each_choice, make, make_chosen
from torch.testing import assert_close

from transformer_lite import PostNorm, Transformer, greedy, padding_mask
from transformer_lite.fast.exact import fast_step
from transformer_lite.models import DecoderOnlyTransformer

DECODERS = pytest.mark.parametrize("kind", [Transformer, DecoderOnlyTransformer])
START = 2


@torch.no_grad()
def run(model, tokens: torch.Tensor, fast: bool) -> torch.Tensor:
    """The logits after each token from START on, one step a token, shape (B, T − START, V)."""
    cache, sources = model.new_cache(), []
    forward = model
    if isinstance(model, Transformer):
        forward, sources = model.decode, [model.encode(SRC), padding_mask(SRC)]
    forward(tokens[:, :START], *sources, cache=cache)
    step = fast_step(model, cache, *sources) if fast else None
    steps = []
    for t in range(START, tokens.shape[1]):
        new = tokens[:, t : t + 1]
        steps.append(step(new) if fast else forward(new, *sources, cache=cache)[:, 0])
    assert cache.length == tokens.shape[1]
    return torch.stack(steps, dim=1)


@DECODERS
@each_choice
def test_every_fast_step_equals_the_model(kind, choice):
    model = make_chosen(kind, choice)
    # TGT holds pads: behind them a row's mask is at work.
    assert_close(run(model, TGT, fast=True), run(model, TGT, fast=False), atol=1e-10, rtol=1e-10)


@DECODERS
def test_a_custom_residual_recipe_is_used_unchanged(kind):
    class Doubled(PostNorm):
        """Weighs what the sub-layer found twice."""

        def forward(self, x, sublayer):
            return self.norm(x + 2 * sublayer(x))

    model = make(kind)
    for layer in model.decoder.layers:
        layer.feed_forward_residual = Doubled(layer.feed_forward_residual.norm)
    assert_close(run(model, TGT, fast=True), run(model, TGT, fast=False), atol=1e-10, rtol=1e-10)


def test_a_subclass_decodes_with_its_own_forward():
    class Shy(DecoderOnlyTransformer):
        """Never says what it thinks: all logits are 0 but that of token 3."""

        def forward(self, ids, cache=None):
            return super().forward(ids, cache).zero_().index_fill(-1, torch.tensor(3), 1.0)

    parts = make(DecoderOnlyTransformer)
    model = Shy(parts.embedding, parts.decoder, parts.output).eval()
    assert greedy(model, torch.tensor([[5]]), eos_id=2, max_len=4).tolist() == [[5, 3, 3, 3]]
