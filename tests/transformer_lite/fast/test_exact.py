"""The fast step changes nothing, whatever part is injected, wrapped or watched."""

import pytest
import torch
from changed_parts import (
    CHANGES,
    STEPS,
    Twice,
    embedding_of,
    forwards_doubled,
    logits_of_all_steps,
    recast,
    require_three_ways_to_agree,
)
from reference_search import DECODERS, decoding_of_targets, each_decoder, search
from sampling import each_value
from tiny_models import TGT, make
from torch import nn
from torch.nn.utils import parametrize
from torch.testing import assert_close

from transformer_lite import FeedForward, Transformer
from transformer_lite.fast import exact
from transformer_lite.fast.exact import fast_step, fast_steps_disabled
from transformer_lite.layers import Linear
from transformer_lite.layers.norms import LayerNorm
from transformer_lite.layers.unmodified import FORWARDS, is_exactly
from transformer_lite.models import Decoder, DecoderLayer, DecoderOnlyTransformer


@pytest.mark.parametrize(("kind", "name"), each_value(DECODERS, CHANGES))
def test_with_and_without_cache_and_step_the_logits_agree(kind, name):
    model, unchanged = make(kind), make(kind)
    unchanged.load_state_dict(model.state_dict())
    CHANGES[name](model)
    require_three_ways_to_agree(model)
    differs = logits_of_all_steps(model, False) - logits_of_all_steps(unchanged, False)
    assert differs.nan_to_num().abs().max() > 1e-3, "the change must show, or nothing is tested"


LAYER = "decoder.layers.0"
PARTS = [
    *("decoder", LAYER, f"{LAYER}.self_attention", f"{LAYER}.self_attention.q_proj"),
    *(f"{LAYER}.self_attention.out_proj", f"{LAYER}.feed_forward", f"{LAYER}.feed_forward.down"),
    *(f"{LAYER}.feed_forward_residual", f"{LAYER}.feed_forward_residual.norm", "output"),
    *("embedding", "embedding.table"),
]
CROSS_PARTS = ["cross_attention", "cross_attention.q_proj", "cross_attention_residual"]


@pytest.mark.parametrize(
    ("name", "kind", "before"),
    [
        *each_value(PARTS, DECODERS, [False, True]),
        *each_value([f"{LAYER}.{part}" for part in CROSS_PARTS], [Transformer], [False, True]),
    ],
)
def test_hook_fires_at_every_step_and_can_change_the_output(name, kind, before):
    model, calls = make(kind), []
    part = model.get_submodule(name.replace("embedding", embedding_of(model), 1))

    def note(module, args, output=None):
        calls.append(1)
        return None if output is None else 1.5 * output

    if before:
        part.register_forward_pre_hook(note)
    else:
        part.register_forward_hook(note)
    logits_of_all_steps(model, use_cache=True)
    assert len(calls) == len(STEPS)
    require_three_ways_to_agree(model)


@pytest.mark.parametrize(
    "kind", ["register_module_forward_hook", "register_module_forward_pre_hook"]
)
def test_a_hook_on_all_modules_sees_every_step(kind):
    model, seen = make(DecoderOnlyTransformer), []
    handle = getattr(nn.modules.module, kind)(lambda m, *_: seen.append(type(m)))
    try:
        logits_of_all_steps(model, use_cache=True)
    finally:
        handle.remove()
    assert seen.count(Decoder) == len(STEPS)
    assert seen.count(DecoderLayer) == 2 * len(STEPS)


@each_decoder
def test_unchanged_parts_use_the_fast_step(kind, monkeypatch):
    model, calls = make(kind), []
    decoder_forward = Decoder.forward

    class Counted(Decoder):
        def forward(self, *args, **kwargs):
            calls.append(1)
            return decoder_forward(self, *args, **kwargs)

    monkeypatch.setitem(exact.FORMS, Counted, exact.FORMS[Decoder])
    model.decoder.__class__ = Counted
    logits_of_all_steps(model, use_cache=True)
    assert len(calls) == 1, "the prefix, and then no more"
    with fast_steps_disabled():
        logits_of_all_steps(model, use_cache=True)
    assert len(calls) == 1 + len(STEPS)


