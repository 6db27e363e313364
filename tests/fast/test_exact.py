"""The fast step changes nothing, whatever part is injected, wrapped or watched."""

from contextlib import nullcontext

import pytest
import torch
from plain_searches import each_decoder
from tiny_models import SRC, TGT, D, make
from torch import nn
from torch.nn.utils import parametrize, prune
from torch.testing import assert_close

from transformer_lite import FeedForward, MultiHeadAttention, PostNorm, TokenEmbedding, Transformer
from transformer_lite.decoding import NextToken, beam_search
from transformer_lite.fast import exact
from transformer_lite.fast.exact import fast_step, is_exactly, plain
from transformer_lite.layers import GroupedQueryAttention, Linear
from transformer_lite.layers.norms import LayerNorm
from transformer_lite.layers.positions import PositionScheme, Rotary
from transformer_lite.models import Decoder, DecoderLayer, DecoderOnlyTransformer

STEPS = range(2, TGT.shape[1] + 1)


class LowRank(nn.Module):
    """A projection with a small correction beside it, as LoRA has; it has no weight of its own."""

    def __init__(self, base: nn.Linear, rank: int = 2):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(torch.randn(rank, base.in_features, dtype=torch.float64))
        self.up = nn.Parameter(torch.randn(base.out_features, rank, dtype=torch.float64))

    def forward(self, x):
        return self.base(x) + x @ self.down.T @ self.up.T


class Doubled(nn.Module):
    """Twice what another module returns, whatever its arguments."""

    def __init__(self, inner: nn.Module):
        super().__init__()
        self.inner = inner

    def forward(self, *args, **kwargs):
        return 2 * self.inner(*args, **kwargs)


class Twice(nn.Module):
    """A parametrization."""

    def forward(self, weight):
        return 2 * weight


def forwards_doubled(kind: type[nn.Module]) -> type[nn.Module]:
    """A subclass of `kind` that returns twice as much."""
    return type(f"Twice{kind.__name__}", (kind,), {"forward": _twice(kind)})


def _twice(kind):
    return lambda self, *args, **kwargs: 2 * kind.forward(self, *args, **kwargs)


def recast(module: nn.Module) -> nn.Module:
    """Make a module one of a subclass that returns twice as much."""
    module.__class__ = forwards_doubled(type(module))
    return module


def each_layer(change):
    def changed(model):
        for layer in model.decoder.layers:
            change(layer)

    return changed


def _wrap(owner: nn.Module, name: str, wrapper=Doubled) -> None:
    setattr(owner, name, wrapper(getattr(owner, name)))


def _attentions(model):
    return [m for m in model.decoder.modules() if isinstance(m, MultiHeadAttention)]


def _low_rank(*names):
    def change(model):
        for attention in _attentions(model):
            for name in names:
                _wrap(attention, name, LowRank)

    return change


def _parametrized(model):
    for attention in _attentions(model):
        parametrize.register_parametrization(attention.q_proj, "weight", Twice())


def _weight_normed(model):
    for attention in _attentions(model):
        normed = nn.utils.parametrizations.weight_norm(attention.v_proj)
        normed.parametrizations.weight.original0.data.mul_(3)


def _pruned(model):
    for attention in _attentions(model):
        prune.l1_unstructured(attention.out_proj, "weight", amount=0.5)


def _biased_output(model):
    model.output.bias = nn.Parameter(torch.randn(model.output.out_features, dtype=torch.float64))


def _mixed_biases(model):
    for attention in _attentions(model):
        attention.q_proj.bias = None
        attention.v_proj.bias.data.normal_()


def _no_bias_on_keys(model):
    for attention in _attentions(model):
        attention.k_proj.bias = None
        attention.out_proj.bias.data.normal_()


def _wide_heads(model):
    for layer in model.decoder.layers:
        attention = layer.self_attention
        for name in ("q_proj", "k_proj", "v_proj"):
            setattr(attention, name, Linear(D, 2 * D).double().eval())
        attention.out_proj = Linear(2 * D, D).double().eval()


