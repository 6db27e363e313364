"""Laws of `residual_stream` and `value_weighted`: the parts add up, and the lengths are right."""

import pytest
import torch
from tiny_models import (
    BUILDERS,
    SRC,
    TGT,
    H,
    K,
    config,
    each_model,
    each_position,
    each_residual,
    hooks,
    inputs_of,
    make,
)
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, Transformer, record_attention
from transformer_lite.models import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    residual_stream,
    value_weighted,
)

NAMES = {
    Transformer: [
        "encoder.layers.0.self_attention",
        "encoder.layers.0.feed_forward",
        *(
            f"decoder.layers.{layer}.{part}"
            for layer in range(2)
            for part in ("self_attention", "cross_attention", "feed_forward")
        ),
    ],
    DecoderOnlyTransformer: [
        f"decoder.layers.{layer}.{part}"
        for layer in range(2)
        for part in ("self_attention", "feed_forward")
    ],
    EncoderOnlyTransformer: ["encoder.layers.0.self_attention", "encoder.layers.0.feed_forward"],
}


@each_model
@each_residual
def test_each_result_is_carried_plus_added(kind, residual):
    model = make(kind, residual=residual)
    plain = model(*inputs_of(kind))
    record = residual_stream(model, *inputs_of(kind))
    assert torch.equal(record.output, plain)
    assert list(record.steps) == NAMES[kind]
    for name, step in record.steps.items():
        total = step.carried + step.added
        norm = model.get_submodule(f"{name}_residual").norm
        assert_close(step.result, total if residual == "pre" else norm(total))
        assert not any(part.requires_grad for part in step)
        assert step.added.std() > 0
    assert hooks(model) == 0


def test_active_dropout_is_refused_but_training_mode_without_it_is_not():
    dropping = BUILDERS[DecoderOnlyTransformer](config(dropout=0.3)).train()
    with pytest.raises(ValueError, match=r"call model\.eval\(\), got dropout=0\.3"):
        residual_stream(dropping, TGT)
    assert hooks(dropping) == 0
    assert residual_stream(make(DecoderOnlyTransformer).train(), TGT).steps


@pytest.mark.parametrize("look", [residual_stream, value_weighted])
def test_no_hook_is_left_after_an_error(look):
    model = make(Transformer)
    with pytest.raises(ValueError, match="tgt_ids"):
        look(model, SRC, TGT + 100)
    assert hooks(model) == 0


@each_model
@each_position
def test_the_norms_equal_the_formula_of_the_paper(kind, positions):
    """‖weight · f(x)‖ with f(x) = (x W^V + b^V) W^O, entry by entry (Kobayashi et al., eq. 4)."""
    model, seen = make(kind, positions=positions), {}
    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            module.register_forward_hook(
                lambda module, args, output, name=name: seen.update({name: args})
            )
    record = value_weighted(model, *inputs_of(kind))
    weights = record_attention(model, *inputs_of(kind)).weights
    assert list(record.norms) == list(weights)
    for name, norms in record.norms.items():
        module, args = model.get_submodule(name), seen[name]
        read = args[1] if len(args) > 1 and args[1] is not None else args[0]
        assert norms.shape == weights[name].shape
        for head in range(H):
            rows = slice(head * K, (head + 1) * K)
            value = read @ module.v_proj.weight[rows].T + module.v_proj.bias[rows]
            sent = value @ module.out_proj.weight[:, rows].T
            explicit = weights[name][:, head, :, :, None] * sent[:, None]
            assert_close(norms[:, head], explicit.norm(dim=-1))
    assert torch.equal(record.output, model(*inputs_of(kind)))