@pytest.mark.parametrize("name", ["low-rank query", "wrapped layer", "biased output"])
def test_beam_search_agrees_with_and_without_the_cache(name):
    model = make(Transformer)
    CHANGES[name](model)
    ours, expected = (search(model, num_beams=3, use_cache=use) for use in (True, False))
    assert torch.equal(ours.tokens, expected.tokens)
    assert_close(ours.scores, expected.scores, atol=1e-9, rtol=1e-9)


def test_a_subclass_does_not_inherit_the_fast_form():
    parts = [Linear(2, 2), FeedForward(2, 3), nn.LayerNorm(2), forwards_doubled(Linear)(2, 2)]
    parts = [part.eval() for part in parts]
    offers = [fast_step(part) is not None for part in parts]
    assert offers == [True, True, False, False]
    with fast_steps_disabled():
        assert fast_step(parts[0]) is None
    assert fast_step(parts[0]) is not None


@pytest.mark.parametrize(
    "change",
    [
        lambda part: part.register_forward_hook(lambda *_: None),
        lambda part: part.register_forward_pre_hook(lambda *_: None),
        lambda part: setattr(part, "forward", lambda x: x),
        lambda part: parametrize.register_parametrization(part, "weight", Twice()),
        recast,
    ],
)
def test_hooked_or_changed_part_is_not_exact(change):
    part = Linear(2, 2)
    assert is_exactly(part, Linear) and not is_exactly(part, nn.Linear)
    change(part)
    assert not is_exactly(part, Linear)


@each_decoder
@pytest.mark.parametrize(
    "part", ["self_attention", "feed_forward", "feed_forward_residual"], ids=str
)
def test_dropout_of_a_part_left_in_training_acts_at_every_step(kind, part):
    model = make(kind)
    for layer in model.decoder.layers:
        getattr(layer, part).train().dropout = 0.5
    draws = [logits_of_all_steps(model, use_cache=True) for _ in range(2)]
    assert not torch.equal(draws[0][:, -1], draws[1][:, -1])


def test_a_replaced_forward_is_noticed_in_every_part_with_a_fast_step():
    kinds = {
        type(part)
        for kind in (Transformer, DecoderOnlyTransformer)
        for part in make(kind).modules()
    }
    offering = kinds & exact.FORMS.keys()
    assert len(offering) > 6
    for kind in offering:
        with pytest.MonkeyPatch.context() as patch:
            part: nn.Module = object.__new__(kind)
            nn.Module.__init__(part)
            assert is_exactly(part, kind), kind
            patch.setattr(kind, "forward", lambda self: None)
            assert not is_exactly(part, kind), kind


def test_fast_steps_can_be_disabled_during_decoding():
    model, calls = make(DecoderOnlyTransformer), []
    next_token = decoding_of_targets(model)
    with torch.no_grad(), pytest.MonkeyPatch.context() as patch:
        own = LayerNorm.forward
        counted = lambda self, x: calls.append(1) or own(self, x)  # noqa: E731
        patch.setattr(LayerNorm, "forward", counted)
        patch.setitem(FORWARDS, LayerNorm, counted)
        next_token(TGT[:, :1])
        next_token(TGT[:, :2])
        calls.clear()
        with fast_steps_disabled():
            next_token(TGT[:, :3])
        assert len(calls) == 4, "two norms in each of two layers"
        next_token(TGT[:, :4])
        assert len(calls) == 4


@torch.no_grad()
def test_weight_subclass_uses_its_own_product():
    class Halved(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            result = super().__torch_function__(func, types, args, kwargs or {})
            return result / 2 if func is nn.functional.linear else result

    ours, theirs, x = Linear(3, 2, bias=False), nn.Linear(3, 2, bias=False), torch.randn(1, 5, 3)
    theirs.weight = ours.weight = nn.Parameter(torch.randn(2, 3).as_subclass(Halved))
    assert_close(ours(x).as_subclass(torch.Tensor), theirs(x).as_subclass(torch.Tensor))


def test_a_hook_on_a_language_model_itself_fires_at_every_step():
    model, calls = make(DecoderOnlyTransformer), []
    model.register_forward_hook(lambda *_: calls.append(1))
    logits_of_all_steps(model, use_cache=True)
    assert len(calls) == len(STEPS)