class Transposed(nn.Module):
    """A product with a matrix stored the other way round, as GPT-2's."""

    def __init__(self, base: nn.Linear):
        super().__init__()
        self.weight = nn.Parameter(2 * base.weight.detach().T)

    def forward(self, x):
        return x @ self.weight


def _another_embedding(model):
    name = "tgt_embedding" if isinstance(model, Transformer) else "embedding"
    _wrap(model, name)


def _recast_embedding(model):
    recast(model.tgt_embedding if isinstance(model, Transformer) else model.embedding)


def _narrow_table(model):
    embedding = model.tgt_embedding if isinstance(model, Transformer) else model.embedding
    embedding.table.max_norm = 0.1


def _own_positions(model):
    class Tilted(PositionScheme):
        def rotate(self, x, start=0):
            return x + torch.arange(start, start + x.shape[2], dtype=x.dtype)[:, None]

    for layer in model.decoder.layers:
        layer.self_attention.positions = Tilted()


def _grouped(model):
    for layer in model.decoder.layers:
        layer.self_attention = GroupedQueryAttention(D, 3, 1, positions=Rotary()).double().eval()


def _replaced_forward(model):
    norm = model.decoder.layers[0].feed_forward_residual.norm
    original = norm.forward
    norm.forward = lambda x: 2 * original(x)


CHANGES = {
    "low-rank query": _low_rank("q_proj"),
    "low-rank key and value": _low_rank("k_proj", "v_proj"),
    "low-rank output": _low_rank("out_proj"),
    "parametrized": _parametrized,
    "weight norm": _weight_normed,
    "pruned": _pruned,
    "biases on some projections": _mixed_biases,
    "no bias on the keys": _no_bias_on_keys,
    "heads wider than the model": _wide_heads,
    "a transposed feed-forward": each_layer(
        lambda layer: _wrap(layer.feed_forward, "up", Transposed)
    ),
    "wrapped decoder": lambda model: _wrap(model, "decoder"),
    "biased output": _biased_output,
    "wrapped output": lambda model: _wrap(model, "output"),
    "subclassed output": lambda model: recast(model.output),
    "torch's own output": lambda model: setattr(
        model, "output", nn.Linear(D, model.output.out_features, bias=False).double()
    ),
    "wrapped embedding": _another_embedding,
    "subclassed embedding": _recast_embedding,
    "a table with a largest norm": _narrow_table,
    "subclassed attention": each_layer(lambda layer: recast(layer.self_attention)),
    "wrapped attention": each_layer(lambda layer: _wrap(layer, "self_attention")),
    "grouped queries": _grouped,
    "positions from elsewhere": _own_positions,
    "subclassed feed-forward": each_layer(lambda layer: recast(layer.feed_forward)),
    "low-rank feed-forward": each_layer(lambda layer: _wrap(layer.feed_forward, "up", LowRank)),
    "a feed-forward from elsewhere": each_layer(
        lambda layer: setattr(layer, "feed_forward", nn.Sequential(nn.Linear(D, D)).double())
    ),
    "subclassed residual": each_layer(lambda layer: recast(layer.feed_forward_residual)),
    "subclassed norm": each_layer(lambda layer: recast(layer.self_attention_residual.norm)),
    "replaced forward": _replaced_forward,
    "subclassed layer": lambda model: recast(model.decoder.layers[1]),
    "wrapped layer": lambda model: _wrap(model.decoder.layers, "0"),
    "subclassed decoder": lambda model: recast(model.decoder),
}
CROSSINGS = {
    "subclassed crossing": each_layer(lambda layer: recast(layer.cross_attention)),
    "wrapped crossing": each_layer(lambda layer: _wrap(layer, "cross_attention")),
}


@torch.no_grad()
def logits_of_all_steps(model, use_cache: bool) -> torch.Tensor:
    """The logits after each beginning of TGT, shape (B, steps, V)."""
    source = isinstance(model, Transformer)
    ids, bos = (SRC, 1) if source else (TGT[:, :1], None)
    next_token = NextToken(model, ids, bos, use_cache)
    return torch.stack([next_token(TGT[:, :length]) for length in STEPS], dim=1)


