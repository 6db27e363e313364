"""Laws of the three assemblies, for every choice that a config offers."""

import torch
from tiny_models import (
    BUILDERS,
    SRC,
    TGT,
    TGT_VOCAB,
    B,
    S,
    T,
    config,
    each_choice,
    each_model,
    each_position,
    each_residual,
    inputs_of,
    make,
    make_chosen,
    pads,
)
from torch.testing import assert_close

from transformer_lite import Transformer, padding_mask
from transformer_lite.models import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
)

# What holds for every choice


@each_choice
def test_the_future_cannot_change_the_past(choice):
    model, language_model = (
        make_chosen(kind, choice) for kind in (Transformer, DecoderOnlyTransformer)
    )
    with torch.no_grad():
        before, before_alone = model(SRC, TGT), language_model(TGT)
        for t in (1, 3):
            changed = TGT.clone()
            changed[:, t:] = torch.randint(0, TGT_VOCAB, (B, T - t))  # pads too
            changed[:, t] = 11  # certainly another token: TGT does not contain it
            for after, now in (
                (model(SRC, changed), before),
                (language_model(changed), before_alone),
            ):
                assert torch.equal(after[:, :t], now[:, :t])
                assert not torch.isclose(after[:, t], now[:, t]).all(dim=-1).any()


@each_choice
def test_padding_does_not_change_the_output(choice):
    for kind in (Transformer, DecoderOnlyTransformer, EncoderOnlyTransformer):
        model = make_chosen(kind, choice)
        with torch.no_grad():
            before = model(*inputs_of(kind))
            after = model(*inputs_of(kind, pads(SRC, 3), pads(TGT, 4)))
            short = (ids[1:, : int((ids[1] != 0).sum())] for ids in inputs_of(kind))
            alone = model(*short)
        assert after.shape[1] > before.shape[1]
        # After the last token of a row comes padding, whose outputs nobody reads.
        real = inputs_of(kind)[-1] != 0
        assert_close(after[:, : before.shape[1]][real], before[real], atol=1e-10, rtol=1e-10)
        # And each row has the output that it has alone, without its pads.
        assert_close(before[1][real[1]], alone[0], atol=1e-10, rtol=1e-10)


@each_choice
def test_a_source_of_only_padding_gives_finite_outputs_and_gradients(choice):
    src = SRC.clone()
    src[1] = 0
    for kind in (Transformer, EncoderOnlyTransformer, DecoderOnlyTransformer):
        model = make_chosen(kind, choice)
        model.zero_grad()
        output = model(*inputs_of(kind, src=src))
        assert output.isfinite().all()
        (output * torch.randn_like(output)).sum().backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad.isfinite().all(), name
            # A bias shared by all keys moves all scores equally, which softmax ignores.
            if not name.endswith("k_proj.bias"):
                assert parameter.grad.any(), name


@each_position
def test_without_positions_a_sentence_is_a_bag_of_words(positions):
    model, order = make(EncoderOnlyTransformer, positions=positions), torch.randperm(S)
    with torch.no_grad():
        before, after = model(SRC)[:, order], model(SRC[:, order])
    if positions == "none":
        assert_close(after, before, atol=1e-12, rtol=1e-12)
    else:
        assert (after - before)[0].abs().max() > 1e-3


@each_model
@each_residual
def test_dropout_applies_in_training_only(kind, residual):
    model = BUILDERS[kind](config(residual=residual, dropout=0.5))
    assert not torch.equal(model(*inputs_of(kind)), model(*inputs_of(kind)))
    resting = model.eval()(*inputs_of(kind))
    assert torch.equal(resting, model(*inputs_of(kind)))
    still = BUILDERS[kind](config(residual=residual, dropout=0.0))
    still.load_state_dict(model.state_dict())
    assert torch.equal(still(*inputs_of(kind)), resting), "training without dropout"


@each_model
def test_padding_ids_other_than_0_work(kind):
    model = make(kind)
    renamed = make(kind, pad_id=2)
    renamed.load_state_dict(model.state_dict())
    src, tgt = SRC.masked_fill(SRC == 0, 2), TGT.masked_fill(TGT == 0, 2)
    real = inputs_of(kind)[-1] != 0
    assert_close(renamed(*inputs_of(kind, src, tgt))[real], model(*inputs_of(kind))[real])


# How the parts are put together


def test_the_model_is_its_parts_one_after_the_other():
    model = make(Transformer, residual="pre")
    memory = model.encoder(model.src_embedding(SRC), padding_mask(SRC))
    look_back = torch.ones(T, T).tril().bool() & padding_mask(TGT)
    x = model.decoder(model.tgt_embedding(TGT), memory, look_back, padding_mask(SRC))
    assert_close(model(SRC, TGT), x @ model.output.weight.T)
    assert torch.equal(model.encode(SRC), memory)
    assert torch.equal(model.decode(TGT, memory, padding_mask(SRC)), model(SRC, TGT))
    assert not torch.allclose(model.decode(TGT, memory)[1], model(SRC, TGT)[1]), "pads seen"
    assert_close(model.decode(TGT, memory)[0], model(SRC, TGT)[0])

    model = make(DecoderOnlyTransformer)
    x = model.decoder(model.embedding(TGT), mask=look_back)
    assert_close(model(TGT), x @ model.output.weight.T)

    model = make(EncoderOnlyTransformer)
    assert_close(model(SRC), model.encoder(model.embedding(SRC), padding_mask(SRC)))


# What it refuses and what it lets through
