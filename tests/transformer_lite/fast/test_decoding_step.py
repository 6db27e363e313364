"""The fast form of a decoding step equals the model, for every choice of parts."""

import pytest
import torch
from sampling import each_pair, each_value
from tiny_models import CHOICES, SRC, TGT, D, K, make, make_chosen, randomized
from torch.testing import assert_close

from transformer_lite import PostNorm, Transformer, beam_search, greedy, padding_mask
from transformer_lite.fast.decoding_step import equal_rows
from transformer_lite.fast.exact import fast_step, fast_steps_disabled
from transformer_lite.layers import GEGLU, GroupedQueryAttention, SwiGLU
from transformer_lite.layers.norms import RMSNorm, ZeroCenteredRMSNorm
from transformer_lite.layers.positions import ALiBi, PositionScheme, Rotary, ShawRelative
from transformer_lite.models import DecoderOnlyTransformer

KINDS = [Transformer, DecoderOnlyTransformer]
DECODERS = pytest.mark.parametrize("kind", KINDS)
START = 2


def joined(value: object) -> str | None:
    """Return the name of a choice of parts."""
    return "-".join(value) if isinstance(value, tuple) else None


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


@pytest.mark.parametrize(("kind", "choice"), each_value(KINDS, CHOICES), ids=joined)
def test_every_fast_step_equals_the_model(kind, choice):
    model = make_chosen(kind, choice)
    # TGT contains padding: after it, a row's mask matters.
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


HEADS = D // 2
POSITIONS = {
    "none": PositionScheme,
    "rotary": Rotary,
    "alibi": lambda: ALiBi(HEADS),
    "shaw": lambda: ShawRelative(2),
}


@pytest.mark.parametrize(
    ("kind", "positions", "groups", "norm"),
    each_pair(KINDS, POSITIONS, [1, 2, HEADS], [None, RMSNorm, ZeroCenteredRMSNorm]),
)
def test_grouped_queries_have_a_fast_step_that_equals_them(kind, positions, groups, norm):
    model = make(kind)
    for layer in model.decoder.layers:
        parts = D, HEADS, groups, 0.0, groups > 1, POSITIONS[positions]()
        layer.self_attention = GroupedQueryAttention(*parts, make_qk_norm=norm)
        randomized(layer.self_attention.double().eval())
    assert_close(run(model, TGT, fast=True), run(model, TGT, fast=False), atol=1e-10, rtol=1e-10)
    assert fast_step(model.decoder.layers[0].self_attention, model.new_cache().target[0])


@pytest.mark.parametrize(
    "make_part", [lambda: RMSNorm(D), lambda: SwiGLU(D, 7), lambda: GEGLU(D, 7)]
)
def test_the_parts_of_llama_have_fast_steps_that_equal_them(make_part, normal, dtype):
    part, x = randomized(make_part().to(dtype).eval()), normal(3, 1, D)
    step = fast_step(part)
    assert step
    assert_close(step(x), part(x))


def test_an_attention_with_a_further_part_runs_in_its_plain_form():
    attention = GroupedQueryAttention(D, D // K, 1).eval()
    cache = make(DecoderOnlyTransformer).new_cache().target[0]
    assert fast_step(attention, cache)
    attention.key_norm = RMSNorm(K)
    assert fast_step(attention.eval(), cache) is None


def test_rows_that_are_equal_in_groups_are_counted():
    one, two = torch.zeros(1, 3), torch.ones(1, 3)
    counts = {
        (one, one, two, two): 2,
        (one, one, one, one): 4,
        (one, two, two, two): 1,
        (one, one, two, two, two): 1,
        (one, one, two, one): 1,
        (one, two): 1,
    }
    assert {equal_rows(torch.cat(rows)) - count for rows, count in counts.items()} == {0}


@pytest.mark.parametrize("sources", [SRC, SRC[[0, 0]], SRC[[1, 1, 0]]], ids=["", "equal", "mixed"])
def test_beams_that_share_a_source_find_the_same_texts(sources):
    model = make(Transformer)
    rules = {"bos_id": 1, "eos_id": 2, "max_len": 9, "num_beams": 4}
    fast = beam_search(model, sources, **rules)
    with fast_steps_disabled():
        plain = beam_search(model, sources, **rules)
    assert torch.equal(fast.tokens, plain.tokens)
    assert_close(fast.log_probs, plain.log_probs, atol=1e-10, rtol=1e-10)