def require_three_ways_to_agree(model) -> None:
    fast = logits_of_all_steps(model, use_cache=True)
    with plain():
        cached = logits_of_all_steps(model, use_cache=True)
    whole = logits_of_all_steps(model, use_cache=False)
    assert_close(cached, whole, atol=1e-9, rtol=1e-9)
    assert_close(fast, whole, atol=1e-9, rtol=1e-9)


@each_decoder
@pytest.mark.parametrize("name", CHANGES)
def test_with_and_without_cache_and_step_the_logits_agree(kind, name):
    model, unchanged = make(kind), make(kind)
    unchanged.load_state_dict(model.state_dict())
    CHANGES[name](model)
    require_three_ways_to_agree(model)
    differs = logits_of_all_steps(model, False) - logits_of_all_steps(unchanged, False)
    assert differs.nan_to_num().abs().max() > 1e-3, "the change must show, or nothing is tested"


@pytest.mark.parametrize("name", CROSSINGS)
def test_so_they_do_with_another_crossing(name):
    model = make(Transformer)
    CROSSINGS[name](model)
    require_three_ways_to_agree(model)


def _parts_of(model):
    layer = model.decoder.layers[0]
    yield from (model.decoder, layer, layer.self_attention, layer.self_attention.q_proj)
    yield from (layer.self_attention.out_proj, layer.feed_forward, layer.feed_forward.down)
    yield from (layer.feed_forward_residual, layer.feed_forward_residual.norm, model.output)
    if layer.cross_attention is not None:
        yield from (layer.cross_attention, layer.cross_attention.q_proj)
        yield layer.cross_attention_residual
    embedding = model.tgt_embedding if isinstance(model, Transformer) else model.embedding
    yield from (embedding, embedding.table)


@each_decoder
@pytest.mark.parametrize("before", [False, True], ids=["hook", "pre-hook"])
def test_a_hook_fires_at_every_step_and_can_change_what_comes(kind, before):
    for place in range(len(list(_parts_of(make(kind))))):
        model, calls = make(kind), []
        part = list(_parts_of(model))[place]

        def note(module, args, output=None, calls=calls):
            calls.append(1)
            return None if output is None else 1.5 * output

        if before:
            part.register_forward_pre_hook(note)
        else:
            part.register_forward_hook(note)
        logits_of_all_steps(model, use_cache=True)
        assert len(calls) == len(STEPS), type(part).__name__
        require_three_ways_to_agree(model)


def test_a_hook_on_a_language_model_itself_fires_at_every_step():
    model, calls = make(DecoderOnlyTransformer), []
    model.register_forward_hook(lambda *_: calls.append(1))
    logits_of_all_steps(model, use_cache=True)
    assert len(calls) == len(STEPS)


def test_a_hook_on_all_modules_sees_every_step():
    model, seen = make(DecoderOnlyTransformer), []
    handle = nn.modules.module.register_module_forward_hook(lambda m, *_: seen.append(type(m)))
    try:
        logits_of_all_steps(model, use_cache=True)
    finally:
        handle.remove()
    assert seen.count(Decoder) == len(STEPS)
    assert seen.count(DecoderLayer) == 2 * len(STEPS)


@each_decoder
def test_what_is_not_changed_takes_the_fast_step(kind):
    model, calls = make(kind), []
    decoder_forward = Decoder.forward

    class Counted(Decoder):
        def forward(self, *args, **kwargs):
            calls.append(1)
            return decoder_forward(self, *args, **kwargs)

    Counted.fast_step = Decoder.fast_step
    model.decoder.__class__ = Counted
    logits_of_all_steps(model, use_cache=True)
    assert len(calls) == 1, "the beginning, and then no more"
    with plain():
        logits_of_all_steps(model, use_cache=True)
    assert len(calls) == 1 + len(STEPS)


