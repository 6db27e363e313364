"""Models with a part that is injected, wrapped, hooked or changed, and the logits of all steps."""

import torch
from reference_search import decoding_of_targets
from tiny_models import TGT, D
from torch import nn
from torch.nn.utils import parametrize, prune
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, Transformer
from transformer_lite.fast.exact import fast_steps_disabled
from transformer_lite.layers import GroupedQueryAttention, Linear
from transformer_lite.layers.positions import PositionScheme, Rotary

STEPS = range(2, TGT.shape[1] + 1)


class LowRank(nn.Module):
    """A projection with a small correction next to it, as LoRA has; it has no weight of its own."""

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
    """Return a subclass of `kind` that returns twice as much."""
    return type(f"Twice{kind.__name__}", (kind,), {"forward": twice(kind)})


def twice(kind):
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


def wrap(owner: nn.Module, name: str, wrapper=Doubled) -> None:
    setattr(owner, name, wrapper(getattr(owner, name)))


def _attentions(model):
    return [m for m in model.decoder.modules() if isinstance(m, MultiHeadAttention)]


def _low_rank(*names):
    def change(model):
        for attention in _attentions(model):
            for name in names:
                wrap(attention, name, LowRank)

    return change


def parametrized(model):
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


def embedding_of(model) -> str:
    """Return the name of the embedding of the targets."""
    return "tgt_embedding" if isinstance(model, Transformer) else "embedding"


def own_positions(model):
    class Tilted(PositionScheme):
        def rotate(self, x, start=0):
            return x + torch.arange(start, start + x.shape[2], dtype=x.dtype)[:, None]

    for layer in model.decoder.layers:
        layer.self_attention.positions = Tilted()


def _grouped(model):
    for layer in model.decoder.layers:
        layer.self_attention = GroupedQueryAttention(D, 3, 1, positions=Rotary()).double().eval()


class Threefold(torch.Tensor):
    """A weight whose products with tokens are three times as large."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is not nn.functional.linear:
            return super().__torch_function__(func, types, args, kwargs or {})
        plain = [x.as_subclass(torch.Tensor) if type(x) is cls else x for x in args]
        return 3 * func(*plain, **(kwargs or {}))


class Alone(Threefold):
    """The same, but like a quantized one it cannot be concatenated or copied to another layout."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in (torch.cat, torch.Tensor.t, torch.Tensor.contiguous):
            raise NotImplementedError(f"{func.__name__} of a weight of its own class")
        return super().__torch_function__(func, types, args, kwargs)


def _weights_of(kind, *names):
    def change(model):
        for part in (model, *_attentions(model)):
            for name in names:
                if hasattr(part, name):
                    projection = getattr(part, name)
                    own = projection.weight.detach().as_subclass(kind)
                    projection.weight = nn.Parameter(own, requires_grad=False)

    return change


def replaced_forward(model):
    norm = model.decoder.layers[0].feed_forward_residual.norm
    original = norm.forward
    norm.forward = lambda x: 2 * original(x)


CHANGES = {
    "low-rank query": _low_rank("q_proj"),
    "low-rank key and value": _low_rank("k_proj", "v_proj"),
    "low-rank output": _low_rank("out_proj"),
    "parametrized": parametrized,
    "weight norm": _weight_normed,
    "pruned": _pruned,
    "biases on some projections": _mixed_biases,
    "no bias on the keys": _no_bias_on_keys,
    "heads wider than the model": _wide_heads,
    "a transposed feed-forward": each_layer(
        lambda layer: wrap(layer.feed_forward, "up", Transposed)
    ),
    "wrapped decoder": lambda model: wrap(model, "decoder"),
    "biased output": _biased_output,
    "wrapped output": lambda model: wrap(model, "output"),
    "subclassed output": lambda model: recast(model.output),
    "torch's own output": lambda model: setattr(
        model, "output", nn.Linear(D, model.output.out_features, bias=False).double()
    ),
    "wrapped embedding": lambda model: wrap(model, embedding_of(model)),
    "subclassed embedding": lambda model: recast(getattr(model, embedding_of(model))),
    "a table with a largest norm": lambda model: setattr(
        getattr(model, embedding_of(model)).table, "max_norm", 0.1
    ),
    "subclassed attention": each_layer(lambda layer: recast(layer.self_attention)),
    "wrapped attention": each_layer(lambda layer: wrap(layer, "self_attention")),
    "grouped queries": _grouped,
    "positions from elsewhere": own_positions,
    "subclassed feed-forward": each_layer(lambda layer: recast(layer.feed_forward)),
    "low-rank feed-forward": each_layer(lambda layer: wrap(layer.feed_forward, "up", LowRank)),
    "a feed-forward from elsewhere": each_layer(
        lambda layer: setattr(layer, "feed_forward", nn.Sequential(nn.Linear(D, D)).double())
    ),
    "subclassed residual": each_layer(lambda layer: recast(layer.feed_forward_residual)),
    "subclassed norm": each_layer(lambda layer: recast(layer.self_attention_residual.norm)),
    "replaced forward": replaced_forward,
    "subclassed layer": lambda model: recast(model.decoder.layers[1]),
    "wrapped layer": lambda model: wrap(model.decoder.layers, "0"),
    "weights that multiply in their own way": _weights_of(Threefold, "q_proj", "v_proj"),
    "weights that stay alone": _weights_of(Alone, "q_proj", "k_proj", "v_proj", "out_proj"),
    "an output's weights of their own": _weights_of(Alone, "output"),
    "subclassed decoder": lambda model: recast(model.decoder),
}


@torch.no_grad()
def logits_of_all_steps(model, use_cache: bool) -> torch.Tensor:
    """Return the logits after each prefix of TGT, shape (B, steps, V)."""
    next_token = decoding_of_targets(model, use_cache)
    return torch.stack([next_token(TGT[:, :length]) for length in STEPS], dim=1)


def require_three_ways_to_agree(model) -> None:
    fast = logits_of_all_steps(model, use_cache=True)
    with fast_steps_disabled():
        cached = logits_of_all_steps(model, use_cache=True)
    whole = logits_of_all_steps(model, use_cache=False)
    assert_close(cached, whole, atol=1e-9, rtol=1e-9)
    assert_close(fast, whole, atol=1e-9, rtol=1e-9)