@pytest.mark.parametrize("name", ["low-rank query", "wrapped layer", "biased output"])
def test_beams_agree_too(name):
    model = make(Transformer)
    CHANGES[name](model)
    searches = []
    for use_cache in (True, False):
        options = {"eos_id": 2, "bos_id": 1, "max_len": 9, "num_beams": 3}
        searches.append(beam_search(model, SRC, **options, use_cache=use_cache))
    assert torch.equal(searches[0].tokens, searches[1].tokens)
    assert_close(searches[0].scores, searches[1].scores, atol=1e-9, rtol=1e-9)


def test_a_part_offers_its_own_fast_step_and_a_subclass_does_not_inherit_it():
    parts = [Linear(2, 2), FeedForward(2, 3), nn.LayerNorm(2), forwards_doubled(Linear)(2, 2)]
    parts = [part.eval() for part in parts]
    offers = [fast_step(part) is not None for part in parts]
    assert offers == [True, True, False, False]
    with plain():
        assert fast_step(parts[0]) is None
    assert fast_step(parts[0]) is not None


def test_plain_ends_where_it_ends_also_after_an_error():
    with pytest.raises(KeyError), plain():
        raise KeyError
    assert fast_step(Linear(2, 2).eval()) is not None
    assert fast_step(Linear(2, 2).train()) is None


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
def test_what_is_watched_or_changed_is_not_exactly_its_class(change):
    part = Linear(2, 2)
    assert is_exactly(part, Linear) and not is_exactly(part, nn.Linear)
    change(part)
    assert not is_exactly(part, Linear)


def test_a_part_without_hooks_is_exactly_its_class_again():
    part = TokenEmbedding(3, 2)
    part.register_forward_hook(lambda *_: None).remove()
    assert is_exactly(part, TokenEmbedding)
    assert not is_exactly(PostNorm(nn.Identity()), TokenEmbedding)


@each_decoder
@pytest.mark.parametrize(
    "part", ["self_attention", "feed_forward", "feed_forward_residual"], ids=str
)
def test_a_part_left_in_training_drops_at_every_step(kind, part):
    model = make(kind)
    for layer in model.decoder.layers:
        getattr(layer, part).train().dropout = 0.5
    draws = [logits_of_all_steps(model, use_cache=True) for _ in range(2)]
    assert not torch.equal(draws[0][:, -1], draws[1][:, -1])


@each_decoder
def test_what_is_watched_only_later_is_seen_from_then_on(kind):
    model, calls = make(kind), []
    ids, bos = (SRC, 1) if kind is Transformer else (TGT[:, :1], None)
    next_token = NextToken(model, ids, bos)
    norm = model.decoder.layers[1].self_attention_residual.norm
    with torch.no_grad():
        for length in (1, 2, 3):
            next_token(TGT[:, :length])
        handle = norm.register_forward_hook(lambda *_: calls.append(1))
        next_token(TGT[:, :4])
        handle.remove()
        next_token(TGT[:, :5])
    assert len(calls) == 1


def _low_rank_query(model):
    _wrap(model.decoder.layers[0].self_attention, "q_proj", LowRank)


def _forward_of_the_class(model):
    """Let all attentions return twice as much; return what undoes it."""
    patch = pytest.MonkeyPatch()
    patch.setattr(MultiHeadAttention, "forward", _twice(_as_written(MultiHeadAttention)))
    return patch.undo


def _as_written(kind):
    return type("AsWritten", (), {"forward": kind.forward})


def _other_activation(model):
    model.decoder.layers[0].feed_forward.activation = torch.tanh


MIDWAY = {
    "low-rank query": _low_rank_query,
    "forward of the class": _forward_of_the_class,
    "replaced forward": _replaced_forward,
    "positions from elsewhere": _own_positions,
    "another activation": _other_activation,
    "subclassed feed-forward": CHANGES["subclassed feed-forward"],
    "parametrized": _parametrized,
    "wrapped layer": CHANGES["wrapped layer"],
    "wrapped output": CHANGES["wrapped output"],
}


@torch.no_grad()
def _changed_midway(model, change) -> torch.Tensor:
    """The logits of all steps but the first, with a change between the third and the fourth."""
    source = isinstance(model, Transformer)
    next_token = NextToken(model, *((SRC, 1) if source else (TGT[:, :1], None)))
    undo = None
    try:
        logits = [next_token(TGT[:, :length]) for length in (1, 2, 3)]
        undo = change(model)
        logits += [next_token(TGT[:, :length]) for length in (4, 5)]
    finally:
        (undo or (lambda: None))()
    return torch.stack(logits)


@each_decoder
@pytest.mark.parametrize("name", MIDWAY)
def test_a_part_changed_between_two_steps_counts_from_then_on(kind, name):
    results = []
    for context in (nullcontext, plain):
        torch.manual_seed(4)
        model = make(kind)
        with context():
            results.append(_changed_midway(model, MIDWAY[name]))
    torch.manual_seed(4)
    unchanged = _changed_midway(make(kind), lambda model: None)
    assert_close(results[0], results[1], atol=1e-9, rtol=1e-9)
    differs = (results[0] - unchanged).nan_to_num().abs()
    assert differs[:3].max() < 1e-9 and differs[3:].max() > 1e-3


@each_decoder
def test_a_forward_replaced_on_the_class_is_no_fast_step(kind):
    model = make(kind)
    with pytest.MonkeyPatch.context() as patch:
        before = logits_of_all_steps(model, use_cache=True)
        patch.setattr(MultiHeadAttention, "forward", _twice(_as_written(MultiHeadAttention)))
        require_three_ways_to_agree(model)
        differs = logits_of_all_steps(model, use_cache=True) - before
        assert differs.nan_to_num().abs().max() > 1e-3
        assert not is_exactly(model.decoder.layers[0].self_attention, MultiHeadAttention)
    assert_close(logits_of_all_steps(model, use_cache=True), before)


@each_decoder
def test_training_mode_drops_from_the_next_step_on(kind):
    def change(model):
        for layer in model.decoder.layers:
            layer.feed_forward.train().dropout = 0.5

    model = make(kind)
    first, second = (_changed_midway(model.eval(), change) for _ in range(2))
    assert torch.equal(first[:3], second[:3]) and not torch.equal(first[3:], second[3:])


def test_every_part_with_a_fast_step_has_its_forward_on_record():
    kinds = {
        type(part)
        for kind in (Transformer, DecoderOnlyTransformer)
        for part in make(kind).modules()
    }
    offering = {kind for kind in kinds if "fast_step" in vars(kind)}
    assert len(offering) > 6
    for kind in offering:
        with pytest.MonkeyPatch.context() as patch:
            part: nn.Module = object.__new__(kind)
            nn.Module.__init__(part)
            assert is_exactly(part, kind), kind
            patch.setattr(kind, "forward", lambda self: None)
            assert not is_exactly(part, kind), kind


def test_plain_holds_for_a_decoding_that_has_begun():
    model, calls = make(DecoderOnlyTransformer), []
    next_token = NextToken(model, TGT[:, :1], None)
    with torch.no_grad(), pytest.MonkeyPatch.context() as patch:
        own = LayerNorm.forward
        counted = lambda self, x: calls.append(1) or own(self, x)  # noqa: E731
        patch.setattr(LayerNorm, "forward", counted)
        patch.setitem(exact.FORWARDS, LayerNorm, counted)
        next_token(TGT[:, :1])
        next_token(TGT[:, :2])
        calls.clear()
        with plain():
            next_token(TGT[:, :3])
        assert len(calls) == 4, "two norms in each of two layers"
        next_token(TGT[:, :4])
        assert len(calls) == 4


@torch.no_grad()
def test_a_weight_of_another_class_multiplies_in_its_own_way():
    class Halved(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            result = super().__torch_function__(func, types, args, kwargs or {})
            return result / 2 if func is nn.functional.linear else result

    ours, theirs, x = Linear(3, 2, bias=False), nn.Linear(3, 2, bias=False), torch.randn(1, 5, 3)
    theirs.weight = ours.weight = nn.Parameter(torch.randn(2, 3).as_subclass(Halved))
    assert_close(ours(x).as_subclass(torch.Tensor), theirs(x).as_subclass(torch.Tensor))
